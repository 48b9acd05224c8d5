#include "examples/generator/stories.hpp"

#include <fmt/format.h>

namespace kinetoscope::examples {
namespace {

TraceOptions full_recording() {
  TraceOptions options;
  options.stacks = options.modules = options.memory_events = true;
  return options;
}
}  // namespace

Generated under_recorded_graphs() {
  TraceOptions options;
  options.flavour = Flavour::hip;
  options.steps = 40;
  return decode_trace(options, {.graph_launches_recorded = 29, .has_prefill = false});
}

Generated dominated_window() {
  TraceOptions options;
  options.flavour = Flavour::hip;
  Timeline timeline(options, 0);
  for (std::int64_t step = 0; step < 32; ++step) {
    timeline.step(fmt::format("execute_context_0(0)_generation_4(4)"), "decode_only", [&] {
      timeline.wait(180'000);
      if (step == 9) timeline.launch({.name = "fused_moe_kernel", .duration_ns = 1'750'000'000});
      if (step == 10) timeline.launch({.name = "fused_moe_kernel", .duration_ns = 41'216});
    });
  }
  std::vector<Recording> recordings;
  recordings.push_back(std::move(timeline).finish());
  return generated_trace(options, std::move(recordings));
}

Generated moved_lanes() {
  TraceOptions options;
  options.features.inline_annotations = true;
  options.features.node_ids = NodeIds::packed;
  options.features.lanes = Lanes::moved;
  options.features.kernel_dependencies = true;
  Timeline timeline(options, 0);
  std::vector<Kernel> kernels = decode_kernels(options);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    kernels[i].starts_early_ns = i == 0 ? 0 : 704 + 1'500;  // the usual gap, and 1.5 us more
  }
  for (std::int64_t step = 0; step < 4; ++step) {
    timeline.step("execute_context_0(0)_generation_4(4)", "decode_only", [&] {
      timeline.graph_launch(5, kernels);
      timeline.synchronize();
    });
  }
  std::vector<Recording> recordings;
  recordings.push_back(std::move(timeline).finish());
  return generated_trace(options, std::move(recordings));
}

Generated healthy_training() { return training_trace(full_recording()); }

Generated training_without_stacks() {
  TraceOptions options = full_recording();
  options.stacks = options.modules = false;
  return training_trace(options);
}

Generated training_without_shapes() {
  TraceOptions options = full_recording();
  options.shapes = false;
  return training_trace(options);
}
}  // namespace kinetoscope::examples
