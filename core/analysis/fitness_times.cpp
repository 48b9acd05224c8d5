#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/analysis/fitness_limits.hpp"
#include "core/analysis/fitness_questions.hpp"

namespace kinetoscope::analysis {
namespace {

double share_of_span(const FitnessFacts& facts, std::int64_t time_ns) {
  return facts.all.span_ns > 0 ? static_cast<double>(time_ns) / static_cast<double>(facts.all.span_ns) : 0;
}

void add_idle_figures(const FitnessFacts& facts, VerdictBuilder& verdict) {
  verdict.time("span_ns", facts.all.span_ns);
  verdict.time("busy_ns", facts.all.busy_ns);
  verdict.time("idle_ns", facts.all.idle_ns);
  verdict.figure("idle_share", share_of_span(facts, facts.all.idle_ns));
  verdict.time("idle_upper_ns", facts.lost.idle_upper_ns);
  verdict.time("idle_lower_ns", facts.lost.idle_lower_ns);
  verdict.count("launches", facts.lost.launches);
  verdict.count("launches_without_kernel", facts.lost.lost);
  verdict.count("graph_launches", facts.lost.graph_launches);
  verdict.count("graph_launches_with_kernels", facts.lost.graph_launches - facts.lost.lost_graph_launches);
  verdict.count("devices", facts.devices);
}

std::string length_clause(std::string_view what, std::optional<std::int64_t> longest_ns) {
  if (!longest_ns) return fmt::format("no recorded {0} tells how long the lost {0}s were", what);
  return fmt::format("each lost {0} may have been as long as the longest recorded {0} ({1})", what,
                     duration_text(*longest_ns));
}

/// "between 1 us and 2 us were idle, as each lost ...".
std::string bounds_clause(const LostLaunches& lost) {
  if (lost.idle_upper_ns == 0) return "there is no idle time in which lost work could have run";
  std::string reason;
  if (lost.lost_graph_launches > 0) reason = length_clause("replay", lost.longest_replay_ns);
  if (lost.lost > lost.lost_graph_launches) {
    reason += (reason.empty() ? "" : ", and ") + length_clause("kernel", lost.longest_kernel_ns);
  }
  return fmt::format("between {} and {} were idle, as {}", duration_text(lost.idle_lower_ns),
                     duration_text(lost.idle_upper_ns), reason);
}

void limit_to_bounds(const FitnessFacts& facts, VerdictBuilder& verdict) {
  const LostLaunches& lost = facts.lost;
  if (lost.lost == 0) return;
  const bool has_graphs = lost.lost_graph_launches > 0;
  const std::string recorded =
      has_graphs
          ? fmt::format("Of {} {} recorded kernels", counted(lost.graph_launches, "graph launch", "graph launches"),
                        counted(lost.graph_launches - lost.lost_graph_launches, "has", "have"))
          : fmt::format("Of {} {} recorded work", counted(lost.launches, "launch", "launches"),
                        counted(lost.launches - lost.lost, "has", "have"));
  std::string sentence = fmt::format("{}: {}.", recorded, bounds_clause(lost));
  const bool is_harmful = share_of_span(facts, lost.idle_upper_ns - lost.idle_lower_ns) > fitness_limits::harmful_share;
  const bool is_rare = lost_share(lost) < fitness_limits::lost_launches_share;
  if (!has_graphs && is_rare && !is_harmful) {
    verdict.note(std::move(sentence));
    return;
  }
  const bool is_mostly_lost = lost_share(lost) > fitness_limits::mostly_lost_share;
  const Verdict at_most = (is_harmful && !is_rare) || is_mostly_lost ? Verdict::no : Verdict::partly;
  verdict.limit(at_most, std::move(sentence), {RecordNeed::short_window});
  if (!has_graphs) return;
  verdict.need(RecordNeed::graphs_off);
  if (facts.faulty_hip.empty()) return;
  verdict.need(RecordNeed::rocm_fix);
  verdict.limit(
      Verdict::partly,
      fmt::format("The trace was recorded with HIP {}, which is known to lose kernels of graphs.", facts.faulty_hip),
      {});
}

/// Work without a launch is not in the linked timeline, whose idle time then holds it.
void limit_to_linked_idle(const FitnessFacts& facts, VerdictBuilder& verdict) {
  const std::int64_t hidden_ns = facts.all.busy_ns - facts.linked.busy_ns;
  verdict.time("unlinked_busy_ns", hidden_ns);
  if (!facts.tree.has_launches() || share_of_span(facts, hidden_ns) <= fitness_limits::harmful_share) return;
  verdict.limit(
      Verdict::partly,
      fmt::format("{} of busy time belong to no recorded launch, so that a timeline of linked work shows them "
                  "as idle.",
                  duration_text(hidden_ns)),
      {RecordNeed::more_steps, RecordNeed::host_activities});
}
}  // namespace

Fitness idle_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  add_idle_figures(facts, verdict);
  limit_to_bounds(facts, verdict);
  if (!facts.tree.has_launches()) {
    verdict.limit(Verdict::partly, "No launch was recorded: when the GPU waited is known, why is not.",
                  {RecordNeed::host_activities});
  }
  limit_to_linked_idle(facts, verdict);
  if (facts.strays) {
    verdict.count("stray_events", facts.strays->events);
    verdict.time("span_without_strays_ns", facts.strays->span_without_ns);
    verdict.limit(Verdict::partly,
                  fmt::format("{} long before all others: without, the span is {} instead of {}.",
                              counted(facts.strays->events, "GPU event lies", "GPU events lie"),
                              duration_text(facts.strays->span_without_ns), duration_text(facts.all.span_ns)),
                  {RecordNeed::short_window});
  }
  limit_to_sound_times(facts, verdict, Verdict::no);
  limit_to_whole_files(facts, verdict);
  if (facts.devices > 1) {
    verdict.note(fmt::format("Idle means that none of {} ran.", counted(facts.devices, "device", "devices")));
  }
  return std::move(verdict).finish(fmt::format("The GPU was idle for {}, {} of {}.", duration_text(facts.all.idle_ns),
                                               honest_share(share_of_span(facts, facts.all.idle_ns)),
                                               duration_text(facts.all.span_ns)));
}

namespace {

void limit_to_steps(const FitnessFacts& facts, VerdictBuilder& verdict) {
  const StepWindows& windows = facts.windows;
  verdict.count("steps", windows.steps);
  verdict.count("steps_with_gpu_work", windows.with_gpu_work);
  verdict.count("cut_steps", windows.cut);
  verdict.count("warm_up_steps", windows.warm_up);
  verdict.count("steady_steps", windows.steady ? windows.steady->count() : 0);
  if (windows.steps == 0) {
    verdict.limit(Verdict::partly, "No step is annotated: only the whole trace can be compared, start-up and all.",
                  {RecordNeed::step_annotations, RecordNeed::more_steps});
  } else if (!windows.steady) {
    const Verdict at_most = windows.usable ? Verdict::partly : Verdict::no;
    verdict.limit(
        at_most,
        windows.steps < fitness_limits::fewest_steady_steps
            ? fmt::format("Only {} recorded: three in a row, complete and alike, show a steady state.",
                          counted(windows.steps, "step was", "steps were"))
            : fmt::format("Of {} {} GPU work and {} cut: no three in a row are complete and alike.",
                          counted(windows.steps, "step", "steps"), counted(windows.with_gpu_work, "has", "have"),
                          counted(windows.cut, "may be", "may be")),
        {RecordNeed::more_steps, RecordNeed::steady_steps});
  }
  if (windows.warm_up > 0) {
    verdict.note(fmt::format("{} warming up.", counted(windows.warm_up, "step was", "steps were")));
  }
  if (windows.cut > 0) verdict.note(fmt::format("{} cut.", counted(windows.cut, "step may be", "steps may be")));
}
}  // namespace

Fitness comparison_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const double unlinked_share = share_of(facts.coverage.unlinked, facts.coverage.all);
  verdict.figure("unlinked_share", unlinked_share);
  const LostLaunches& lost = facts.lost;
  const double lost_graph_share = lost.graph_launches == 0 ? 0
                                                           : static_cast<double>(lost.lost_graph_launches) /
                                                                 static_cast<double>(lost.graph_launches);
  if (std::max(lost_share(lost), lost_graph_share) > fitness_limits::harmful_share) {
    verdict.limit(Verdict::no, "Too much GPU work was lost for totals to be compared.", {RecordNeed::short_window});
  }
  limit_to_steps(facts, verdict);
  if (facts.tree.has_launches() && unlinked_share > fitness_limits::harmful_share) {
    verdict.limit(Verdict::partly,
                  fmt::format("{} of the GPU time belongs to no recorded launch, and so to no step.",
                              honest_share(unlinked_share)),
                  {RecordNeed::more_steps});
  }
  if (facts.trace.diagnostics().count(trace_diagnostics::sampling_may_shift_durations) > 0) {
    verdict.limit(Verdict::partly, "Hardware counters were sampled, which locks clocks.", {RecordNeed::sampling_off});
  }
  limit_to_recorded_work(facts, verdict);
  limit_to_sound_times(facts, verdict, Verdict::no);
  limit_to_whole_files(facts, verdict);
  if (facts.launching_processes > 1) {
    verdict.note(fmt::format("Steps of {} are mixed.", counted(facts.launching_processes, "process", "processes")));
  }
  const std::size_t steady = facts.windows.steady ? facts.windows.steady->count() : 0;
  return std::move(verdict).finish(
      fmt::format("{} in a row are complete and alike.", counted(steady, "step", "steps")));
}
}  // namespace kinetoscope::analysis
