// The decode loop of a serving engine: prefill and decode steps, launched one by one or replayed as graphs.

#include <fmt/format.h>

#include "examples/generator/decode_calls.hpp"
#include "examples/generator/dialect.hpp"
#include "examples/generator/scenarios.hpp"

namespace kinetoscope::examples {
namespace {

enum class Phase : std::uint8_t { prefill, mixed, decode };

/// One step of the loop: what it serves and how it is announced.
struct Batch {
  Phase phase = Phase::decode;
  std::int64_t context_requests = 0;
  std::int64_t context_tokens = 0;
  std::int64_t generation_requests = 0;
};

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::prefill: return "prefill_only";
    case Phase::mixed: return "prefilldecode";
    case Phase::decode: return "decode_only";
  }
  return "";
}

std::string annotation_of(const Batch& batch, Framework framework) {
  if (framework == Framework::vllm) {
    return fmt::format("execute_context_{}({})_generation_{}({})", batch.context_requests, batch.context_tokens,
                       batch.generation_requests, batch.generation_requests);
  }
  const std::int64_t requests = batch.context_requests + batch.generation_requests;
  switch (batch.phase) {
    case Phase::prefill: return fmt::format("step[EXTEND bs={} toks={}]", requests, batch.context_tokens);
    case Phase::mixed:
      return fmt::format("step[MIXED bs={} toks={}]", requests, batch.context_tokens + batch.generation_requests);
    case Phase::decode: return fmt::format("step[DECODE bs={}]", requests);
  }
  return "";
}

class DecodeRun {
 public:
  DecodeRun(Timeline& timeline, const DecodeLoop& loop)
      : timeline_(timeline), loop_(loop), options_(timeline.options()) {}

  void run() {
    for (std::int64_t step = 0; step < options_.steps; ++step) {
      const Batch batch = batch_of(step);
      timeline_.step(annotation_of(batch, options_.framework), phase_name(batch.phase), [&] {
        const bool is_vllm = options_.framework == Framework::vllm;
        timeline_.frame(is_vllm ? "vllm/v1/worker/gpu_model_runner.py(3120): execute_model"
                                : "sglang/srt/managers/scheduler.py(2919): run_batch",
                        [&] { run_step(batch); });
      });
    }
  }

 private:
  [[nodiscard]] Batch batch_of(std::int64_t step) const {
    if (loop_.has_prefill && step == 0)
      return {Phase::prefill, loop_.requests, loop_.requests * loop_.prompt_tokens, 0};
    if (loop_.has_prefill && step == 2) return {Phase::mixed, 1, loop_.prompt_tokens, loop_.requests - 1};
    return {Phase::decode, 0, 0, loop_.requests};
  }

  void run_step(const Batch& batch) {
    const std::int64_t batch_tokens = batch.context_tokens + batch.generation_requests;
    timeline_.op(copy_operator(int32, batch_tokens),
                 [&] { timeline_.copy({.direction = "HtoD", .bytes = 4 * batch_tokens, .duration_ns = 1'408}); });
    Arguments lookup;
    lookup.tensor(bfloat16, {decode_vocabulary, decode_width}).scalar("0").tensor(int32, {batch_tokens});
    timeline_.op({.name = "aten::index_select", .arguments = lookup},
                 [&] { timeline_.launch({.name = std::string(gather_kernel), .duration_ns = 3'072}); });
    if (batch.phase == Phase::decode) {
      timeline_.graph_launch(5, decode_kernels(options_), is_recorded(graph_launches_++));
    } else {
      eager_model(batch_tokens);
    }
    Arguments largest;
    largest.tensor(float32, {loop_.requests, decode_vocabulary}).scalar("-1").scalar("False");
    timeline_.op({.name = "aten::argmax", .arguments = largest},
                 [&] { timeline_.launch({.name = std::string(argmax_kernel), .duration_ns = 6'784}); });
    timeline_.op(copy_operator(int64, loop_.requests),
                 [&] { timeline_.copy({.direction = "DtoH", .bytes = 8 * loop_.requests, .duration_ns = 1'664}); });
    timeline_.synchronize();
  }

  static Op copy_operator(std::string_view type, std::int64_t elements) {
    Arguments arguments;
    arguments.tensor(type, {elements}).tensor(type, {elements}).scalar("True");
    return {.name = "aten::copy_", .arguments = arguments};
  }

  /// Of `graph_launches` all told, `graph_launches_recorded` have kernels, as evenly as integers allow.
  [[nodiscard]] bool is_recorded(std::int64_t graph_launch) const {
    if (!loop_.graph_launches_recorded) return true;
    const std::int64_t all = options_.steps - (loop_.has_prefill ? 2 : 0);
    const std::int64_t recorded = *loop_.graph_launches_recorded;
    return (graph_launch + 1) * recorded / all > graph_launch * recorded / all;
  }

  /// The same kernels as in the graph, each launched by its operator, longer by the number of tokens.
  void eager_model(std::int64_t batch_tokens) {
    for (Kernel kernel : decode_kernels(options_)) {
      kernel.duration_ns = eager_duration_ns(kernel, batch_tokens);
      kernel.lane = 0;
      kernel.starts_early_ns = 0;
      timeline_.op(eager_operator(kernel, batch_tokens), [&] { timeline_.launch(kernel); });
    }
  }

  Timeline& timeline_;
  const DecodeLoop& loop_;
  const TraceOptions& options_;
  std::int64_t graph_launches_ = 0;
};
}  // namespace

std::vector<Kernel> decode_kernels(const TraceOptions& options) {
  const Dialect& dialect = dialect_of(options.flavour);
  const std::string gemm(dialect.small_gemm_kernel);
  std::vector<Kernel> kernels;
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    const auto module = [&](std::string_view name) { return fmt::format("model.layers.{}.{}", layer, name); };
    kernels.push_back(
        {.name = std::string(rms_norm_kernel), .duration_ns = 2'880, .module_fqn = module("input_layernorm")});
    kernels.push_back({.name = gemm, .duration_ns = 8'320, .module_fqn = module("self_attn.qkv_proj")});
    kernels.push_back(
        {.name = std::string(rotary_kernel), .duration_ns = 2'176, .module_fqn = module("self_attn.rotary_emb")});
    kernels.push_back({.name = std::string(dialect.decode_attention_kernel),
                       .duration_ns = 11'648,
                       .module_fqn = module("self_attn.attn")});
    kernels.push_back({.name = gemm, .duration_ns = 6'144, .module_fqn = module("self_attn.o_proj")});
    if (options.collectives) {
      kernels.push_back({.name = std::string(dialect.all_reduce_kernel),
                         .duration_ns = 13'312,
                         .work = Work::communication,
                         .module_fqn = module("self_attn.o_proj")});
    }
    kernels.push_back({.name = gemm, .duration_ns = 14'208, .module_fqn = module("mlp.gate_up_proj")});
    kernels.push_back({.name = std::string(silu_kernel), .duration_ns = 2'432, .module_fqn = module("mlp.act_fn")});
    kernels.push_back({.name = gemm, .duration_ns = 9'984, .module_fqn = module("mlp.down_proj")});
  }
  // Two lanes in turn, as if two branches ran side by side; the hardware stream is one.
  if (options.features.lanes != Lanes::none) {
    for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].lane = 101 + static_cast<std::int64_t>(i % 2);
  }
  return kernels;
}

Generated decode_trace(const TraceOptions& options, const DecodeLoop& loop) {
  std::vector<Recording> recordings;
  for (std::int64_t rank = 0; rank < options.ranks; ++rank) {
    Timeline timeline(options, rank);
    DecodeRun(timeline, loop).run();
    recordings.push_back(std::move(timeline).finish());
  }
  return generated_trace(options, std::move(recordings));
}

Generated capture_trace(const TraceOptions& options) {
  Timeline timeline(options, 0);
  const Dialect& dialect = dialect_of(options.flavour);
  timeline.annotation("capture_32_FULL", [&] {
    timeline.frame("vllm/v1/worker/gpu_model_runner.py(4410): _dummy_run", [&] {
      timeline.runtime_call(dialect.begin_capture, 2'470);
      for (const Kernel& kernel : decode_kernels(options)) {
        timeline.op(eager_operator(kernel, 32), [&] { timeline.capture_launch(kernel); });
      }
      timeline.runtime_call(dialect.end_capture, 6'460);
      timeline.runtime_call(dialect.instantiate, 817'066);
    });
  });
  std::vector<Recording> recordings;
  recordings.push_back(std::move(timeline).finish());
  return generated_trace(options, std::move(recordings));
}
}  // namespace kinetoscope::examples
