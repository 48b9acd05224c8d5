#include "examples/generator/catalogue.hpp"

#include <array>

#include "examples/generator/scenarios.hpp"
#include "examples/generator/stories.hpp"

namespace kinetoscope::examples {
namespace {

Generated decode_loop(const TraceOptions& options) { return decode_trace(options); }

Generated training_of(TraceOptions options, Activities activities) {
  options.activities = activities;
  return training_trace(options);
}

constexpr std::array scenario_table = {
    Scenario{"training", "training steps of a small transformer, backward on a second thread", training_trace},
    Scenario{"decode", "a serving engine's loop: prefill, then decode steps that replay a graph", decode_loop},
    Scenario{"capture", "launches captured into a graph: nothing runs", capture_trace},
    Scenario{"cpu-only", "training, host activities only",
             [](const TraceOptions& o) { return training_of(o, Activities::host); }},
    Scenario{"gpu-only", "training, device activities only",
             [](const TraceOptions& o) { return training_of(o, Activities::device); }},
};

constexpr std::array story_table = {
    Story{"under-recorded-graphs", "40 graph launches, kernels of 29: idle time cannot be told", under_recorded_graphs},
    Story{"dominated-window", "two of 32 steps have GPU events, one kernel of 1.75 s is 99 % of the time",
          dominated_window},
    Story{"moved-lanes", "inline annotations, packed node ids, and lanes that are no streams", moved_lanes},
    Story{"healthy-training", "eager training, everything recorded", healthy_training},
    Story{"training-without-stacks", "the same without Python frames and modules", training_without_stacks},
    Story{"training-without-shapes", "the same without shapes", training_without_shapes},
};

/// One training step with everything recorded, in Kineto's layout.
Generated kept_training() {
  TraceOptions options;
  options.layout = Layout::kineto;
  options.stacks = options.modules = options.memory_events = options.collectives = true;
  options.header_first = false;
  options.features.text_pids = true;
  return training_trace(options);
}

/// A decode loop on the other vendor's device, as serving engines leave it.
Generated kept_decode() {
  TraceOptions options;
  options.flavour = Flavour::hip;
  options.layers = 8;
  options.steps = 8;
  options.stacks = true;
  return decode_trace(options);
}

constexpr std::array kept_table = {
    KeptTrace{"training_step.json.gz", kept_training},
    KeptTrace{"decode_graph_replay.json.gz", kept_decode},
};
}  // namespace

std::span<const Scenario> scenarios() noexcept { return scenario_table; }
std::span<const Story> stories() noexcept { return story_table; }
std::span<const KeptTrace> kept_traces() noexcept { return kept_table; }
}  // namespace kinetoscope::examples
