#include "core/analysis/tables.hpp"

#include "core/tree/recompute.hpp"
#include "core/analysis/launchers.hpp"
#include "core/analysis/operator_categories.hpp"

namespace kinetoscope::analysis {
namespace {

/// By EventId; empty where nobody asked.
std::vector<bool> recomputed_work(const TableInput& input) {
  if (!input.options().detects_recompute) return {};
  const RecomputeMarks marks(input.tree());
  std::vector<bool> is_recompute(marks.has_any() ? input.trace().size() : 0, false);
  if (is_recompute.empty()) return is_recompute;
  for (const EventId event : input.events()) is_recompute[index_of(event)] = marks.contains_gpu(event);
  return is_recompute;
}

/// The category of an operator as the operator sheets print it: by the earliest kernel of its own.
class PrintedCategories {
 public:
  explicit PrintedCategories(const TableInput& input)
      : tree_(input.tree()), categories_(tree_), first_events_(tree_.size(), no_event) {
    const Launchers launchers = find_launchers(input);
    for (const Launcher& launcher : launchers.launchers) {
      first_events_[index_of(launcher.node)] = launchers.events_of(launcher).front();
    }
  }

  /// Of operators that launched nothing of the operator sheets (communication), by the first work below them.
  [[nodiscard]] std::string_view of(NodeId node) {
    EventId first = first_events_[index_of(node)];
    if (first == no_event) first = tree_.gpu_events(node).front();
    return perf_model::operator_registry().spelling_of(categories_.of(node, first));
  }

 private:
  const CallTree& tree_;
  OperatorCategories categories_;
  std::vector<EventId> first_events_;  // by node
};

std::vector<KernelSummaryRow> kernels_of(const TableInput& input, std::int64_t total_ns) {
  if (input.is_gpu_only()) return kernel_summary(input, nullptr, total_ns);
  PrintedCategories categories(input);
  return kernel_summary(
      input, [&](NodeId node) { return categories.of(node); }, total_ns);
}
}  // namespace

Tables make_tables(const CallTree& tree, const GpuBuckets& buckets, std::span<const EventId> in_scope,
                   std::span<const Step> steps, const TableOptions& options) {
  const TableInput input(tree, buckets, in_scope, options);
  Tables tables;
  tables.options = options;
  tables.events_in_scope = in_scope.size();
  tables.events = input.events().size();
  tables.is_gpu_only = input.is_gpu_only();
  tables.has_launches = tree.has_launches();
  tables.unlinked = unlinked_of(tree, in_scope);
  tables.timeline = timeline_tables(input, steps, recomputed_work(input));
  const std::int64_t total_ns = tables.timeline.whole.total_ns;
  if (!input.is_gpu_only()) tables.operators = operator_tables(input);
  if (options.has_kernel_summary) tables.kernels = kernels_of(input, total_ns);
  if (options.has_short_kernels) tables.short_kernels = short_kernels(input, total_ns);
  if (options.has_collectives) tables.collectives = collective_summary(input);
  return tables;
}
}  // namespace kinetoscope::analysis
