#include "core/report/steps_text.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/text_table.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t name_width = 48;
constexpr std::size_t first_lines = 3;
constexpr std::size_t last_lines = 2;

/// Which steps are shown: some of the first and the last, then the busiest, all in order of time.
std::set<std::size_t> chosen(const std::vector<analysis::StepOverview>& steps) {
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < std::min(steps.size(), first_lines); ++i) out.insert(i);
  for (std::size_t i = 0; i < std::min(steps.size(), last_lines); ++i) out.insert(steps.size() - 1 - i);
  std::vector<std::size_t> by_busy(steps.size());
  std::iota(by_busy.begin(), by_busy.end(), std::size_t{0});
  const auto candidates = by_busy.begin() + static_cast<std::ptrdiff_t>(std::min(steps.size(), most_step_lines));
  std::partial_sort(by_busy.begin(), candidates, by_busy.end(), [&](std::size_t left, std::size_t right) {
    return std::pair(-steps[left].busy_ns, left) < std::pair(-steps[right].busy_ns, right);
  });
  for (auto at = by_busy.begin(); at != candidates && out.size() < most_step_lines; ++at) out.insert(*at);
  return out;
}

std::vector<Cell> line_of(const analysis::StepOverview& step) {
  const bool has_phase = step.label.phase != names::StepPhase::unknown;
  std::string remark = step.may_be_cut ? "may be cut" : "";
  if (step.annotated_gpu_time_ns && *step.annotated_gpu_time_ns != step.busy_ns) {
    remark +=
        fmt::format("{}GPU annotation says {}", remark.empty() ? "" : ", ", duration_text(*step.annotated_gpu_time_ns));
  }
  return {{printable(step.name, name_width)},
          {has_phase ? std::string(spelling_of(step.label.phase)) : ""},
          {with_separators(static_cast<std::int64_t>(step.gpu_events)), Colour::plain, true},
          {duration_text(step.busy_ns), Colour::plain, true},
          {duration_text(step.end_ns - step.begin_ns), Colour::plain, true},
          {std::move(remark), Colour::doubtful}};
}
}  // namespace

std::string steps_text(const analysis::Overview& overview, bool is_coloured) {
  if (overview.steps.empty()) return "";
  TextTable table(is_coloured);
  table.add({{"step", Colour::faint},
             {"phase", Colour::faint},
             {"GPU events", Colour::faint, true},
             {"GPU busy", Colour::faint, true},
             {"host", Colour::faint, true},
             {""}});
  const std::set<std::size_t> shown = chosen(overview.steps);
  for (const std::size_t step : shown) table.add(line_of(overview.steps[step]));
  std::string out = "\n" + painted(fmt::format("Steps: {}", overview.steps.size()), Colour::strong, is_coloured);
  const std::size_t left_out = overview.steps.size() - shown.size();
  if (left_out > 0) out += fmt::format(" (first, last and busiest; {} left out, all of them: --json)", left_out);
  return out + "\n" + table.render();
}
}  // namespace kinetoscope::report
