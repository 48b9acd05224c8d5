#include "core/study/study.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/io/open_input.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/tree/scope_selection.hpp"
#include "core/study/strictness.hpp"

namespace kinetoscope {
namespace {

/// The same failure, about `name` where it named no input.
[[noreturn]] void rethrow_about(const Error& error, const std::string& name) {
  if (!error.failure().input.empty()) throw error;
  Failure failure = error.failure();
  failure.input = name;
  throw Error(std::move(failure));
}

Trace import(const std::string& name, const StudyOptions& options) {
  const io::Input input = io::open_input(name, options.stop);
  ImportOptions import_options;
  import_options.reads_ahead = options.threads > 1;
  import_options.stop = options.stop;
  if (options.on_progress) {
    import_options.on_window = [&](std::size_t events) {
      const io::InputProgress progress = input.progress();
      options.on_progress({progress.consumed_bytes, progress.total_bytes, events});
    };
  }
  return import_kineto(*input.source, import_options);
}

ScopeSelection selected(const Scope& scope, const CallTree& tree, std::span<const Step> steps,
                        const std::string& name) {
  try {
    return select(scope, tree, steps);
  } catch (const Error& error) {
    rethrow_about(error, name);
  }
}
}  // namespace

const CallTree& Study::tree() const {
  return tree_.get([&] { return CallTree::build(trace_, {.threads = threads_}); });
}

const CallTree& Study::tree_with_pseudo_operators() const {
  return tree_with_pseudo_operators_.get(
      [&] { return CallTree::build(trace_, {.with_pseudo_operators = true, .threads = threads_}); });
}

const Steps& Study::steps() const {
  return steps_.get([&] { return Steps::find(tree()); });
}

const analysis::GpuBuckets& Study::buckets() const {
  return buckets_.get([&] { return analysis::GpuBuckets(trace_); });
}

const Populations& Study::populations() const {
  return populations_.get([&] {
    return Populations{analysis::measure_population(trace_, buckets(), trace_.gpu_events()),
                       analysis::measure_population(trace_, buckets(), analysis::linked_population(tree()))};
  });
}

const std::vector<analysis::SuspectDuration>& Study::suspect_durations() const {
  return suspect_durations_.get([&] { return analysis::find_suspect_durations(tree()); });
}

const analysis::GpuPopulation& Study::clipped() const {
  return clipped_.get([&] {
    if (suspect_durations().empty()) return populations().all;
    return analysis::measure_clipped(trace_, buckets(), trace_.gpu_events(), suspect_durations());
  });
}

analysis::TraceKind Study::kind() const { return overview().kind; }

const analysis::FitnessReport& Study::fitness() const {
  return fitness_.get([&] { return analysis::assess_fitness(tree(), steps(), buckets()); });
}

const analysis::Overview& Study::overview() const {
  return overview_.get([&] { return analysis::overview_of(tree(), steps()); });
}

void Study::stop_if_asked(const std::stop_token& stop) const {
  if (stop.stop_requested()) throw Error({.code = ErrorCode::interrupted, .input = name_});
}

template <typename Result, typename Make>
Result Study::made_of_scope(const analysis::TableOptions& options, const std::stop_token& stop, Make make) const {
  const CallTree& tree = options.has_pseudo_operators ? tree_with_pseudo_operators() : this->tree();
  stop_if_asked(stop);
  // Steps are annotations and GPU work, which pseudo-operators leave as they are.
  const std::span<const Step> all_steps = steps().steps();
  stop_if_asked(stop);
  const ScopeSelection selection = selected(options.scope, tree, all_steps, name_);
  if (selection.gpu_events().empty()) {
    throw Error({.code = ErrorCode::cannot_answer,
                 .input = name_,
                 .problem = options.scope.is_whole() ? "the trace has no GPU work to make tables of"
                                                     : "no GPU work is in this scope",
                 .next = "see: kinetoscope info"});
  }
  stop_if_asked(stop);
  Result result = make(tree, buckets(), selection.gpu_events(), all_steps, options, stop);
  result.diagnostics = selection.diagnostics();
  return result;
}

template <typename Result, typename Make>
const Result& Study::once_for(const OnceByKey<analysis::TableOptions, Result>& results,
                              const analysis::TableOptions& options, const std::stop_token& stop, Make make) const {
  while (true) {
    try {
      stop_if_asked(stop);
      return results.get(options, [&] { return made_of_scope<Result>(options, stop, make); });
    } catch (const Error& error) {
      // Where another asker was interrupted whom this one waited for, it is this one's turn.
      if (error.code() != ErrorCode::interrupted || stop.stop_requested()) rethrow_about(error, name_);
    }
  }
}

const analysis::Tables& Study::tables(const analysis::TableOptions& options, const std::stop_token& stop) const {
  return once_for(tables_, options, stop, analysis::make_tables);
}

const analysis::RooflineReport& Study::roofline(const analysis::TableOptions& options,
                                                const std::stop_token& stop) const {
  return once_for(rooflines_, options, stop, analysis::make_roofline_report);
}

const Diagnostics& Study::diagnostics() const {
  return diagnostics_.get([&] {
    Diagnostics all = trace_.diagnostics();
    all.merge(tree().diagnostics());
    all.merge(steps().diagnostics());
    all.add(trace_diagnostics::suspect_duration, {}, suspect_durations().size());
    return all;
  });
}

report::Info Study::info(const std::stop_token& stop) const {
  const auto unless_stopped = [&](const auto& result) -> const auto& {
    stop_if_asked(stop);
    return result;
  };
  static_cast<void>(unless_stopped(trace_));
  static_cast<void>(unless_stopped(tree()));
  static_cast<void>(unless_stopped(steps()));
  return {.file = name_,
          .overview = unless_stopped(overview()),
          .all = unless_stopped(populations()).all,
          .linked = populations().linked,
          .clipped = unless_stopped(clipped()),
          .suspects = suspect_durations(),
          .fitness = unless_stopped(fitness()),
          .diagnostics = unless_stopped(diagnostics())};
}

void Study::require(analysis::Question question) const {
  const analysis::Fitness& verdict = fitness().of(question);
  if (verdict.verdict != analysis::Verdict::no) return;
  std::string next;
  if (!verdict.record.empty()) {
    next = "record again with " + verdict.record.front().framework + ":";
    for (const std::string& line : verdict.record.front().lines) next += " " + line;
  }
  throw Error({.code = ErrorCode::cannot_answer, .input = name_, .problem = verdict.reason, .next = std::move(next)});
}

std::unique_ptr<const Study> load_study(std::string name, const StudyOptions& options) {
  try {
    Trace trace = import(name, options);
    if (options.strict) refuse_repaired(trace);
    return std::make_unique<const Study>(std::move(name), std::move(trace), options.threads);
  } catch (const Error& error) {
    rethrow_about(error, name);
  }
}
}  // namespace kinetoscope
