#pragma once

// The programs whose traces can be made. Each is a few hundred events for the default options, and exact: what the
// trace says is what the Truth says.

#include <cstdint>
#include <optional>
#include <vector>

#include "examples/generator/timeline.hpp"
#include "examples/generator/trace_options.hpp"

namespace kinetoscope::examples {

/// Training steps of a small transformer: copy of the batch, forward, backward on a second thread (sequence numbers and
/// fwdbwd arrows), optimizer. With collectives: an all-reduce of each layer's gradients on a stream of its own.
/// options.ranks > 1 gives a merged file whose processes use the same correlation ids.
[[nodiscard]] Generated training_trace(const TraceOptions& options);

/// What a serving engine's loop does beyond TraceOptions.
struct DecodeLoop {
  std::int64_t requests = 4;
  std::int64_t prompt_tokens = 128;
  /// Of the graph launches, so many (spread evenly) have their kernels recorded; all of them unless said.
  std::optional<std::int64_t> graph_launches_recorded{};
  bool has_prefill = true;  ///< first step without a graph, third step mixed
};

/// Steps of a serving engine as vLLM or SGLang annotates them: a prefill step, then decode steps that replay one graph.
[[nodiscard]] Generated decode_trace(const TraceOptions& options, const DecodeLoop& loop = {});

/// The launches of a decode step while they are captured into a graph: nothing runs.
[[nodiscard]] Generated capture_trace(const TraceOptions& options);

/// The kernels of one decode step, in the order in which its graph runs them.
[[nodiscard]] std::vector<Kernel> decode_kernels(const TraceOptions& options);
}  // namespace kinetoscope::examples
