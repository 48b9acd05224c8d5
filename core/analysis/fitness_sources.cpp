#include <string>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/analysis/fitness_limits.hpp"
#include "core/analysis/fitness_questions.hpp"

namespace kinetoscope::analysis {
namespace {

/// Frames cover enough, or what lacks is named.
void limit_to_frames(const FitnessFacts& facts, VerdictBuilder& verdict, RecordNeed need) {
  const GpuCoverage& coverage = facts.coverage;
  const double share = share_of(coverage.frames, coverage.all);
  if (share >= fitness_limits::covering_frames_share) return;
  const Verdict at_most = share < fitness_limits::answering_share ? Verdict::no : Verdict::partly;
  std::string graph;
  if (coverage.graph.events > 0) {
    graph = fmt::format(" ({} was replayed by graph launches)", honest_share(share_of(coverage.graph, coverage.all)));
  }
  verdict.limit(
      at_most,
      fmt::format("Python frames or annotations stand around {} of the GPU time{}.", honest_share(share), graph),
      {need});
  if (coverage.graph.events == 0) return;
  verdict.need(RecordNeed::graph_annotations);
  verdict.need(RecordNeed::capture_traces);
  verdict.need(RecordNeed::graphs_off);
}
}  // namespace

Fitness modules_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const GpuCoverage& coverage = facts.coverage;
  const double share = share_of(coverage.modules, coverage.all);
  verdict.figure("module_share", share);
  verdict.figure("frame_share", share_of(coverage.frames, coverage.all));
  if (coverage.modules.events == 0) {
    verdict.limit(Verdict::no,
                  facts.trace.count(Role::python_call) == 0
                      ? "No module is named: neither Python frames nor annotations of kernels were recorded."
                      : "No module's call stands around the launch of any GPU work.",
                  {RecordNeed::modules});
  } else {
    limit_to_frames(facts, verdict, RecordNeed::modules);
  }
  limit_to_sound_times(facts, verdict);
  limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(fmt::format("Modules are known of {} of the GPU time.", honest_share(share)));
}

Fitness stacks_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const double share = share_of(facts.coverage.frames, facts.coverage.all);
  verdict.count("python_calls", facts.trace.count(Role::python_call));
  verdict.figure("frame_share", share);
  if (facts.trace.count(Role::python_call) == 0) {
    verdict.limit(Verdict::no, "No Python frame was recorded.", {RecordNeed::stacks});
  } else {
    limit_to_frames(facts, verdict, RecordNeed::stacks);
  }
  limit_to_sound_times(facts, verdict);
  limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(fmt::format(
      "Python frames stand around {} of the GPU time, those of forward calls for backward ones.", honest_share(share)));
}

Fitness collectives_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const GpuShare& all = facts.coverage.communication;
  const std::uint64_t undescribed = all.events - facts.coverage.described.events;
  const std::uint64_t elided = facts.trace.diagnostics().count(trace_diagnostics::elided_metadata);
  const std::int64_t ranks = facts.world_size.value_or(0);
  verdict.count("communication_events", all.events);
  verdict.count("described_events", facts.coverage.described.events);
  if (facts.world_size) verdict.time("world_size", ranks);
  if (all.events == 0 && ranks > 1) {
    verdict.limit(Verdict::partly,
                  fmt::format("The run has {} ranks, and no communication was recorded.", with_separators(ranks)),
                  {RecordNeed::collectives, RecordNeed::more_steps});
  } else if (undescribed > 0) {
    verdict.limit(Verdict::partly,
                  fmt::format("Of {} {} neither group nor size: times are known, bandwidths are not.",
                              counted(all.events, "communication kernel", "communication kernels"),
                              counted(undescribed, "has", "have")),
                  {RecordNeed::collectives, RecordNeed::host_activities});
  }
  if (elided > 0) {
    verdict.count("elided_lists", elided);
    verdict.limit(Verdict::partly,
                  fmt::format("{} written in part: group sizes are known, not all ranks and splits.",
                              counted(elided, "list of ranks or sizes was", "lists of ranks or sizes were")),
                  {RecordNeed::collectives});
  }
  if (all.events > 0) {
    limit_to_recorded_work(facts, verdict);
    limit_to_sound_times(facts, verdict);
  }
  limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(
      all.events == 0 ? "No communication was recorded, and no second rank is named."
                      : fmt::format("{} group or size.", counted(all.events, "communication kernel has its",
                                                                 "communication kernels have their")));
}

Fitness memory_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  verdict.count("device_memory_events", facts.device_memory_events);
  verdict.count("host_memory_events", facts.host_memory_events);
  if (facts.kind == TraceKind::capture) {
    verdict.limit(Verdict::no, "Launches were captured, not run: memory is that of the capture.",
                  {RecordNeed::memory, RecordNeed::steady_steps});
  } else if (facts.device_memory_events == 0) {
    verdict.limit(Verdict::no,
                  facts.host_memory_events == 0
                      ? "No allocation was recorded."
                      : fmt::format("{} on the host, none on a device.",
                                    counted(facts.host_memory_events, "allocation event is", "allocation events are")),
                  {RecordNeed::memory});
  }
  limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(
      fmt::format("{} recorded.", counted(facts.device_memory_events, "allocation or release on a device was",
                                          "allocations and releases on devices were")));
}
}  // namespace kinetoscope::analysis
