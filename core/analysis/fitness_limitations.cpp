#include <string>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/analysis/fitness_limits.hpp"
#include "core/analysis/fitness_questions.hpp"

namespace kinetoscope::analysis {

bool limit_to_gpu_work(const FitnessFacts& facts, VerdictBuilder& verdict) {
  if (facts.kind == TraceKind::capture) {
    verdict.count("captured_launches", facts.tree.launches().captured);
    verdict.limit(Verdict::no,
                  fmt::format("{} captured into a graph, not run: a capture answers nothing about time.",
                              counted(facts.tree.launches().captured, "launch was", "launches were")),
                  {RecordNeed::steady_steps, RecordNeed::device_activities});
    return false;
  }
  verdict.count("gpu_events", facts.all.events);
  if (facts.all.events > 0) return true;
  verdict.limit(Verdict::no, "The trace holds no GPU work: neither kernels nor copies were recorded.",
                {RecordNeed::device_activities});
  return false;
}

void limit_to_whole_files(const FitnessFacts& facts, VerdictBuilder& verdict) {
  if (facts.trace.partial()) {
    verdict.count("used_bytes", facts.trace.partial()->offset);
    verdict.limit(Verdict::partly,
                  fmt::format("The file ends early or is damaged: {} of its text were used, and events behind them may "
                              "belong to any time.",
                              bytes_text(facts.trace.partial()->offset)),
                  {RecordNeed::short_window});
  }
  if (facts.trace.diagnostics().count(trace_diagnostics::event_cap_suspected) > 0) {
    verdict.count("events", facts.trace.size());
    verdict.limit(Verdict::partly,
                  fmt::format("The file has exactly {}: the exporter may have stopped at its limit.",
                              counted(facts.trace.size(), "event", "events")),
                  {RecordNeed::short_window});
  }
}

void limit_to_sound_times(const FitnessFacts& facts, VerdictBuilder& verdict, Verdict of_dominated) {
  if (facts.dominating) {
    verdict.time("dominating_duration_ns", facts.dominating->duration_ns);
    verdict.figure("dominating_share", facts.dominating->share);
    verdict.limit(of_dominated,
                  fmt::format("One event, {}, lasts {} and is {} of all GPU time.",
                              in_quotes(facts.trace.name_text(facts.dominating->event)),
                              duration_text(facts.dominating->duration_ns), honest_share(facts.dominating->share)),
                  {RecordNeed::steady_steps, RecordNeed::short_window});
  } else if (facts.suspect_share > fitness_limits::harmful_share) {
    verdict.count("suspect_durations", facts.suspect_events);
    verdict.limit(Verdict::partly,
                  fmt::format("{} later work of the same stream: the recorded durations cannot be right.",
                              counted(facts.suspect_events, "event covers", "events cover")),
                  {RecordNeed::short_window});
  }
  if (facts.all.untimed == 0) return;
  const double share = static_cast<double>(facts.all.untimed) / static_cast<double>(facts.all.events);
  verdict.count("untimed", facts.all.untimed);
  std::string sentence =
      fmt::format("{} of {} no usable times.", with_separators(static_cast<std::int64_t>(facts.all.untimed)),
                  counted(facts.all.events, "GPU event has", "GPU events have"));
  if (share <= fitness_limits::lost_launches_share) {
    verdict.note(std::move(sentence));
  } else {
    const Verdict at_most = facts.all.untimed == facts.all.events ? Verdict::no : Verdict::partly;
    verdict.limit(at_most, std::move(sentence), {RecordNeed::short_window});
  }
}

void limit_to_recorded_work(const FitnessFacts& facts, VerdictBuilder& verdict) {
  const LostLaunches& lost = facts.lost;
  if (lost.lost == 0) return;
  verdict.count("launches", lost.launches);
  verdict.count("launches_without_kernel", lost.lost);
  if (lost.graph_launches > 0) {
    verdict.count("graph_launches", lost.graph_launches);
    verdict.count("graph_launches_with_kernels", lost.graph_launches - lost.lost_graph_launches);
  }
  std::string sentence =
      lost.lost_graph_launches > 0
          ? fmt::format("Of {} {} no recorded kernels: totals are too low.",
                        counted(lost.graph_launches, "graph launch", "graph launches"),
                        counted(lost.lost_graph_launches, "has", "have"))
          : fmt::format("Of {} {} no recorded kernel: totals are too low.",
                        counted(lost.launches, "launch", "launches"), counted(lost.lost, "has", "have"));
  if (lost_share(lost) < fitness_limits::lost_launches_share && lost.lost_graph_launches == 0) {
    verdict.note(std::move(sentence));
    return;
  }
  verdict.limit(Verdict::partly, std::move(sentence), {RecordNeed::short_window});
  if (lost.lost_graph_launches > 0 && !facts.faulty_hip.empty()) verdict.need(RecordNeed::rocm_fix);
}
}  // namespace kinetoscope::analysis
