#include "core/analysis/trace_kind.hpp"

#include "core/tree/diagnostics.hpp"

namespace kinetoscope::analysis {
namespace {

bool is_capture(const CallTree& tree) {
  if (tree.trace().gpu_events().empty()) return tree.diagnostics().count(tree_diagnostics::graph_capture_trace) > 0;
  const LaunchCounts& launches = tree.launches();
  return launches.graph_launches == 0 && launches.captured > launches.total - launches.captured;
}

bool is_annotated(const Trace& trace) {
  return trace.metadata().graphs_annotated_inline.value_or(false) ||
         (!trace.is_absent(Argument::module_fqn) && !trace.is_absent(Argument::graph_node_id));
}
}  // namespace

std::string_view spelling_of(TraceKind kind) noexcept {
  switch (kind) {
    case TraceKind::eager: return "eager";
    case TraceKind::graph_replay: return "graph_replay";
    case TraceKind::graph_replay_annotated: return "graph_replay_annotated";
    case TraceKind::capture: return "graph_capture";
    case TraceKind::gpu_only: return "gpu_only";
    case TraceKind::cpu_only: return "cpu_only";
  }
  return "eager";
}

TraceKind kind_of_trace(const CallTree& tree) {
  const Trace& trace = tree.trace();
  if (is_capture(tree)) return TraceKind::capture;
  if (trace.gpu_events().empty()) return TraceKind::cpu_only;
  if (tree.launches().graph_launches > 0 || !trace.is_absent(Argument::graph_node_id)) {
    return is_annotated(trace) ? TraceKind::graph_replay_annotated : TraceKind::graph_replay;
  }
  return trace.count(Role::operator_call) == 0 ? TraceKind::gpu_only : TraceKind::eager;
}
}  // namespace kinetoscope::analysis
