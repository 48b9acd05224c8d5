#pragma once

// The kinds of work that kernel_kinds.json tells apart, with their spellings.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

enum class KernelKind : std::uint8_t {
  unknown,
  gemm,          ///< matrix-matrix and matrix-vector products, batched ones too, with what adds up their parts
  grouped_gemm,  ///< several products of different sizes in one kernel
  moe_gemm,      ///< the experts' products
  moe_routing,   ///< choosing experts, sorting and permuting tokens to them
  moe_combine,   ///< weighted sum and return of the experts' results
  convolution,
  attention,         ///< softmax(QK)V in any form, its split parts merged, scores that choose keys
  linear_attention,  ///< state-space and gated-delta layers, with their short convolutions
  kv_cache_write,
  normalisation,
  softmax,
  activation,
  rotary_embedding,
  embedding,
  elementwise,
  reduction,
  scan,
  sort,  ///< sort, top-k, median, unique
  indexing,
  layout,  ///< transposes, concatenation, padding: the same values in another order
  copy,    ///< copies and conversions by a kernel
  fill,
  quantise,  ///< and back, and the scales for it
  pooling,
  resampling,
  random,
  loss,
  sampling,           ///< next tokens: top-p, penalties, verification of drafts
  batch_preparation,  ///< page tables, positions and slots of the next batch
  optimizer,
  foreach,  ///< one simple operation over a list of tensors
  communication,
  fourier_transform,
  sparse,
  linear_algebra,  ///< factorisations and solvers
  memory_copy,     ///< by the driver or its copy kernels
  memory_set,
  bookkeeping,  ///< events, waits, barriers of the runtime: no work
};
inline constexpr std::array kernel_kinds = {
    Spelled{KernelKind::unknown, "unknown"},
    Spelled{KernelKind::gemm, "gemm"},
    Spelled{KernelKind::grouped_gemm, "grouped_gemm"},
    Spelled{KernelKind::moe_gemm, "moe_gemm"},
    Spelled{KernelKind::moe_routing, "moe_routing"},
    Spelled{KernelKind::moe_combine, "moe_combine"},
    Spelled{KernelKind::convolution, "convolution"},
    Spelled{KernelKind::attention, "attention"},
    Spelled{KernelKind::linear_attention, "linear_attention"},
    Spelled{KernelKind::kv_cache_write, "kv_cache_write"},
    Spelled{KernelKind::normalisation, "normalisation"},
    Spelled{KernelKind::softmax, "softmax"},
    Spelled{KernelKind::activation, "activation"},
    Spelled{KernelKind::rotary_embedding, "rotary_embedding"},
    Spelled{KernelKind::embedding, "embedding"},
    Spelled{KernelKind::elementwise, "elementwise"},
    Spelled{KernelKind::reduction, "reduction"},
    Spelled{KernelKind::scan, "scan"},
    Spelled{KernelKind::sort, "sort"},
    Spelled{KernelKind::indexing, "indexing"},
    Spelled{KernelKind::layout, "layout"},
    Spelled{KernelKind::copy, "copy"},
    Spelled{KernelKind::fill, "fill"},
    Spelled{KernelKind::quantise, "quantise"},
    Spelled{KernelKind::pooling, "pooling"},
    Spelled{KernelKind::resampling, "resampling"},
    Spelled{KernelKind::random, "random"},
    Spelled{KernelKind::loss, "loss"},
    Spelled{KernelKind::sampling, "sampling"},
    Spelled{KernelKind::batch_preparation, "batch_preparation"},
    Spelled{KernelKind::optimizer, "optimizer"},
    Spelled{KernelKind::foreach, "foreach"},
    Spelled{KernelKind::communication, "communication"},
    Spelled{KernelKind::fourier_transform, "fourier_transform"},
    Spelled{KernelKind::sparse, "sparse"},
    Spelled{KernelKind::linear_algebra, "linear_algebra"},
    Spelled{KernelKind::memory_copy, "memory_copy"},
    Spelled{KernelKind::memory_set, "memory_set"},
    Spelled{KernelKind::bookkeeping, "bookkeeping"},
};
static_assert(follows_enum(kernel_kinds, KernelKind::bookkeeping));
[[nodiscard]] constexpr std::string_view spelling_of(KernelKind kind) noexcept {
  return kernel_kinds[static_cast<std::size_t>(kind)].spelling;
}
}  // namespace kinetoscope::names
