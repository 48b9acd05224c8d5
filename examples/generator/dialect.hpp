#pragma once

// What a vendor's runtime calls its calls, kernels and versions: the words of a trace's flavour.

#include <cstdint>
#include <string_view>

#include "examples/generator/document.hpp"
#include "examples/generator/trace_options.hpp"

namespace kinetoscope::examples {

/// Names of runtime calls, ids of streams, and the kernels that models like ours run.
struct Dialect {
  std::string_view launch;
  std::string_view graph_launch;
  std::string_view copy;
  std::string_view device_synchronize;
  std::string_view begin_capture;
  std::string_view end_capture;
  std::string_view instantiate;
  std::string_view call_id_key;  ///< key of the call's number in its args
  std::int64_t main_stream = 0;
  std::int64_t communication_stream = 0;
  std::string_view gemm_kernel;             ///< Y = X W^T
  std::string_view input_gradient_kernel;   ///< dX = dY W
  std::string_view weight_gradient_kernel;  ///< dW = dY^T X
  std::string_view small_gemm_kernel;
  std::string_view attention_kernel;
  std::string_view attention_backward_kernel;
  std::string_view decode_attention_kernel;
  std::string_view all_reduce_kernel;
};

[[nodiscard]] const Dialect& dialect_of(Flavour flavour) noexcept;

/// Adds the device's properties and the versions of driver and runtime, as the flavour's profiler writes them.
void add_platform(Fields& header, Flavour flavour, std::int64_t devices);

/// Kernels whose names do not depend on the vendor.
inline constexpr std::string_view gelu_kernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#2}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int)";
inline constexpr std::string_view gelu_backward_kernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#2}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}, "
    "std::array<char*, 3ul> >(int)";
inline constexpr std::string_view layer_norm_kernel =
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, "
    "c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)";
inline constexpr std::string_view layer_norm_backward_kernel =
    "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float>(int)";
inline constexpr std::string_view reduce_kernel =
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::BFloat16, at::native::MeanOps<c10::BFloat16, "
    "float, "
    "float, c10::BFloat16>, unsigned int, c10::BFloat16, 4> >(at::native::ReduceOp)";
inline constexpr std::string_view loss_backward_kernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::mse_backward_cuda_kernel(at::TensorIterator&, "
    "c10::Scalar const&)::{lambda(c10::BFloat16, c10::BFloat16, c10::BFloat16)#1}, std::array<char*, 4ul> >(int)";
inline constexpr std::string_view optimizer_kernel =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
    "FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<c10::BFloat16, 4> "
    ">()";
inline constexpr std::string_view rms_norm_kernel =
    "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*, c10::BFloat16 const*, "
    "float)";
inline constexpr std::string_view rotary_kernel =
    "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*, c10::BFloat16*, int)";
inline constexpr std::string_view silu_kernel =
    "void vllm::act_and_mul_kernel<c10::BFloat16, &vllm::silu_kernel<c10::BFloat16>, true>(c10::BFloat16*, int)";
inline constexpr std::string_view argmax_kernel =
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::ArgMaxOps<float>, unsigned int, "
    "long, "
    "4> >(at::native::ReduceOp)";
inline constexpr std::string_view gather_kernel =
    "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, "
    "true>()";
}  // namespace kinetoscope::examples
