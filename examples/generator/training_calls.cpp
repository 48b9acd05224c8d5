#include "examples/generator/training_calls.hpp"

#include <string_view>
#include <utility>

namespace kinetoscope::examples {
namespace {

const Sizes hidden_state = {training_batch, training_tokens, training_width};
const Sizes wide_state = {training_batch, training_tokens, 4 * training_width};
const Sizes per_head = {training_batch, training_heads, training_tokens, training_width / training_heads};
/// Queries, keys and values are thirds of one product's rows; what attention returns has rows of its own.
const Sizes strides_in_qkv = {training_tokens * 3 * training_width, training_width / training_heads, 3 * training_width,
                              1};
const Sizes strides_in_rows = {training_tokens * training_width, training_width / training_heads, training_width, 1};

constexpr std::string_view scale = "0.125";  // 1 / sqrt(64)

Kernel kernel_of(std::string_view name, std::int64_t duration_ns) {
  return {.name = std::string(name), .duration_ns = duration_ns};
}

Arguments one_gradient(const Sizes& sizes) { return std::move(Arguments().tensor(bfloat16, sizes)); }

/// Query, key and value.
Arguments& add_qkv(Arguments& arguments) {
  for (int i = 0; i < 3; ++i) arguments.tensor(bfloat16, per_head, strides_in_qkv);
  return arguments;
}

/// A matrix, and the same memory read as its transpose.
Arguments& add_matrix(Arguments& arguments, std::int64_t m, std::int64_t n) {
  return arguments.tensor(bfloat16, {m, n});
}
Arguments& add_transpose(Arguments& arguments, std::int64_t m, std::int64_t n) {
  return arguments.tensor(bfloat16, {n, m}, {1, n});
}
}  // namespace

// Autograd computes the second operand's gradient first. The weight came in transposed, so its gradient is computed as
// that of the transpose, dY^T X, which lies in memory as the weight does.
DifferentiableCall product_call(const Dialect& dialect, std::int64_t inputs, std::int64_t outputs,
                                const LinearTimes& times) {
  Arguments forward;
  add_transpose(add_matrix(forward, training_rows, inputs), outputs, inputs);
  Arguments weight_gradient;
  add_matrix(add_transpose(weight_gradient, training_rows, outputs), training_rows, inputs);
  Arguments input_gradient;
  add_matrix(add_matrix(input_gradient, training_rows, outputs), outputs, inputs);
  return {
      .forward = {"aten::mm", std::move(forward), kernel_of(dialect.gemm_kernel, times.forward_ns)},
      .node = "MmBackward0",
      .gradient = one_gradient({training_rows, outputs}),
      .backward = {
          {"aten::mm", std::move(weight_gradient), kernel_of(dialect.weight_gradient_kernel, times.weight_gradient_ns)},
          {"aten::mm", std::move(input_gradient), kernel_of(dialect.input_gradient_kernel, times.input_gradient_ns)}}};
}

DifferentiableCall layer_norm_call() {
  const Sizes statistics = {training_batch, training_tokens, 1};
  Arguments forward;
  forward.tensor(bfloat16, hidden_state)
      .scalars("[1024]")
      .tensor(bfloat16, {training_width})
      .tensor(bfloat16, {training_width});
  forward.scalar("1.0000000000000001e-05");
  Arguments backward;
  backward.tensor(bfloat16, hidden_state).tensor(bfloat16, hidden_state).scalars("[1024]");
  backward.tensor(float32, statistics).tensor(float32, statistics);
  backward.tensor(bfloat16, {training_width}).tensor(bfloat16, {training_width}).scalars("[True, True, True]");
  return {.forward = {"aten::native_layer_norm", std::move(forward), kernel_of(layer_norm_kernel, 7'168)},
          .node = "NativeLayerNormBackward0",
          .gradient = one_gradient(hidden_state),
          .backward = {{"aten::native_layer_norm_backward", std::move(backward),
                        kernel_of(layer_norm_backward_kernel, 12'032)}}};
}

DifferentiableCall gelu_call() {
  Arguments forward;
  forward.tensor(bfloat16, wide_state).none();  // the approximation is a text
  Arguments backward;
  backward.tensor(bfloat16, wide_state).tensor(bfloat16, wide_state).none();
  return {.forward = {"aten::gelu", std::move(forward), kernel_of(gelu_kernel, 26'912)},
          .node = "GeluBackward0",
          .gradient = one_gradient(wide_state),
          .backward = {{"aten::gelu_backward", std::move(backward), kernel_of(gelu_backward_kernel, 40'448)}}};
}

DifferentiableCall attention_call(const Dialect& dialect) {
  Arguments forward;
  add_qkv(forward).scalar("0.").scalar("False").scalar("False").scalar(scale);
  Arguments gradient;
  gradient.tensor(bfloat16, per_head, strides_in_rows);
  Arguments backward = gradient;
  add_qkv(backward)
      .tensor(bfloat16, per_head, strides_in_rows)
      .tensor(float32, {training_batch, training_heads, training_tokens});
  backward.none().none().scalar("512").scalar("512");  // starts of sequences, which only ragged batches have
  backward.scalar("0.").scalar("False").tensor(int64, {}).tensor(int64, {}).scalar(scale);
  return {.forward = {"aten::_scaled_dot_product_flash_attention", std::move(forward),
                      kernel_of(dialect.attention_kernel, 29'536)},
          .node = "ScaledDotProductFlashAttentionBackward0",
          .gradient = std::move(gradient),
          .backward = {{"aten::_scaled_dot_product_flash_attention_backward", std::move(backward),
                        kernel_of(dialect.attention_backward_kernel, 108'832)}}};
}

DifferentiableCall loss_call() {
  constexpr std::string_view mean = "1";  // at::Reduction::Mean
  Arguments forward;
  forward.tensor(bfloat16, hidden_state).tensor(bfloat16, hidden_state).scalar(mean);
  Arguments backward;
  backward.tensor(bfloat16, {}).tensor(bfloat16, hidden_state).tensor(bfloat16, hidden_state).scalar(mean);
  return {.forward = {"aten::mse_loss", std::move(forward), kernel_of(reduce_kernel, 7'712)},
          .node = "MseLossBackward0",
          .gradient = one_gradient({}),
          .backward = {{"aten::mse_loss_backward", std::move(backward), kernel_of(loss_backward_kernel, 11'136)}}};
}

Arguments linear_arguments(std::int64_t inputs, std::int64_t outputs) {
  Arguments arguments;
  arguments.tensor(bfloat16, {training_batch, training_tokens, inputs}).tensor(bfloat16, {outputs, inputs}).none();
  return arguments;
}

Arguments attention_arguments() {
  Arguments arguments;
  add_qkv(arguments).none().scalar("0.").scalar("False").none().scalar("False");
  return arguments;
}

// Element types and layouts are written as their numbers: 4 is int64, 0 is strided. Devices are not written.
Arguments to_device_arguments() {
  Arguments arguments;
  arguments.tensor(int64, {training_batch, training_tokens}).scalar("4").scalar("0").none().none();
  arguments.scalar("False").scalar("False").none();
  return arguments;
}

Arguments to_copy_arguments() {
  Arguments arguments;
  arguments.tensor(int64, {training_batch, training_tokens})
      .scalar("4")
      .scalar("0")
      .none()
      .none()
      .scalar("False")
      .none();
  return arguments;
}

Arguments copy_arguments() {
  Arguments arguments;
  arguments.tensor(int64, {training_batch, training_tokens})
      .tensor(int64, {training_batch, training_tokens})
      .scalar("False");
  return arguments;
}

Arguments optimizer_arguments(std::int64_t layers) {
  const std::vector<Sizes> of_layer = {
      {training_width}, {training_width}, {3 * training_width, training_width}, {training_width, training_width},
      {training_width}, {training_width}, {4 * training_width, training_width}, {training_width, 4 * training_width}};
  std::vector<Sizes> parameters;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    parameters.insert(parameters.end(), of_layer.begin(), of_layer.end());
  }
  const std::vector<Sizes> steps(parameters.size());
  Arguments arguments;
  // Parameters, gradients, both moments, largest second moments (not kept), and the count of steps of each.
  arguments.tensors(parameters).tensors(parameters).tensors(parameters).tensors(parameters).tensors({}).tensors(steps);
  // Learning rate, both decays, weight decay, epsilon; neither amsgrad nor maximize; no scaler of gradients.
  arguments.scalar("0.0001").scalar("0.90000000000000002").scalar("0.999").scalar("0.01").scalar("1e-08");
  arguments.scalar("False").scalar("False").none().none();
  return arguments;
}
}  // namespace kinetoscope::examples
