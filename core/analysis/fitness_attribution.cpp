#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/analysis/fitness_limits.hpp"
#include "core/analysis/fitness_questions.hpp"

namespace kinetoscope::analysis {
namespace {

Verdict verdict_of_share(double share, double enough = 1 - fitness_limits::harmful_share) {
  if (share >= enough) return Verdict::yes;
  return share < fitness_limits::answering_share ? Verdict::no : Verdict::partly;
}

std::string_view clause_of(UnlinkedCause cause) {
  switch (cause) {
    case UnlinkedCause::none: return "linked";
    case UnlinkedCause::queued_before_window: return "was launched before the recording began";
    case UnlinkedCause::launch_not_recorded: return "has no recorded launch";
    case UnlinkedCause::ambiguous_correlation: return "has several possible launches";
    case UnlinkedCause::no_identity: return "bears no id of a launch";
  }
  return "is not linked";
}

/// "30.2 % was launched before the recording began, 5.0 % was replayed by graph launches", largest causes first as the
/// enum has them.
std::string unattributed_clauses(const FitnessFacts& facts) {
  std::vector<std::string> clauses;
  const GpuCoverage& coverage = facts.coverage;
  for (std::size_t cause = 1; cause < coverage.by_cause.size(); ++cause) {
    if (coverage.by_cause[cause].events == 0) continue;
    clauses.push_back(fmt::format("{} {}", honest_share(share_of(coverage.by_cause[cause], coverage.all)),
                                  clause_of(static_cast<UnlinkedCause>(cause))));
  }
  if (coverage.graph.events > 0) {
    clauses.push_back(
        fmt::format("{} was replayed by graph launches", honest_share(share_of(coverage.graph, coverage.all))));
  }
  return fmt::format("{}", fmt::join(clauses, ", "));
}

void add_unlinked_figures(const FitnessFacts& facts, VerdictBuilder& verdict) {
  const GpuCoverage& coverage = facts.coverage;
  verdict.count("unlinked_events", coverage.unlinked.events);
  verdict.time("unlinked_time_ns", coverage.unlinked.time_ns);
  verdict.figure("unlinked_share", share_of(coverage.unlinked, coverage.all));
  for (std::size_t cause = 1; cause < coverage.by_cause.size(); ++cause) {
    if (coverage.by_cause[cause].events == 0) continue;
    verdict.figure(fmt::format("unlinked_share_{}", spelling_of(static_cast<UnlinkedCause>(cause))),
                   share_of(coverage.by_cause[cause], coverage.all));
  }
}

/// What would attribute the rest of which `share` is known.
void need_attribution(const FitnessFacts& facts, double share, VerdictBuilder& verdict) {
  const double graph_share = share_of(facts.coverage.graph, facts.coverage.all);
  const double unlinked_share = share_of(facts.coverage.unlinked, facts.coverage.all);
  const bool has_graphs = graph_share > fitness_limits::harmful_share;
  const bool has_unlinked = unlinked_share > fitness_limits::harmful_share;
  if (has_graphs) {
    verdict.need(RecordNeed::graph_annotations);
    verdict.need(RecordNeed::capture_traces);
    verdict.need(RecordNeed::graphs_off);
  }
  if (has_unlinked) verdict.need(RecordNeed::more_steps);
  const bool is_explained = graph_share + unlinked_share >= 1 - share - fitness_limits::harmful_share;
  if (!is_explained || (!has_graphs && !has_unlinked)) verdict.need(RecordNeed::host_activities);
}
}  // namespace

Fitness operators_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const double share = share_of(facts.coverage.operators, facts.coverage.all);
  verdict.figure("attributed_share", share);
  add_unlinked_figures(facts, verdict);
  verdict.figure("graph_share", share_of(facts.coverage.graph, facts.coverage.all));
  const Verdict at_most = verdict_of_share(share);
  if (facts.trace.count(Role::operator_call) == 0) {
    verdict.limit(Verdict::no, "No operator was recorded: GPU time can be told by kernel names only.",
                  {RecordNeed::host_activities});
  } else if (at_most != Verdict::yes) {
    const std::string clauses = unattributed_clauses(facts);
    verdict.limit(at_most,
                  fmt::format("Operators are known of {} of the GPU time{}{}.", honest_share(share),
                              clauses.empty() ? ", the rest was launched outside operators" : ": ", clauses),
                  {});
    need_attribution(facts, share, verdict);
  }
  limit_to_recorded_work(facts, verdict);
  limit_to_sound_times(facts, verdict);
  limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(fmt::format("Operators are known of {} of the GPU time.", honest_share(share)));
}

Fitness roofline_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const GpuCoverage& coverage = facts.coverage;
  const double share = share_of(coverage.shaped, coverage.computation);
  verdict.figure("shaped_share", share);
  const Verdict at_most = verdict_of_share(share, fitness_limits::covering_shapes_share);
  if (coverage.computation.events == 0) {
    verdict.limit(Verdict::no, "The trace holds no computation, only copies or communication.",
                  {RecordNeed::more_steps});
  } else if (facts.trace.is_absent(Argument::input_dims)) {
    verdict.limit(Verdict::no, "No operator has the shapes of its inputs: they were not recorded.",
                  {RecordNeed::shapes});
  } else if (at_most != Verdict::yes) {
    verdict.limit(at_most,
                  fmt::format("Shapes are known of {} of the computation: the rest was launched by no operator that "
                              "has them.",
                              honest_share(share)),
                  {RecordNeed::shapes});
    need_attribution(facts, share, verdict);
  }
  if (facts.trace.diagnostics().count(trace_diagnostics::sampling_may_shift_durations) > 0) {
    verdict.limit(Verdict::partly,
                  "Hardware counters were sampled, which locks clocks: rates differ from a plain run's.",
                  {RecordNeed::sampling_off});
  }
  limit_to_sound_times(facts, verdict);
  limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(fmt::format("Shapes are known of {} of the computation.", honest_share(share)));
}

Fitness graph_attribution_fitness(const FitnessFacts& facts) {
  VerdictBuilder verdict;
  if (!limit_to_gpu_work(facts, verdict)) return std::move(verdict).finish({});
  const GpuCoverage& coverage = facts.coverage;
  const double share = share_of(coverage.annotated_graph, coverage.graph);
  verdict.count("graph_launches", facts.lost.graph_launches);
  verdict.count("graph_launches_with_kernels", facts.lost.graph_launches - facts.lost.lost_graph_launches);
  verdict.count("graph_events", coverage.graph.events);
  verdict.figure("graph_share", share_of(coverage.graph, coverage.all));
  const bool has_graphs = coverage.graph.events > 0 || facts.lost.graph_launches > 0;
  if (coverage.graph.events > 0) verdict.figure("annotated_share", share);
  if (has_graphs && verdict_of_share(share) != Verdict::yes) {
    const std::string sentence =
        coverage.graph.events == 0 ? fmt::format("None of {} has recorded kernels.",
                                                 counted(facts.lost.graph_launches, "graph launch", "graph launches"))
        : coverage.annotated_graph.events == 0
            ? fmt::format("{} replayed by graph launches, {} of the GPU time, and none says what it was captured from.",
                          counted(coverage.graph.events, "GPU event was", "GPU events were"),
                          honest_share(share_of(coverage.graph, coverage.all)))
            : fmt::format("Of the time that graph launches replayed, {} is annotated with what it was captured from.",
                          honest_share(share));
    verdict.limit(verdict_of_share(share), sentence,
                  {RecordNeed::graph_annotations, RecordNeed::capture_traces, RecordNeed::graphs_off,
                   RecordNeed::shapes, RecordNeed::stacks});
  }
  if (has_graphs) limit_to_recorded_work(facts, verdict);
  if (has_graphs) limit_to_whole_files(facts, verdict);
  return std::move(verdict).finish(
      has_graphs
          ? fmt::format("{} of the time that graph launches replayed is annotated with what it was captured from.",
                        honest_share(share))
          : "No graph was replayed: kernels were launched one by one.");
}
}  // namespace kinetoscope::analysis
