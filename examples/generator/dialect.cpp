#include "examples/generator/dialect.hpp"

#include <string>

#include <fmt/format.h>

namespace kinetoscope::examples {
namespace {

constexpr Dialect cuda_dialect = {
    .launch = "cudaLaunchKernel",
    .graph_launch = "cudaGraphLaunch",
    .copy = "cudaMemcpyAsync",
    .device_synchronize = "cudaDeviceSynchronize",
    .begin_capture = "cudaStreamBeginCapture",
    .end_capture = "cudaStreamEndCapture",
    .instantiate = "cudaGraphInstantiateWithFlags",
    .call_id_key = "cbid",
    .main_stream = 7,
    .communication_stream = 20,
    .gemm_kernel = "nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNT",
    .input_gradient_kernel = "nvjet_tst_128x256_64x4_2x1_v_bz_coopA_NNT",
    .weight_gradient_kernel = "nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NTT",
    .small_gemm_kernel = "nvjet_tst_64x8_64x16_4x1_v_bz_TNT",
    .attention_kernel =
        "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t> >()",
    .attention_backward_kernel =
        "void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<64, 128> >()",
    .decode_attention_kernel = "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4> >()",
    .all_reduce_kernel = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
};

constexpr Dialect hip_dialect = {
    .launch = "hipLaunchKernel",
    .graph_launch = "hipGraphLaunch",
    .copy = "hipMemcpyWithStream",
    .device_synchronize = "hipDeviceSynchronize",
    .begin_capture = "hipStreamBeginCapture",
    .end_capture = "hipStreamEndCapture",
    .instantiate = "hipGraphInstantiateWithFlags",
    .call_id_key = "cid",
    .main_stream = 0,
    .communication_stream = 3,
    .gemm_kernel = "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB0_ISA942_WG32_8_1",
    .input_gradient_kernel =
        "Cijk_Ailk_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB0_ISA942_WG32_8_1",
    .weight_gradient_kernel =
        "Cijk_Ailk_Bjlk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB0_ISA942_WG32_8_1",
    .small_gemm_kernel = "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT32x16x256_MI16x16x1_SN_LDSB1_ISA942_WG16_4_1",
    .attention_kernel = "attn_fwd",
    .attention_backward_kernel = "bwd_kernel_dk_dv",
    .decode_attention_kernel = "_ZN5aiter47pa_bf16_pertokenFp8_gqa8_2tg_4w_uhp",
    .all_reduce_kernel = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
};

std::string cuda_device(std::int64_t id) {
  return fmt::format(
      "{{\"id\": {}, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 85018279936, \"computeMajor\": 9, "
      "\"computeMinor\": 0, \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048, \"regsPerBlock\": "
      "65536, "
      "\"warpSize\": 32, \"sharedMemPerBlock\": 49152, \"numSms\": 132, \"regsPerMultiprocessor\": 65536, "
      "\"sharedMemPerBlockOptin\": 232448, \"sharedMemPerMultiprocessor\": 233472}}",
      id);
}

std::string hip_device(std::int64_t id) {
  return fmt::format(
      "{{\"id\": {}, \"name\": \"AMD Instinct MI300X\", \"totalGlobalMem\": 206141652992, \"computeMajor\": 9, "
      "\"computeMinor\": 4, \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048, \"regsPerBlock\": "
      "65536, "
      "\"warpSize\": 64, \"sharedMemPerBlock\": 65536, \"numSms\": 304, \"maxSharedMemoryPerMultiProcessor\": 65536}}",
      id);
}
}  // namespace

const Dialect& dialect_of(Flavour flavour) noexcept { return flavour == Flavour::cuda ? cuda_dialect : hip_dialect; }

void add_platform(Fields& header, Flavour flavour, std::int64_t devices) {
  std::string list;
  for (std::int64_t id = 0; id < devices; ++id) {
    if (id > 0) list += ", ";
    list += flavour == Flavour::cuda ? cuda_device(id) : hip_device(id);
  }
  header.json("deviceProperties", "[" + list + "]");
  if (flavour == Flavour::cuda) {
    header.number("cupti_version", 26).number("cuda_runtime_version", 12080).number("cuda_driver_version", 12080);
  } else {
    header.json("roctracer_version", "4.1")
        .number("hip_runtime_version", 70253211)
        .number("hip_driver_version", 70253211);
  }
}
}  // namespace kinetoscope::examples
