#pragma once

// What else a kernel's name says: the functions that a fused kernel unites, and properties such as number formats.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

/// All that a kernel does, where its kind names only the main thing.
enum class Function : std::uint8_t {
  matrix_product,
  convolution,
  attention,
  moe,
  normalisation,
  softmax,
  activation,
  quantisation,
  rotary,
  kv_store,
  embedding,
  copy,
  reduction,
  elementwise,
};
inline constexpr std::array functions = {
    Spelled{Function::matrix_product, "matrix_product"},
    Spelled{Function::convolution, "convolution"},
    Spelled{Function::attention, "attention"},
    Spelled{Function::moe, "moe"},
    Spelled{Function::normalisation, "normalisation"},
    Spelled{Function::softmax, "softmax"},
    Spelled{Function::activation, "activation"},
    Spelled{Function::quantisation, "quantisation"},
    Spelled{Function::rotary, "rotary"},
    Spelled{Function::kv_store, "kv_store"},
    Spelled{Function::embedding, "embedding"},
    Spelled{Function::copy, "copy"},
    Spelled{Function::reduction, "reduction"},
    Spelled{Function::elementwise, "elementwise"},
};
static_assert(follows_enum(functions, Function::elementwise));
[[nodiscard]] constexpr std::string_view spelling_of(Function function) noexcept {
  return functions[static_cast<std::size_t>(function)].spelling;
}

enum class Tag : std::uint8_t {
  forward,
  backward,
  fused,
  bf16,
  fp16,
  fp32,
  tf32,
  fp8,
  fp4,
  int8,
  int4,
  split_k,
  stream_k,
  persistent,
  bias,
  paged,
  prefill,
  decode,
  causal,
  varlen,
  mla,                   ///< multi-head latent attention
  pointwise,             ///< TorchInductor: one element in, one out
  looped_reduction,      ///< TorchInductor: a row does not fit into one block
  persistent_reduction,  ///< TorchInductor: a row is held at once
  auxiliary,             ///< adds up or merges the parts of another kernel
  communication_inside,  ///< a matrix product that holds a collective
};
inline constexpr std::array tags = {
    Spelled{Tag::forward, "forward"},
    Spelled{Tag::backward, "backward"},
    Spelled{Tag::fused, "fused"},
    Spelled{Tag::bf16, "bf16"},
    Spelled{Tag::fp16, "fp16"},
    Spelled{Tag::fp32, "fp32"},
    Spelled{Tag::tf32, "tf32"},
    Spelled{Tag::fp8, "fp8"},
    Spelled{Tag::fp4, "fp4"},
    Spelled{Tag::int8, "int8"},
    Spelled{Tag::int4, "int4"},
    Spelled{Tag::split_k, "split_k"},
    Spelled{Tag::stream_k, "stream_k"},
    Spelled{Tag::persistent, "persistent"},
    Spelled{Tag::bias, "bias"},
    Spelled{Tag::paged, "paged"},
    Spelled{Tag::prefill, "prefill"},
    Spelled{Tag::decode, "decode"},
    Spelled{Tag::causal, "causal"},
    Spelled{Tag::varlen, "varlen"},
    Spelled{Tag::mla, "mla"},
    Spelled{Tag::pointwise, "pointwise"},
    Spelled{Tag::looped_reduction, "looped_reduction"},
    Spelled{Tag::persistent_reduction, "persistent_reduction"},
    Spelled{Tag::auxiliary, "auxiliary"},
    Spelled{Tag::communication_inside, "communication_inside"},
};
static_assert(follows_enum(tags, Tag::communication_inside));
[[nodiscard]] constexpr std::string_view spelling_of(Tag tag) noexcept {
  return tags[static_cast<std::size_t>(tag)].spelling;
}
}  // namespace kinetoscope::names
