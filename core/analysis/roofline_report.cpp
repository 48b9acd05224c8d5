#include "core/analysis/roofline_report.hpp"

#include "core/analysis/counted_work.hpp"

namespace kinetoscope::analysis {

RooflineReport make_roofline_report(const CallTree& tree, const GpuBuckets& buckets, std::span<const EventId> in_scope,
                                    std::span<const Step> steps, const TableOptions& options,
                                    const std::stop_token& stop) {
  HeldAgainst held = settle_platform(tree.trace().metadata(), options.platform);
  TableOptions settled = options;
  settled.platform = settled_choice(held);
  const TableInput input(tree, buckets, in_scope, settled, stop);
  RooflineReport report = {.options = settled,
                           .held = std::move(held),
                           .events_in_scope = in_scope.size(),
                           .events = input.events().size(),
                           .unlinked = unlinked_of(tree, in_scope),
                           .timeline = measure_timeline(input.trace(), input.buckets(), input.events()),
                           .estimates = {tree, steps, input.registry(), input.options().compiled},
                           .unified = {},
                           .summary = {},
                           .efficiency = {},
                           .diagnostics = {}};
  input.stop_if_asked();
  const std::vector<std::int64_t> counted_ns = counted_times_ns(input.trace(), input.buckets(), input.events());
  const OperatorWork work = operator_work(input, counted_ns, report.estimates);
  input.stop_if_asked();
  report.unified = unified_summary(input, work, report.estimates);
  report.summary = roofline_summary(report.unified, report.timeline.busy_ns);
  if (const auto& platform = report.held.platform) {
    report.efficiency = efficiency_of(input, work, report.estimates, *platform, steps);
  }
  return report;
}
}  // namespace kinetoscope::analysis
