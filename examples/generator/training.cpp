// A transformer training step: forward, backward on a thread of its own, optimiser, and collectives between ranks.

#include <fmt/format.h>

#include "examples/generator/dialect.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/scenarios.hpp"

namespace kinetoscope::examples {
namespace {

constexpr std::int64_t batch = 8;
constexpr std::int64_t tokens = 512;
constexpr std::int64_t width = 1024;
constexpr std::int64_t rows = batch * tokens;
constexpr std::int64_t first_step = 3;  // a schedule with wait and warm-up has steps before the first recorded one

std::string two_matrices(std::int64_t m, std::int64_t k, std::int64_t n) {
  return fmt::format("[[{}, {}], [{}, {}]]", m, k, k, n);
}

/// A forward operator that the backward pass will answer.
struct Recorded {
  std::string backward_name{};
  std::int64_t sequence_number = 0;
  std::int64_t start_ns = 0;
  std::vector<Kernel> kernels{};  ///< of the backward operator
  std::string inner_op{};
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
    timeline_.op({.name = "aten::to"}, [&] {
      timeline_.op({.name = "aten::_to_copy"}, [&] {
        timeline_.memory_event(rows * 8);
        timeline_.op({.name = "aten::copy_",
                      .input_dims = fmt::format("[[{0}, {1}], [{0}, {1}], []]", batch, tokens),
                      .input_types = R"(["long int", "long int", "Scalar"])",
                      .concrete_inputs = R"(["", "", "False"])"},
                     [&] { timeline_.copy({.direction = "HtoD", .bytes = rows * 8, .duration_ns = 5'120}); });
      });
    });
  }

  void forward() {
    timeline_.frame("nn.Module: Transformer_0", [&] {
      for (std::int64_t layer = 0; layer < timeline_.options().layers; ++layer) {
        timeline_.frame(fmt::format("nn.Module: TransformerLayer_{}", layer), [&] { forward_layer(layer); });
      }
      timeline_.frame("nn.Module: MSELoss_0", [&] {
        const auto dims = fmt::format("[[{0}, {1}], [{0}, {1}]]", rows, width);
        differentiable("aten::mse_loss", dims, {std::string(reduce_kernel), 9'472}, "MseLossBackward0",
                       "aten::mse_loss_backward", {{std::string(add_kernel), 11'136}}, timeline_.options().layers - 1);
      });
    });
  }

  void forward_layer(std::int64_t layer) {
    const std::string norm_dims = fmt::format("[[{}, {}], [{}]]", rows, width, width);
    const auto norm = [&] {
      differentiable("aten::native_layer_norm", norm_dims, {std::string(layer_norm_kernel), 12'288},
                     "NativeLayerNormBackward0", "aten::native_layer_norm_backward",
                     {{std::string(layer_norm_backward_kernel), 24'832}}, layer);
    };
    timeline_.frame(fmt::format("nn.Module: LayerNorm_{}", 2 * layer), norm);
    linear(layer, 4 * layer, width, 3 * width, 41'984);
    timeline_.frame(fmt::format("nn.Module: Attention_{}", layer), [&] { attention(layer); });
    linear(layer, 4 * layer + 1, width, width, 16'640);
    timeline_.frame(fmt::format("nn.Module: LayerNorm_{}", 2 * layer + 1), norm);
    linear(layer, 4 * layer + 2, width, 4 * width, 55'552);
    differentiable("aten::gelu", fmt::format("[[{}, {}]]", rows, 4 * width), {std::string(gelu_kernel), 20'992},
                   "GeluBackward0", "aten::gelu_backward", {{std::string(gelu_kernel), 31'232}}, layer);
    linear(layer, 4 * layer + 3, 4 * width, width, 53'248);
  }

  void attention(std::int64_t layer) {
    const auto dims = fmt::format("[[{0}, 16, {1}, 64], [{0}, 16, {1}, 64], [{0}, 16, {1}, 64]]", batch, tokens);
    timeline_.op({.name = "aten::scaled_dot_product_attention"}, [&] {
      differentiable("aten::_scaled_dot_product_flash_attention", dims,
                     {std::string(dialect_.attention_kernel), 63'872}, "ScaledDotProductFlashAttentionBackward0",
                     "aten::_scaled_dot_product_flash_attention_backward",
                     {{std::string(dialect_.attention_backward_kernel), 158'976}}, layer);
    });
  }

  void linear(std::int64_t layer, std::int64_t module, std::int64_t inputs, std::int64_t outputs,
              std::int64_t duration_ns) {
    const Kernel gemm{.name = std::string(dialect_.gemm_kernel), .duration_ns = duration_ns};
    timeline_.frame(fmt::format("nn.Module: Linear_{}", module), [&] {
      timeline_.op({.name = "aten::linear"}, [&] {
        differentiable("aten::mm", two_matrices(rows, inputs, outputs), gemm, "MmBackward0", "aten::mm", {gemm, gemm},
                       layer);
      });
    });
  }

  void differentiable(std::string_view name, const std::string& dims, const Kernel& kernel,
                      std::string_view backward_name, std::string_view inner_op, std::vector<Kernel> backward_kernels,
                      std::int64_t layer) {
    recorded_.push_back({.backward_name = std::string(backward_name),
                         .sequence_number = sequence_number_,
                         .start_ns = timeline_.now_ns(),
                         .kernels = std::move(backward_kernels),
                         .inner_op = std::string(inner_op),
                         .layer = layer});
    std::string types;
    for (std::int64_t i = 1; i < std::ssize(split_dims(dims)); ++i) types += ", \"c10::BFloat16\"";
    timeline_.op({.name = std::string(name),
                  .input_dims = dims,
                  .input_types = "[\"c10::BFloat16\"" + types + "]",
                  .sequence_number = sequence_number_++},
                 [&] {
                   timeline_.memory_event(rows * width * 2);
                   timeline_.launch(kernel);
                 });
  }

  /// The outer brackets' elements, of which only the number matters: one type each.
  static std::vector<std::size_t> split_dims(const std::string& dims) {
    std::vector<std::size_t> places;
    for (std::size_t i = 1; i < dims.size(); ++i) {
      if (dims[i] == '[') places.push_back(i);
    }
    return places;
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
    const auto name = fmt::format("autograd::engine::evaluate_function: {}", recorded.backward_name);
    timeline_.op({.name = name, .sequence_number = recorded.sequence_number, .forward_thread = 1}, [&] {
      timeline_.op({.name = recorded.backward_name, .sequence_number = recorded.sequence_number, .forward_thread = 1},
                   [&] {
                     for (const Kernel& kernel : recorded.kernels) {
                       timeline_.op({.name = recorded.inner_op,
                                     .input_dims = two_matrices(width, rows, width),
                                     .input_types = R"(["c10::BFloat16", "c10::BFloat16"])"},
                                    [&] { timeline_.launch(kernel); });
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
    args.number("In msg nelems", 12 * width * width).number("Out msg nelems", 12 * width * width);
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
      timeline_.op({.name = "aten::_fused_adamw_"}, [&] {
        for (std::int64_t chunk = 0; chunk < timeline_.options().layers; ++chunk) {
          timeline_.launch({.name = std::string(optimizer_kernel), .duration_ns = 88'320});
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
