#pragma once

// What every table is computed from: the call tree, the buckets of GPU work, the options, and the one population
// (decision 4) that the scope and the options choose. Built once, read by each sheet.

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "core/tree/call_tree.hpp"
#include "core/analysis/gpu_population.hpp"
#include "core/analysis/table_options.hpp"

namespace kinetoscope::analysis {

class TableInput {
 public:
  /// `in_scope` is GPU work in file order; tree and buckets must outlive this. O(events of the trace).
  TableInput(const CallTree& tree, const GpuBuckets& buckets, std::span<const EventId> in_scope, TableOptions options,
             std::stop_token stop = {});

  [[nodiscard]] const CallTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const Trace& trace() const noexcept { return tree_->trace(); }
  [[nodiscard]] const GpuBuckets& buckets() const noexcept { return *buckets_; }
  [[nodiscard]] const TableOptions& options() const noexcept { return options_; }
  /// What is known of operators. Valid as long as this, or another copy of the options.
  [[nodiscard]] const perf_model::OperatorRegistry& registry() const { return options_.operators.registry(); }

  /// What tables are over, in file order: linked GPU work; all of it with includes_unlinked, and in a trace without any
  /// launch.
  [[nodiscard]] std::span<const EventId> events() const noexcept { return events_; }
  /// GPU work in scope without a launch, in file order; none in a trace without any launch.
  [[nodiscard]] std::span<const EventId> unlinked() const noexcept { return unlinked_; }
  /// All GPU work in scope, in file order: what kernel_summary lists.
  [[nodiscard]] std::span<const EventId> in_scope() const noexcept { return in_scope_; }
  /// The event is one of events().
  [[nodiscard]] bool contains(EventId event) const noexcept { return is_whole_ || contains_[index_of(event)]; }
  /// No launch stands behind it though the trace has launches: it has no operator.
  [[nodiscard]] bool is_unlinked(EventId event) const noexcept {
    return tree_->has_launches() && tree_->link(event).launch == no_event;
  }
  /// No host operator was recorded: operator sheets cannot be made, kernel sheets name no operator.
  [[nodiscard]] bool is_gpu_only() const noexcept { return trace().count(Role::operator_call) == 0; }

  /// Throws Error interrupted once a stop was asked for. A loop gives its `place` and asks always: few are looked at.
  void stop_if_asked(std::size_t place = 0) const {
    if (place % places_between_stops == 0 && stop_.stop_requested()) fail_interrupted();
  }

 private:
  static constexpr std::size_t places_between_stops = 8'192;
  [[noreturn]] static void fail_interrupted();

  const CallTree* tree_;
  const GpuBuckets* buckets_;
  TableOptions options_;
  std::stop_token stop_;
  std::vector<EventId> in_scope_;
  std::vector<EventId> events_;
  std::vector<EventId> unlinked_;
  bool is_whole_ = false;       // events_ is all GPU work of the trace
  std::vector<bool> contains_;  // by EventId; empty when is_whole_
};
}  // namespace kinetoscope::analysis
