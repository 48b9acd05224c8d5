#include "examples/generator/decode_calls.hpp"

#include <array>
#include <string>
#include <string_view>

namespace kinetoscope::examples {
namespace {

constexpr std::int64_t head_size = 64;
constexpr std::int64_t query_heads = 32;
constexpr std::int64_t key_heads = 4;
constexpr std::int64_t qkv_width = (query_heads + 2 * key_heads) * head_size;
constexpr std::int64_t gated_width = 5632;
constexpr std::int64_t longest_context = 2048;

/// X(tokens, inputs) W^T, the weight being (outputs, inputs) in memory.
Arguments product(std::int64_t tokens, std::int64_t inputs, std::int64_t outputs) {
  Arguments arguments;
  arguments.tensor(bfloat16, {tokens, inputs}).tensor(bfloat16, {inputs, outputs}, {1, inputs});
  return arguments;
}

Arguments qkv_product(std::int64_t tokens) { return product(tokens, decode_width, qkv_width); }
Arguments attention_output_product(std::int64_t tokens) { return product(tokens, decode_width, decode_width); }
Arguments gate_up_product(std::int64_t tokens) { return product(tokens, decode_width, 2 * gated_width); }
Arguments down_product(std::int64_t tokens) { return product(tokens, gated_width, decode_width); }

/// Input, residual, weight, epsilon.
Arguments add_and_norm(std::int64_t tokens) {
  Arguments arguments;
  arguments.tensor(bfloat16, {tokens, decode_width}).tensor(bfloat16, {tokens, decode_width});
  arguments.tensor(bfloat16, {decode_width}).scalar("1.0000000000000001e-05");
  return arguments;
}

/// Positions, queries and keys as they stand in the product's rows, the size of a head, cosines and sines, is_neox.
Arguments rotation(std::int64_t tokens) {
  Arguments arguments;
  arguments.tensor(int64, {tokens});
  arguments.tensor(bfloat16, {tokens, query_heads * head_size}, {qkv_width, 1});
  arguments.tensor(bfloat16, {tokens, key_heads * head_size}, {qkv_width, 1});
  arguments.scalar("64").tensor(bfloat16, {longest_context, head_size}).scalar("True");
  return arguments;
}

/// Query, key, value, output; the layer's name and two scales of quantized outputs are not written.
Arguments cached_attention(std::int64_t tokens) {
  Arguments arguments;
  arguments.tensor(bfloat16, {tokens, query_heads, head_size}, {qkv_width, head_size, 1});
  for (int i = 0; i < 2; ++i) {
    arguments.tensor(bfloat16, {tokens, key_heads, head_size}, {qkv_width, head_size, 1});
  }
  arguments.tensor(bfloat16, {tokens, query_heads, head_size}).none().none().none();
  return arguments;
}

/// Output, and input of both halves.
Arguments gate(std::int64_t tokens) {
  Arguments arguments;
  arguments.tensor(bfloat16, {tokens, gated_width}).tensor(bfloat16, {tokens, 2 * gated_width});
  return arguments;
}

/// Input and the group's name.
Arguments reduced(std::int64_t tokens) {
  Arguments arguments;
  arguments.tensor(bfloat16, {tokens, decode_width}).none();
  return arguments;
}

struct EagerCall {
  std::string_view module_end;
  std::string_view name;
  Arguments (*arguments)(std::int64_t tokens);
  std::int64_t token_ns = 0;
};

constexpr EagerCall all_reduce_call = {"", "vllm::all_reduce", reduced, 20};
constexpr std::array eager_calls = {
    EagerCall{"input_layernorm", "_C::fused_add_rms_norm", add_and_norm, 6},
    EagerCall{"qkv_proj", "aten::mm", qkv_product, 27},
    EagerCall{"rotary_emb", "_C::rotary_embedding", rotation, 4},
    EagerCall{".attn", "vllm::unified_attention_with_output", cached_attention, 37},
    EagerCall{"o_proj", "aten::mm", attention_output_product, 22},
    EagerCall{"gate_up_proj", "aten::mm", gate_up_product, 116},
    EagerCall{"act_fn", "_C::silu_and_mul", gate, 12},
    EagerCall{"down_proj", "aten::mm", down_product, 59},
};

const EagerCall& eager_call(const Kernel& kernel) {
  if (kernel.work == Work::communication) return all_reduce_call;
  const EagerCall* found = &eager_calls.back();
  for (const EagerCall& call : eager_calls) {
    if (kernel.module_fqn.ends_with(call.module_end)) found = &call;
  }
  return *found;
}
}  // namespace

Op eager_operator(const Kernel& kernel, std::int64_t tokens) {
  const EagerCall& call = eager_call(kernel);
  return {.name = std::string(call.name), .arguments = call.arguments(tokens)};
}

std::int64_t eager_duration_ns(const Kernel& kernel, std::int64_t tokens) {
  return kernel.duration_ns + tokens * eager_call(kernel).token_ns;
}
}  // namespace kinetoscope::examples
