#pragma once

// What a generated trace is like. Plain values: the same options give the same bytes.

#include <cstdint>

#include "examples/generator/document.hpp"

namespace kinetoscope::examples {

enum class Flavour : std::uint8_t { cuda, hip };
enum class Framework : std::uint8_t { vllm, sglang };
/// Which activities the profiler was told to record.
enum class Activities : std::uint8_t { host_and_device, host, device };
/// How a graph's nodes are named on their kernels.
enum class NodeIds : std::uint8_t {
  none,
  packed,  ///< `graph node id` holds the graph in its high half
  split,   ///< `graph id`, and `graph node id` of 32 bits
};
/// What exporters with lanes do to streams.
enum class Lanes : std::uint8_t {
  none,
  moved,   ///< tid and `stream` are the lane, `original_stream` is the hardware stream
  wished,  ///< the lane is only a wish, in `annotated_stream`
};

/// What newer exporters write, one flag each.
struct Features {
  bool inline_annotations = false;  ///< header `cudaGraphInlineAnnotated`, `module_fqn` on the kernels of graphs
  NodeIds node_ids = NodeIds::none;
  Lanes lanes = Lanes::none;
  bool sync_rows = false;            ///< cuda_sync events on rows of their own: tid = stream + 1,000,000
  bool kernel_dependencies = false;  ///< ac2g arrows from kernel to kernel inside graphs, ids from 2^40
  bool bare_copies = false;          ///< `Memcpy` with `copy kind`, `src kind`, `dst kind`
  bool occupancy = false;            ///< nested object `occupancy` on kernels
  bool counters = false;             ///< ph "C", pid "GPU 0 Counters", the value under an empty key
  bool late_metadata = false;        ///< process and thread names behind the events they name
  bool text_timestamps = false;      ///< ts and dur as text
  bool text_pids = false;            ///< the profiler's own spans, pids "Spans" and "Traces"
  bool event_nodes = false;          ///< category graph_event_node, about 0 long
  bool overhead_events = false;      ///< category overhead in pid -1
  bool unknown_calls = false;        ///< runtime calls named cbid_N
  bool stray_quotes = false;         ///< texts of collectives with quotes inside their quotes
  bool log_arrays = false;           ///< top-level INFO, WARNING and ERROR
  bool host_identity = false;        ///< host_name and the job's name, version and attempt
  bool wide_annotations = false;     ///< GPU annotations 1 ns early and late, in long decimals
  bool elided_lists = false;         ///< a group of 64 ranks whose list is written in part
};

struct TraceOptions {
  Flavour flavour = Flavour::cuda;
  Framework framework = Framework::vllm;
  Activities activities = Activities::host_and_device;
  Layout layout = Layout::compact;
  std::int64_t layers = 2;
  std::int64_t steps = 2;
  std::int64_t ranks = 1;             ///< more than one: a merged file, correlation ids restart in each process
  bool sglang_process_names = false;  ///< merged: text pids such as "[TP00-DP01-PP00-EP00] 4001"
  bool header_first = true;           ///< else the metadata stands behind traceEvents
  bool shapes = true;
  bool stacks = false;   ///< Python frames with their ids
  bool modules = false;  ///< nn.Module frames
  bool collectives = false;
  bool memory_events = false;
  Features features{};
};
}  // namespace kinetoscope::examples
