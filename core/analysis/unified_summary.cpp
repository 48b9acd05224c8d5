#include "core/analysis/unified_summary.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/analysis/overview.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::array unified_parts = {
    KeyPart::name,          KeyPart::category,        KeyPart::parent_module, KeyPart::process_name,
    KeyPart::process_label, KeyPart::thread_name,     KeyPart::input_dims,    KeyPart::input_types,
    KeyPart::input_strides, KeyPart::concrete_inputs, KeyPart::kernels,       KeyPart::is_recompute,
};

void add_unified_percentages(std::vector<WorkRow>& rows) {
  WideSum total_ns = 0;
  for (const WorkRow& row : rows) total_ns += row.kernel.sum;
  WideSum so_far_ns = 0;
  for (WorkRow& row : rows) {
    so_far_ns += row.kernel.sum;
    row.percentage = percentage_of(row.kernel.sum, total_ns);
    row.cumulative_percentage = percentage_of(so_far_ns, total_ns);
  }
}
}  // namespace

UnifiedSummary unified_summary(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates) {
  UnifiedSummary out;
  out.unowned_events = work.calls.unowned_events;
  out.unowned_counted_ns = work.calls.unowned_counted_ns;
  WorkRowMaker maker(input, work, estimates, out.texts);
  const HugeArray<LauncherKey> keys = maker.keys();
  const LauncherGroups groups = group_launchers(keys.span(), unified_parts);
  out.rows.reserve(groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    input.stop_if_asked();
    out.rows.push_back(maker.row_of(keys[groups.of(group).front()], groups.of(group)));
  }
  std::ranges::sort(out.rows, [](const WorkRow& left, const WorkRow& right) {
    return std::tie(right.kernel.sum, left.example) < std::tie(left.kernel.sum, right.example);
  });
  add_unified_percentages(out.rows);
  return out;
}
}  // namespace kinetoscope::analysis
