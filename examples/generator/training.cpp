// A transformer training step: forward, backward on a thread of its own, optimiser, and collectives between ranks.

#include <fmt/format.h>

#include "examples/generator/dialect.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/scenarios.hpp"
#include "examples/generator/training_calls.hpp"

namespace kinetoscope::examples {
namespace {

constexpr std::int64_t first_step = 3;  // a schedule with wait and warm-up has steps before the first recorded one

/// What the backward pass will answer.
struct Recorded {
  DifferentiableCall call{};
  std::int64_t sequence_number = 0;
  std::int64_t start_ns = 0;
  std::int64_t layer = 0;
};

class TrainingStep {
 public:
  TrainingStep(Timeline& timeline, std::int64_t first_sequence_number)
      : timeline_(timeline),
        dialect_(dialect_of(timeline.options().flavour)),
        sequence_number_(first_sequence_number) {}

  /// Returns the next sequence number.
  std::int64_t run(std::int64_t step) {
    timeline_.step(fmt::format("ProfilerStep#{}", step), "", [&] {
      timeline_.frame("train.py(88): train_step", [&] {
        load_batch();
        forward();
        backward();
        optimize();
      });
      timeline_.synchronize();
    });
    return sequence_number_;
  }

 private:
  void load_batch() {
    timeline_.op({.name = "aten::to", .arguments = to_device_arguments()}, [&] {
      timeline_.op({.name = "aten::_to_copy", .arguments = to_copy_arguments()}, [&] {
        timeline_.memory_event(training_rows * 8);
        timeline_.op({.name = "aten::copy_", .arguments = copy_arguments()},
                     [&] { timeline_.copy({.direction = "HtoD", .bytes = training_rows * 8, .duration_ns = 5'120}); });
      });
    });
  }

  void forward() {
    timeline_.frame("nn.Module: Transformer_0", [&] {
      for (std::int64_t layer = 0; layer < timeline_.options().layers; ++layer) {
        timeline_.frame(fmt::format("nn.Module: TransformerLayer_{}", layer), [&] { forward_layer(layer); });
      }
      timeline_.frame("nn.Module: MSELoss_0", [&] { differentiable(loss_call(), timeline_.options().layers - 1); });
    });
  }

  void forward_layer(std::int64_t layer) {
    const auto norm = [&] { differentiable(layer_norm_call(), layer); };
    timeline_.frame(fmt::format("nn.Module: LayerNorm_{}", 2 * layer), norm);
    linear(layer, 4 * layer, training_width, 3 * training_width, {41'984, 46'176, 43'232});
    timeline_.frame(fmt::format("nn.Module: Attention_{}", layer), [&] {
      timeline_.op({.name = "aten::scaled_dot_product_attention", .arguments = attention_arguments()},
                   [&] { differentiable(attention_call(dialect_), layer); });
    });
    linear(layer, 4 * layer + 1, training_width, training_width, {16'640, 17'504, 16'928});
    timeline_.frame(fmt::format("nn.Module: LayerNorm_{}", 2 * layer + 1), norm);
    linear(layer, 4 * layer + 2, training_width, 4 * training_width, {55'552, 58'464, 53'920});
    differentiable(gelu_call(), layer);
    linear(layer, 4 * layer + 3, 4 * training_width, training_width, {53'248, 59'776, 56'288});
  }

  void linear(std::int64_t layer, std::int64_t module, std::int64_t inputs, std::int64_t outputs,
              const LinearTimes& times) {
    timeline_.frame(fmt::format("nn.Module: Linear_{}", module), [&] {
      timeline_.op({.name = "aten::linear", .arguments = linear_arguments(inputs, outputs)},
                   [&] { differentiable(product_call(dialect_, inputs, outputs, times), layer); });
    });
  }

  void differentiable(const DifferentiableCall& call, std::int64_t layer) {
    recorded_.push_back(
        {.call = call, .sequence_number = sequence_number_, .start_ns = timeline_.now_ns(), .layer = layer});
    timeline_.op(
        {.name = call.forward.name, .arguments = call.forward.arguments, .sequence_number = sequence_number_++}, [&] {
          timeline_.memory_event(training_rows * training_width * 2);
          timeline_.launch(call.forward.kernel);
        });
  }

  void backward() {
    timeline_.on_thread(timeline_.backward_thread(), [&] {
      while (!recorded_.empty()) {
        const Recorded recorded = recorded_.back();
        recorded_.pop_back();
        backward_of(recorded);
        const bool is_last_of_layer = recorded_.empty() || recorded_.back().layer != recorded.layer;
        if (is_last_of_layer && timeline_.options().collectives) all_reduce();
      }
    });
  }

  void backward_of(const Recorded& recorded) {
    timeline_.forward_backward_arrow(recorded.start_ns);
    const DifferentiableCall& call = recorded.call;
    const Op node = {.name = call.node,
                     .arguments = call.gradient,
                     .sequence_number = recorded.sequence_number,
                     .forward_thread = 1};
    const Op evaluation = {.name = fmt::format("autograd::engine::evaluate_function: {}", call.node),
                           .sequence_number = recorded.sequence_number,
                           .forward_thread = 1};
    timeline_.op(evaluation, [&] {
      timeline_.op(node, [&] {
        for (const TrainingCall& inner : call.backward) {
          timeline_.op({.name = inner.name, .arguments = inner.arguments}, [&] { timeline_.launch(inner.kernel); });
        }
      });
    });
  }

  void all_reduce() {
    const Features& features = timeline_.options().features;
    const std::int64_t group_size = features.elided_lists ? 64 : 8;
    const auto text = [&](std::string_view value) {
      return json_string(features.stray_quotes ? fmt::format("\"{}\"", value) : std::string(value));
    };
    std::vector<std::int64_t> ranks;
    for (std::int64_t rank = 0; rank < group_size; ++rank) ranks.push_back(rank);
    Fields args;
    args.json("Collective name", text("allreduce")).json("dtype", text("BFloat16"));
    args.number("In msg nelems", parameters_of_layer).number("Out msg nelems", parameters_of_layer);
    args.number("Group size", group_size)
        .text("Process Group Name", "0")
        .text("Process Group Description", "default_pg");
    args.json("Process Group Ranks", text(elided_list_of(ranks)));
    args.json("Comms Id", features.stray_quotes ? json_string("\"13835058055282163713\"") : "13835058055282163713");
    args.number("Seq", next_collective_++);
    timeline_.op({.name = "record_param_comms"}, [&] {
      timeline_.launch({.name = std::string(dialect_.all_reduce_kernel),
                        .duration_ns = 187'392,
                        .work = Work::communication,
                        .stream = dialect_.communication_stream,
                        .extra = args});
    });
  }

  void optimize() {
    if (timeline_.options().collectives) timeline_.join_streams();
    timeline_.annotation("Optimizer.step#AdamW.step", [&] {
      const std::int64_t layers = timeline_.options().layers;
      timeline_.op({.name = "aten::_fused_adamw_", .arguments = optimizer_arguments(layers)}, [&] {
        // A layer's parameters, gradients and moments are read, all but the gradients written: 14 bytes a parameter.
        for (std::int64_t chunk = 0; chunk < layers; ++chunk) {
          timeline_.launch({.name = std::string(optimizer_kernel), .duration_ns = 72'576});
        }
      });
    });
  }

  Timeline& timeline_;
  const Dialect& dialect_;
  std::vector<Recorded> recorded_;
  std::int64_t sequence_number_;
  std::int64_t next_collective_ = 41;
};
}  // namespace

Generated training_trace(const TraceOptions& options) {
  std::vector<Recording> recordings;
  for (std::int64_t rank = 0; rank < options.ranks; ++rank) {
    Timeline timeline(options, rank);
    std::int64_t sequence_number = 1200;
    for (std::int64_t step = 0; step < options.steps; ++step) {
      sequence_number = TrainingStep(timeline, sequence_number).run(first_step + step);
    }
    recordings.push_back(std::move(timeline).finish());
  }
  return generated_trace(options, std::move(recordings));
}
}  // namespace kinetoscope::examples
