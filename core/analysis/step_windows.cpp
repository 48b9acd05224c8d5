#include "core/analysis/step_windows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/fitness_limits.hpp"

namespace kinetoscope::analysis {
namespace {

using Kind = std::pair<names::StepKind, names::StepPhase>;

struct StepFacts {
  Kind kind{};
  std::int64_t length_ns = 0;
  bool has_gpu_work = false;
  bool is_usable = false;
};

StepFacts facts_of(const Trace& trace, const Step& step, EventId excluded) {
  StepFacts facts;
  facts.kind = {step.label.kind, step.label.phase};
  std::int64_t work_ns = 0;
  bool has_excluded = false;
  for (const EventId event : step.gpu_events) {
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent) continue;
    facts.has_gpu_work = true;
    has_excluded = has_excluded || event == excluded;
    const std::int64_t length_ns = extent->end_ns - extent->begin_ns;
    work_ns = work_ns > INT64_MAX - length_ns ? INT64_MAX : work_ns + length_ns;
  }
  facts.length_ns = std::max(step.end_ns - step.begin_ns, work_ns);
  facts.is_usable = facts.has_gpu_work && !step.may_be_cut && !has_excluded;
  return facts;
}

std::optional<StepRun> longer(std::optional<StepRun> best, std::size_t first, std::size_t end, std::size_t fewest) {
  const std::size_t best_count = best ? best->count() : 0;
  if (end - first < fewest || end - first <= best_count) return best;
  return StepRun{id_at<StepId>(first), id_at<StepId>(end - 1)};
}

std::optional<StepRun> longest_usable(const std::vector<StepFacts>& facts) {
  std::optional<StepRun> best;
  std::size_t first = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].is_usable) {
      best = longer(best, first, i + 1, 1);
    } else {
      first = i + 1;
    }
  }
  return best;
}

/// A window whose lengths stay within the ratio moves over the steps; the multiset knows its shortest and longest.
std::optional<StepRun> longest_steady(const std::vector<StepFacts>& facts) {
  std::optional<StepRun> best;
  std::multiset<std::int64_t> lengths;
  std::size_t first = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].is_usable || (i > first && facts[i].kind != facts[i - 1].kind)) {
      lengths.clear();
      first = facts[i].is_usable ? i : i + 1;
    }
    if (!facts[i].is_usable) continue;
    lengths.insert(facts[i].length_ns);
    while (static_cast<double>(*lengths.rbegin()) >
           fitness_limits::steady_length_ratio * static_cast<double>(*lengths.begin())) {
      lengths.erase(lengths.find(facts[first++].length_ns));
    }
    best = longer(best, first, i + 1, fitness_limits::fewest_steady_steps);
  }
  return best;
}

std::map<Kind, std::int64_t> median_lengths(const std::vector<StepFacts>& facts) {
  std::map<Kind, std::vector<std::int64_t>> lengths;
  for (const StepFacts& step : facts) {
    if (step.has_gpu_work) lengths[step.kind].push_back(step.length_ns);
  }
  std::map<Kind, std::int64_t> medians;
  for (auto& [kind, values] : lengths) {
    if (values.size() < fitness_limits::fewest_steady_steps) continue;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    medians[kind] = *middle;
  }
  return medians;
}

std::size_t count_warm_up(const std::vector<StepFacts>& facts) {
  const std::map<Kind, std::int64_t> medians = median_lengths(facts);
  std::size_t count = 0;
  for (const StepFacts& step : facts) {
    const auto median = medians.find(step.kind);
    if (median == medians.end()) break;
    if (static_cast<double>(step.length_ns) <=
        fitness_limits::warm_up_length_ratio * static_cast<double>(median->second)) {
      break;
    }
    ++count;
  }
  return count;
}
}  // namespace

StepWindows find_step_windows(const Trace& trace, const Steps& steps, EventId excluded) {
  StepWindows out;
  std::vector<StepFacts> facts;
  facts.reserve(steps.steps().size());
  for (const Step& step : steps.steps()) {
    facts.push_back(facts_of(trace, step, excluded));
    ++out.steps;
    if (facts.back().has_gpu_work) ++out.with_gpu_work;
    if (step.label.phase == names::StepPhase::idle) ++out.expected_idle;
    if (step.may_be_cut) ++out.cut;
  }
  out.warm_up = count_warm_up(facts);
  out.steady = longest_steady(facts);
  out.usable = out.steady ? out.steady : longest_usable(facts);
  return out;
}
}  // namespace kinetoscope::analysis
