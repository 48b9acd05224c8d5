#include "core/analysis/tables.hpp"

#include "core/tree/recompute.hpp"
#include "core/analysis/counted_work.hpp"
#include "core/analysis/launchers.hpp"
#include "core/analysis/operator_categories.hpp"
#include "core/analysis/parent_operators.hpp"

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
  PrintedCategories(const TableInput& input, const Launchers& launchers)
      : input_(input), categories_(input.tree(), input.registry()), first_events_(input.tree().size(), no_event) {
    for (const Launcher& launcher : launchers.launchers) {
      first_events_[index_of(launcher.node)] = launchers.events_of(launcher).front();
    }
  }

  /// Of operators that launched nothing of the operator sheets (communication), by their first kernel in scope.
  [[nodiscard]] std::string_view of(NodeId node) {
    if (first_events_[index_of(node)] == no_event) find_others();
    return input_.registry().spelling_of(categories_.of(node, first_events_[index_of(node)]));
  }

 private:
  /// Once: whoever is asked about has a kernel in scope.
  void find_others() {
    ParentOperators operators(input_.tree());
    for (const EventId event : input_.in_scope()) {
      if (input_.trace().role(event) != Role::kernel) continue;
      const NodeId node = operators.around(input_.tree().launch(event));
      if (node != no_node && first_events_[index_of(node)] == no_event) first_events_[index_of(node)] = event;
    }
  }

  const TableInput& input_;
  OperatorCategories categories_;
  std::vector<EventId> first_events_;  // by node
};

/// `launchers` are absent where no operator was recorded.
std::vector<KernelSummaryRow> kernels_of(const TableInput& input, const std::optional<Launchers>& launchers,
                                         std::int64_t total_ns) {
  if (!launchers) return kernel_summary(input, nullptr, total_ns);
  PrintedCategories categories(input, *launchers);
  return kernel_summary(
      input, [&](NodeId node) { return categories.of(node); }, total_ns);
}

ModelledTables modelled_tables(const TableInput& input, std::span<const Step> steps,
                               std::span<const std::int64_t> counted_ns) {
  ModelledTables tables = {{input.tree(), steps, input.registry(), input.options().compiled}, {}, {}};
  const OperatorWork work = operator_work(input, counted_ns, tables.estimates);
  tables.unified = unified_summary(input, work, tables.estimates);
  tables.by_category = category_sheets(input, work, tables.estimates);
  return tables;
}
}  // namespace

Tables make_tables(const CallTree& tree, const GpuBuckets& buckets, std::span<const EventId> in_scope,
                   std::span<const Step> steps, const TableOptions& options, const std::stop_token& stop) {
  Tables tables;
  tables.held_against = settle_platform(tree.trace().metadata(), options.platform);
  tables.options = options;
  tables.options.platform = settled_choice(tables.held_against);
  const TableInput input(tree, buckets, in_scope, tables.options, stop);
  tables.steps = steps.size();
  tables.events_in_scope = in_scope.size();
  tables.events = input.events().size();
  tables.is_gpu_only = input.is_gpu_only();
  tables.has_launches = tree.has_launches();
  tables.unlinked = unlinked_of(tree, in_scope);
  input.stop_if_asked();
  tables.timeline = timeline_tables(input, steps, recomputed_work(input));
  const std::int64_t total_ns = tables.timeline.whole.total_ns;
  input.stop_if_asked();
  std::optional<Launchers> launchers;
  if (!input.is_gpu_only()) {
    const std::vector<std::int64_t> counted_ns = counted_times_ns(input.trace(), input.buckets(), input.events());
    launchers = find_launchers(input, counted_ns);
    tables.operators = operator_tables(input, *launchers, total_ns);
    input.stop_if_asked();
    tables.modelled = modelled_tables(input, steps, counted_ns);
  }
  input.stop_if_asked();
  if (options.has_kernel_summary) tables.kernels = kernels_of(input, launchers, total_ns);
  if (options.has_short_kernels) tables.short_kernels = short_kernels(input, total_ns);
  if (options.has_collectives) tables.collectives = collective_summary(input);
  return tables;
}
}  // namespace kinetoscope::analysis
