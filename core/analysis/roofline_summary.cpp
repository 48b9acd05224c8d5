#include "core/analysis/roofline_summary.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/analysis/overview.hpp"

namespace kinetoscope::analysis {
namespace {

void add_ranked(RankedWork& sum, const RankedWork& other) {
  sum.calls += other.calls;
  sum.counted_ns += other.counted_ns;
  sum.totals.add(other.totals);
}

RankedWork ranked_of(const WorkRow& row) {
  RankedWork out;
  out.calls = row.kernel.count;
  out.counted_ns = row.counted_ns;
  out.totals = row.roofline.totals;
  return out;
}

Known<double> rate_over(double amount, WideSum time_ns) {
  if (time_ns <= 0 || amount <= 0) return Reason::not_applicable;
  constexpr double tera_per_ns = 1e-3;  // 1 FLOP/ns is 10^9 FLOP/s
  return amount / static_cast<double>(time_ns) * tera_per_ns;
}

Known<double> percent_over(double part_ns, WideSum whole_ns) {
  if (whole_ns <= 0) return Reason::not_applicable;
  return 100 * part_ns / static_cast<double>(whole_ns);
}

void add_shares(RankedWork& work, std::int64_t busy_ns, WideSum modelled_ns) {
  const RooflineTotals& totals = work.totals;
  work.percent_of_busy = percentage_of(work.counted_ns, busy_ns);
  work.percent_of_modelled = percentage_of(totals.counted_ns, modelled_ns);
  work.percent_of_roofline = percent_over(totals.time_ns, totals.kernel_ns);
  work.recoverable_percent_of_busy = percent_over(totals.recoverable_ns, busy_ns);
  work.tflops_per_s = rate_over(totals.flops, totals.kernel_ns);
  work.terabytes_per_s = rate_over(totals.bytes_moved, totals.kernel_ns);
}

/// What is ranked by: falling.
std::tuple<double, std::int64_t> rank_of(const RankedWork& work) {
  return {work.totals.recoverable_ns, work.counted_ns};
}
}  // namespace

RooflineSummary roofline_summary(const UnifiedSummary& unified, std::int64_t busy_ns) {
  RooflineSummary out;
  out.busy_ns = busy_ns;
  out.groups.reserve(unified.rows.size());
  std::map<std::string_view, RankedWork> by_category;
  for (const WorkRow& row : unified.rows) {
    out.groups.push_back({&row, ranked_of(row)});
    add_ranked(out.whole, out.groups.back().ranked);
    add_ranked(by_category[row.category], out.groups.back().ranked);
  }
  out.categories.reserve(by_category.size());
  for (const auto& [category, ranked] : by_category) out.categories.push_back({category, ranked});
  const WideSum modelled_ns = out.whole.totals.counted_ns;
  add_shares(out.whole, busy_ns, modelled_ns);
  for (RooflineGroup& group : out.groups) add_shares(group.ranked, busy_ns, modelled_ns);
  for (RooflineCategory& category : out.categories) add_shares(category.ranked, busy_ns, modelled_ns);
  std::ranges::sort(out.groups, [](const RooflineGroup& left, const RooflineGroup& right) {
    const auto first = rank_of(left.ranked);
    const auto second = rank_of(right.ranked);
    return first != second ? first > second : left.row->example < right.row->example;
  });
  // Categories rise by name before; a stable order keeps that among equals.
  std::ranges::stable_sort(out.categories, std::ranges::greater(),
                           [](const RooflineCategory& category) { return rank_of(category.ranked); });
  return out;
}
}  // namespace kinetoscope::analysis
