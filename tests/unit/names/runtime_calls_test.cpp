#include "core/names/runtime_calls.hpp"

#include <initializer_list>

#include <doctest/doctest.h>

namespace kinetoscope::names {
namespace {

void check(RuntimeCall call, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    CAPTURE(name);
    CHECK(spelling_of(classify_runtime_call(name)) == spelling_of(call));
  }
}
}  // namespace

// What each call does stands in the public headers of CUDA, HIP, Unified Runtime and Level Zero.
TEST_CASE("runtime calls: launches of kernels and graphs in every runtime") {
  check(RuntimeCall::kernel_launch, {"cudaLaunchKernel",
                                     "cudaLaunchKernelExC",
                                     "cudaLaunchCooperativeKernel",
                                     "cuLaunchKernel",
                                     "cuLaunchKernelEx",
                                     "cuLaunchCooperativeKernel",
                                     "cudaLaunchKernel_ptsz",
                                     "hipLaunchKernel",
                                     "hipExtLaunchKernel",
                                     "hipModuleLaunchKernel",
                                     "hipExtModuleLaunchKernel",
                                     "hipLaunchCooperativeKernel",
                                     "hipLaunchByPtr",
                                     "hipLaunchKernelExC",
                                     "hipDrvLaunchKernelEx",
                                     "urEnqueueKernelLaunch",
                                     "urEnqueueKernelLaunchWithArgsExp",
                                     "urEnqueueCooperativeKernelLaunchExp",
                                     "zeCommandListAppendLaunchKernel",
                                     "zeCommandListAppendLaunchCooperativeKernel",
                                     "runFunction - job_prep_and_submit_for_execution",
                                     "aclrtLaunchKernel"});
  check(RuntimeCall::graph_launch,
        {"cudaGraphLaunch", "cuGraphLaunch", "hipGraphLaunch", "cudaGraphLaunch_v10000", "CUDAGRAPHLAUNCH"});
}

TEST_CASE("runtime calls: copies, fills and memory") {
  check(RuntimeCall::copy,
        {"cudaMemcpyAsync", "cudaMemcpy", "cudaMemcpy2DAsync", "cudaMemcpyPeerAsync", "cuMemcpyDtoDAsync_v2",
         "cuMemcpyHtoD_v2", "hipMemcpyWithStream", "hipMemcpyAsync", "urEnqueueUSMMemcpy", "urEnqueueMemBufferCopy",
         "zeCommandListAppendMemoryCopy", "cudaMemPrefetchAsync"});
  check(RuntimeCall::fill, {"cudaMemsetAsync", "cuMemsetD32Async", "hipMemset", "hipMemsetAsync", "hipMemsetD8Async",
                            "urEnqueueUSMFill", "zeCommandListAppendMemoryFill"});
  check(RuntimeCall::allocate, {"cudaMalloc", "cudaMallocAsync", "cudaHostAlloc", "cuMemAlloc_v2", "cuMemCreate",
                                "cuMemMap", "cuMemAddressReserve", "hipMalloc", "hipExtMallocWithFlags",
                                "hipHostMalloc", "urUSMDeviceAlloc", "zeMemAllocDevice", "cudaHostRegister"});
  check(RuntimeCall::free, {"cudaFree", "cudaFreeAsync", "cudaFreeHost", "cuMemFree_v2", "cuMemUnmap", "cuMemRelease",
                            "hipFree", "hipHostFree", "urUSMFree", "zeMemFree"});
}

TEST_CASE("runtime calls: waiting, events and capture") {
  check(RuntimeCall::synchronise,
        {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cuCtxSynchronize",
         "hipDeviceSynchronize", "hipStreamSynchronize", "urQueueFinish", "urEventWait", "zeEventHostSynchronize"});
  check(RuntimeCall::event_record, {"cudaEventRecord", "cudaEventRecordWithFlags", "cuEventRecord", "hipEventRecord"});
  check(RuntimeCall::event_wait,
        {"cudaStreamWaitEvent", "cuStreamWaitEvent", "hipStreamWaitEvent", "cuStreamWaitValue32_v2"});
  check(RuntimeCall::stream_capture_begin, {"cudaStreamBeginCapture", "hipStreamBeginCapture",
                                            "cuStreamBeginCapture_v2", "cudaStreamBeginCaptureToGraph"});
  check(RuntimeCall::stream_capture_end, {"cudaStreamEndCapture", "hipStreamEndCapture", "cuStreamEndCapture"});
  check(RuntimeCall::graph_instantiate, {"cudaGraphInstantiate", "cudaGraphInstantiateWithFlags",
                                         "hipGraphInstantiateWithFlags", "cuGraphInstantiateWithParams"});
  check(RuntimeCall::graph_build, {"cudaGraphAddKernelNode", "cudaGraphAddMemcpyNode", "cudaGraphExecUpdate",
                                   "cudaGraphDestroy", "hipGraphDestroy", "cudaGraphAddMemsetNode"});
  check(RuntimeCall::host_function,
        {"cudaLaunchHostFunc", "cuLaunchHostFunc", "hipLaunchHostFunc", "cudaStreamAddCallback"});
}

TEST_CASE("runtime calls: questions change nothing") {
  check(RuntimeCall::query, {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                             "cudaEventQuery",
                             "cudaStreamQuery",
                             "cudaDeviceGetAttribute",
                             "cudaFuncGetAttributes",
                             "cudaGetLastError",
                             "cudaPeekAtLastError",
                             "cudaStreamIsCapturing",
                             "cudaStreamGetCaptureInfo_v2",
                             "hipStreamGetCaptureInfo",
                             "cudaMemGetInfo",
                             "hipGetDevicePropertiesR0600",
                             "hipEventElapsedTime",
                             "hipPointerGetAttributes",
                             "cuDeviceGetCount",
                             "cudaGetDevice",
                             "hipDriverGetVersion",
                             "hipCtxGetCurrent",
                             "cudaStreamGetPriority",
                             "hipGraphGetNodes"});
}

TEST_CASE("runtime calls: the rest is other, and what has no name is unknown") {
  check(RuntimeCall::other, {"cudaStreamCreateWithFlags", "cudaEventCreateWithFlags", "hipEventDestroy", "hipInit",
                             "cuModuleLoadData", "hipModuleLoadData", "cudaFuncSetAttribute", "cudaSetDevice",
                             "hipThreadExchangeStreamCaptureMode", "__cudaPushCallConfiguration"});
  check(RuntimeCall::unknown, {"cbid_431", "", "aten::mm", "INVALID"});
}

TEST_CASE("runtime calls: only launches, copies and fills put work on a device") {
  for (const Spelled<RuntimeCall>& entry : runtime_calls) {
    const std::string_view spelling = entry.spelling;
    CAPTURE(spelling);
    const bool expected =
        spelling == "kernel_launch" || spelling == "graph_launch" || spelling == "copy" || spelling == "fill";
    CHECK(is_launch(entry.value) == expected);
  }
}
}  // namespace kinetoscope::names
