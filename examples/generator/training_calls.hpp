#pragma once

// What a small transformer calls in a training step: each operator with the arguments that PyTorch records for it, the
// kernel that it runs, and what the backward pass answers. All tensors are bfloat16.
//
// Durations are what an H100 SXM needs, so that a roofline of the trace says something: products of matrices run at 60
// to 82 % of the 795 TFLOP/s that have been measured, attention at 25 to 37 % (heads of 64 elements, as
// FlashAttention 2 has them there), and kernels that only move memory at 60 to 75 % of 3350 GB/s.

#include <cstdint>
#include <string>
#include <vector>

#include "examples/generator/arguments.hpp"
#include "examples/generator/dialect.hpp"
#include "examples/generator/timeline.hpp"

namespace kinetoscope::examples {

inline constexpr std::int64_t training_batch = 8;
inline constexpr std::int64_t training_tokens = 512;
inline constexpr std::int64_t training_width = 1024;
inline constexpr std::int64_t training_heads = 16;
inline constexpr std::int64_t training_rows = training_batch * training_tokens;
/// Four weights without bias, of 3, 1, 4 and 4 squares of the width, and two norms with weight and bias.
inline constexpr std::int64_t parameters_of_layer = 12 * training_width * training_width + 4 * training_width;

/// An operator that runs one kernel.
struct TrainingCall {
  std::string name{};
  Arguments arguments{};
  Kernel kernel{};
};

/// A forward operator, and the autograd node that answers it.
struct DifferentiableCall {
  TrainingCall forward{};
  std::string node{};
  Arguments gradient{};  ///< of the forward operator's result, which is what the node is called with
  std::vector<TrainingCall> backward{};
};

/// Y = X W^T of X(rows, inputs) and W(outputs, inputs). The three products have as many FLOPs, and other layouts.
struct LinearTimes {
  std::int64_t forward_ns = 0;
  std::int64_t weight_gradient_ns = 0;  ///< dW = dY^T X
  std::int64_t input_gradient_ns = 0;   ///< dX = dY W
};

[[nodiscard]] DifferentiableCall product_call(const Dialect& dialect, std::int64_t inputs, std::int64_t outputs,
                                              const LinearTimes& times);
[[nodiscard]] DifferentiableCall layer_norm_call();
[[nodiscard]] DifferentiableCall gelu_call();
[[nodiscard]] DifferentiableCall attention_call(const Dialect& dialect);
[[nodiscard]] DifferentiableCall loss_call();

/// Of operators that call others.
[[nodiscard]] Arguments linear_arguments(std::int64_t inputs, std::int64_t outputs);
[[nodiscard]] Arguments attention_arguments();
/// aten::to, aten::_to_copy and aten::copy_ of the batch's token ids to the device.
[[nodiscard]] Arguments to_device_arguments();
[[nodiscard]] Arguments to_copy_arguments();
[[nodiscard]] Arguments copy_arguments();
/// One call for the parameters of all layers.
[[nodiscard]] Arguments optimizer_arguments(std::int64_t layers);
}  // namespace kinetoscope::examples
