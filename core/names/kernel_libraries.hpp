#pragma once

// The libraries that kernel_kinds.json tells apart, with their spellings.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

/// Who ships the kernel. `driver`: copies and fills of the runtime itself.
enum class Library : std::uint8_t {
  unknown,
  driver,
  aten,
  inductor,
  triton,
  triton_kernels,
  cublas,
  cutlass,
  cudnn,
  cutensor,
  cufft,
  xmma,
  hipblaslt,
  rocblas,
  tensile,
  ck,
  miopen,
  aiter,
  flash_attention,
  flashinfer,
  sage_attention,
  vllm,
  sglang,
  tensorrt_llm,
  deepgemm,
  fbgemm,
  transformer_engine,
  apex,
  bitsandbytes,
  cub,
  rocprim,
  nccl,
  rccl,
  nvshmem,
  mscclpp,
  deepep,
  mori,
};
inline constexpr std::array libraries = {
    Spelled{Library::unknown, "unknown"},
    Spelled{Library::driver, "driver"},
    Spelled{Library::aten, "aten"},
    Spelled{Library::inductor, "inductor"},
    Spelled{Library::triton, "triton"},
    Spelled{Library::triton_kernels, "triton_kernels"},
    Spelled{Library::cublas, "cublas"},
    Spelled{Library::cutlass, "cutlass"},
    Spelled{Library::cudnn, "cudnn"},
    Spelled{Library::cutensor, "cutensor"},
    Spelled{Library::cufft, "cufft"},
    Spelled{Library::xmma, "xmma"},
    Spelled{Library::hipblaslt, "hipblaslt"},
    Spelled{Library::rocblas, "rocblas"},
    Spelled{Library::tensile, "tensile"},
    Spelled{Library::ck, "ck"},
    Spelled{Library::miopen, "miopen"},
    Spelled{Library::aiter, "aiter"},
    Spelled{Library::flash_attention, "flash_attention"},
    Spelled{Library::flashinfer, "flashinfer"},
    Spelled{Library::sage_attention, "sage_attention"},
    Spelled{Library::vllm, "vllm"},
    Spelled{Library::sglang, "sglang"},
    Spelled{Library::tensorrt_llm, "tensorrt_llm"},
    Spelled{Library::deepgemm, "deepgemm"},
    Spelled{Library::fbgemm, "fbgemm"},
    Spelled{Library::transformer_engine, "transformer_engine"},
    Spelled{Library::apex, "apex"},
    Spelled{Library::bitsandbytes, "bitsandbytes"},
    Spelled{Library::cub, "cub"},
    Spelled{Library::rocprim, "rocprim"},
    Spelled{Library::nccl, "nccl"},
    Spelled{Library::rccl, "rccl"},
    Spelled{Library::nvshmem, "nvshmem"},
    Spelled{Library::mscclpp, "mscclpp"},
    Spelled{Library::deepep, "deepep"},
    Spelled{Library::mori, "mori"},
};
static_assert(follows_enum(libraries, Library::mori));
[[nodiscard]] constexpr std::string_view spelling_of(Library library) noexcept {
  return libraries[static_cast<std::size_t>(library)].spelling;
}
}  // namespace kinetoscope::names
