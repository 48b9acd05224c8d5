#include "core/analysis/tables.hpp"

namespace kinetoscope::analysis {

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
  tables.timeline = timeline_tables(input, steps, {});
  const std::int64_t total_ns = tables.timeline.whole.total_ns;
  if (options.has_kernel_summary) {
    tables.kernels = kernel_summary(
        input, [](NodeId) { return std::string_view("other"); }, total_ns);
  }
  if (options.has_short_kernels) tables.short_kernels = short_kernels(input, total_ns);
  if (options.has_collectives) tables.collectives = collective_summary(input);
  return tables;
}
}  // namespace kinetoscope::analysis
