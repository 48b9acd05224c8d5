#include "core/analysis/fitness.hpp"

#include <string>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/analysis/fitness_facts.hpp"
#include "core/analysis/fitness_limits.hpp"
#include "core/analysis/fitness_questions.hpp"

namespace kinetoscope::analysis {
namespace {

/// Steps without GPU work, though its launches are known and the steps do not say that they were idle.
bool has_too_few_busy_steps(const FitnessFacts& facts) {
  const StepWindows& windows = facts.windows;
  if (facts.all.events == 0 || windows.steps < fitness_limits::fewest_steps_to_judge_emptiness) return false;
  if (2 * facts.coverage.unlinked.events > facts.coverage.all.events) return false;
  const auto expected = static_cast<double>(windows.steps - windows.expected_idle);
  return static_cast<double>(windows.with_gpu_work) < fitness_limits::too_few_busy_steps_share * expected;
}

std::optional<std::string> reason_not_to_analyse(const FitnessFacts& facts) {
  if (facts.kind == TraceKind::capture) {
    return "Launches were captured into a graph, not run: this is no run to analyse.";
  }
  std::string reason;
  if (facts.dominating) {
    reason = fmt::format("One event, {}, lasts {} and is {} of all GPU time.",
                         in_quotes(facts.trace.name_text(facts.dominating->event)),
                         duration_text(facts.dominating->duration_ns), honest_share(facts.dominating->share));
  }
  if (has_too_few_busy_steps(facts)) {
    reason +=
        fmt::format("{}Of {} only {} GPU work.", reason.empty() ? "" : " ",
                    counted(facts.windows.steps, "step", "steps"), counted(facts.windows.with_gpu_work, "has", "have"));
  }
  if (reason.empty()) return {};
  return reason;
}

bool is_wholly_usable(const FitnessFacts& facts) {
  const StepWindows& windows = facts.windows;
  return windows.cut == 0 && windows.warm_up == 0 && windows.with_gpu_work + windows.expected_idle >= windows.steps;
}

std::optional<UsableWindow> usable_window(const FitnessFacts& facts) {
  const std::optional<StepRun>& run = facts.windows.usable;
  if (!run || facts.kind == TraceKind::capture) return {};
  const std::string which = run->count() == 1
                                ? fmt::format("Step {} of {} is", index_of(run->first) + 1, facts.windows.steps)
                                : fmt::format("Steps {} to {} of {} are", index_of(run->first) + 1,
                                              index_of(run->last) + 1, facts.windows.steps);
  return UsableWindow{run->first, run->last,
                      fmt::format("{} complete and with GPU work{}.", which,
                                  facts.windows.steady ? ", of one kind and like length" : "")};
}
}  // namespace

std::string_view spelling_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::yes: return "yes";
    case Verdict::partly: return "partly";
    case Verdict::no: return "no";
  }
  return "no";
}

std::string_view spelling_of(Question question) noexcept {
  static constexpr std::array<std::string_view, question_count> spellings = {
      "operators", "roofline", "modules", "stacks", "idle", "collectives", "memory", "graph_attribution", "comparison"};
  return spellings[static_cast<std::size_t>(question)];
}

FitnessReport assess_fitness(const CallTree& tree, const Steps& steps, const GpuBuckets& buckets) {
  const FitnessFacts facts = gather_fitness_facts(tree, steps, buckets);
  FitnessReport report;
  report.questions = {
      operators_fitness(facts), roofline_fitness(facts),    modules_fitness(facts), stacks_fitness(facts),
      idle_fitness(facts),      collectives_fitness(facts), memory_fitness(facts),  graph_attribution_fitness(facts),
      comparison_fitness(facts)};
  report.do_not_analyse = reason_not_to_analyse(facts);
  if (report.do_not_analyse || !is_wholly_usable(facts)) report.usable_window = usable_window(facts);
  return report;
}
}  // namespace kinetoscope::analysis
