#pragma once

// One loaded trace with everything derived from it: what the command line, the tools and the evaluation ask. Each
// derived result is computed on first use, once, even when asked twice at the same time, and stays. Safe from any
// thread. References are valid as long as the study.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/trace/trace.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/fitness.hpp"
#include "core/analysis/gpu_population.hpp"
#include "core/analysis/overview.hpp"
#include "core/analysis/roofline_report.hpp"
#include "core/analysis/suspect_durations.hpp"
#include "core/analysis/tables.hpp"
#include "core/report/info_json.hpp"
#include "core/study/once.hpp"
#include "core/study/once_by_key.hpp"

namespace kinetoscope {

/// How far loading has come.
struct LoadProgress {
  std::uint64_t consumed_bytes = 0;          ///< of the file, compressed where it is
  std::optional<std::uint64_t> total_bytes;  ///< absent for a pipe
  std::uint64_t events = 0;
};

struct StudyOptions {
  /// 1: everything in the calling thread; more: a second thread reads, decompresses and helps with the tree.
  unsigned threads = 2;
  /// A repaired or cut input is refused with Error input_defect.
  bool strict = false;
  std::stop_token stop{};
  /// Called after every window, on the loading thread.
  std::function<void(const LoadProgress&)> on_progress{};
};

/// All GPU work, and the linked part of it that tables and findings are over.
struct Populations {
  analysis::GpuPopulation all;
  analysis::GpuPopulation linked;
};

class Study {
 public:
  /// `threads`: how many may build the tree; it is the same for any number.
  Study(std::string name, Trace trace, unsigned threads = 1)
      : name_(std::move(name)), trace_(std::move(trace)), threads_(threads) {}
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;
  ~Study() = default;

  /// As the user named the input; "-" for standard input.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const Trace& trace() const noexcept { return trace_; }
  [[nodiscard]] const CallTree& tree() const;
  /// With operators where kernels or Python frames do work that performance models know (CallTreeOptions).
  [[nodiscard]] const CallTree& tree_with_pseudo_operators() const;
  [[nodiscard]] const Steps& steps() const;
  [[nodiscard]] const analysis::GpuBuckets& buckets() const;
  [[nodiscard]] const Populations& populations() const;
  [[nodiscard]] const std::vector<analysis::SuspectDuration>& suspect_durations() const;
  /// All GPU work with the suspects' estimated ends; equal to populations().all when there is no suspect.
  [[nodiscard]] const analysis::GpuPopulation& clipped() const;
  [[nodiscard]] analysis::TraceKind kind() const;
  [[nodiscard]] const analysis::FitnessReport& fitness() const;
  [[nodiscard]] const analysis::Overview& overview() const;
  /// All tables under these options, once for each. Throws Error scope_matches_nothing, cannot_answer where no GPU
  /// work is in scope, and interrupted soon after `stop` was asked for.
  [[nodiscard]] const analysis::Tables& tables(const analysis::TableOptions& options,
                                               const std::stop_token& stop = {}) const;
  /// How far the work is from what the platform can do, under these options, once for each. Throws as tables().
  [[nodiscard]] const analysis::RooflineReport& roofline(const analysis::TableOptions& options,
                                                         const std::stop_token& stop = {}) const;
  /// Of reading, linking, steps and durations, together.
  [[nodiscard]] const Diagnostics& diagnostics() const;

  /// What the command `info` says of it, a copy. `stop` is asked between the results that it is made of; then Error
  /// interrupted.
  [[nodiscard]] report::Info info(const std::stop_token& stop = {}) const;
  /// Throws Error cannot_answer, with how to record a trace that can, when the verdict on the question is no.
  void require(analysis::Question question) const;
  /// What the trace takes from the machine; derived results are not counted.
  [[nodiscard]] std::size_t bytes_used() const noexcept { return trace_.allocated_bytes(); }

 private:
  /// Throws Error interrupted, about this trace.
  void stop_if_asked(const std::stop_token& stop) const;
  /// What `make` makes of the part of the trace that the options name.
  template <typename Result, typename Make>
  [[nodiscard]] Result made_of_scope(const analysis::TableOptions& options, const std::stop_token& stop,
                                     Make make) const;
  /// The same, once for each options.
  template <typename Result, typename Make>
  [[nodiscard]] const Result& once_for(const OnceByKey<analysis::TableOptions, Result>& results,
                                       const analysis::TableOptions& options, const std::stop_token& stop,
                                       Make make) const;

  std::string name_;
  Trace trace_;
  unsigned threads_;
  Once<CallTree> tree_;
  Once<CallTree> tree_with_pseudo_operators_;
  Once<Steps> steps_;
  Once<analysis::GpuBuckets> buckets_;
  Once<Populations> populations_;
  Once<std::vector<analysis::SuspectDuration>> suspect_durations_;
  Once<analysis::GpuPopulation> clipped_;
  Once<analysis::FitnessReport> fitness_;
  Once<analysis::Overview> overview_;
  OnceByKey<analysis::TableOptions, analysis::Tables> tables_;
  OnceByKey<analysis::TableOptions, analysis::RooflineReport> rooflines_;
  Once<Diagnostics> diagnostics_;
};

/// Opens, decompresses and imports `name` ("-" is standard input). Errors bear the input's name; input_defect is thrown
/// under `strict` only.
[[nodiscard]] std::unique_ptr<const Study> load_study(std::string name, const StudyOptions& options = {});
}  // namespace kinetoscope
