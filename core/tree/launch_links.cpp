#include "core/tree/launch_links.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "core/tree/diagnostics.hpp"
#include "core/tree/event_places.hpp"
#include "core/tree/launch_ids.hpp"
#include "core/tree/link_findings.hpp"
#include "core/tree/link_table.hpp"
#include "core/tree/shared_launch_ids.hpp"

namespace kinetoscope {
namespace {

constexpr std::array<std::string_view, 6> method_spellings = {
    "none", "correlation", "correlation_and_arrow", "correlation_and_device", "flow", "external_id"};
static_assert(method_spellings.size() == static_cast<std::size_t>(LinkMethod::external_id) + 1);
constexpr std::array<std::string_view, 5> cause_spellings = {"none", "queued_before_window", "launch_not_recorded",
                                                             "ambiguous_correlation", "no_identity"};
static_assert(cause_spellings.size() == static_cast<std::size_t>(UnlinkedCause::no_identity) + 1);

class Linker {
 public:
  Linker(const Trace& trace, const RuntimeCallTable& calls, Diagnostics& diagnostics)
      : trace_(trace),
        calls_(calls),
        diagnostics_(diagnostics),
        ids_(trace),
        table_(trace),
        shared_(trace, calls, ids_, table_, diagnostics) {}

  LaunchLinks run() && {
    link_by_correlation();
    for (const std::int64_t id : shared_ids_) shared_.link(id);
    link_by_arrow();
    link_by_external_id();
    std::vector<KernelEdge> edges = follow_arrows(trace_, ids_, table_, diagnostics_);
    count_links(trace_, calls_, ids_, table_, diagnostics_);
    return {std::move(table_).take(), std::move(edges)};
  }

 private:
  void link_by_correlation() {
    for (WorkOrdinal i = 0; i < table_.size(); ++i) {
      const std::int64_t id = trace_.integer(table_.event(i), Argument::correlation).value_or(0);
      if (id == 0) continue;
      const std::uint32_t first_launch = ids_.launches.first(id);
      if (first_launch == IdTable<EventId>::none) {
        const bool is_early = ids_.smallest_launch_id && id < *ids_.smallest_launch_id;
        table_.set_cause(i, is_early ? UnlinkedCause::queued_before_window : UnlinkedCause::launch_not_recorded);
        continue;
      }
      const std::uint32_t first_gpu = ids_.work.first(id);
      const bool is_shared = ids_.launches.next(first_launch) != IdTable<EventId>::none ||
                             ids_.work.next(first_gpu) != IdTable<WorkOrdinal>::none;
      if (!is_shared) {
        table_.link(i, ids_.launches.value(first_launch), LinkMethod::correlation);
      } else if (ids_.work.value(first_gpu) == i) {
        defer_or_link_graph(id, ids_.launches.value(first_launch));
      }
    }
  }

  /// An id of several: a graph launch that alone has the id owns all; the rest waits until devices have owners.
  void defer_or_link_graph(std::int64_t id, EventId launch) {
    const bool is_alone = ids_.launches.next(ids_.launches.first(id)) == IdTable<EventId>::none;
    const std::vector<WorkOrdinal> work = values(ids_.work, id);
    if (is_alone && shared_.owns_all(launch, work)) {
      for (const WorkOrdinal ordinal : work) table_.link(ordinal, launch, LinkMethod::correlation);
    } else {
      shared_ids_.push_back(id);
    }
  }

  /// GPU events whose id leads nowhere, by the arrow that ends at them.
  void link_by_arrow() {
    std::vector<EventId> unlinked;
    std::vector<WorkOrdinal> ordinals;
    for (WorkOrdinal i = 0; i < table_.size(); ++i) {
      if (table_.is_linked(i) || table_[i].cause == UnlinkedCause::ambiguous_correlation) continue;
      unlinked.push_back(table_.event(i));
      ordinals.push_back(i);
    }
    if (unlinked.empty()) return;
    const std::vector<EventPair> arrows = unused_arrows();
    if (arrows.empty()) return;
    const EventPlaces targets(trace_, unlinked);
    const std::vector<EventId> calls = runtime_calls();
    const EventPlaces call_places(trace_, calls);
    for (const EventPair& arrow : arrows) {
      const auto target = targets.at_start_of(arrow.end);
      const auto call = call_places.at_start_of(arrow.start);
      if (call && !target) diagnostics_.add(tree_diagnostics::flow_target_missing);
      if (target && call && !table_.is_linked(ordinals[*target]))
        table_.link(ordinals[*target], calls[*call], LinkMethod::flow);
    }
  }

  struct EventPair {
    EventId start = no_event;
    EventId end = no_event;
  };
  /// Arrows whose id is no GPU event's that is linked already: the k-th start of an id with its k-th end.
  [[nodiscard]] std::vector<EventPair> unused_arrows() const {
    std::vector<EventPair> out;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const auto event = id_at<EventId>(i);
      if (trace_.role(event) != Role::launch_arrow || trace_.phase(event) != Phase::flow_start) continue;
      const std::int64_t id = trace_.arrow_id(event);
      const std::uint32_t first = ids_.arrow_starts.first(id);
      if (first == IdTable<EventId>::none || ids_.arrow_starts.value(first) != event) continue;  // once an id
      const std::uint32_t work = ids_.work.first(id);
      if (work != IdTable<WorkOrdinal>::none && table_.is_linked(ids_.work.value(work))) continue;
      const std::vector<EventId> starts = values(ids_.arrow_starts, id);
      const std::vector<EventId> ends = values(ids_.arrow_ends, id);
      for (std::size_t k = 0; k < std::min(starts.size(), ends.size()); ++k) out.push_back({starts[k], ends[k]});
    }
    return out;
  }

  [[nodiscard]] std::vector<EventId> runtime_calls() const {
    std::vector<EventId> out;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (trace_.role(id_at<EventId>(i)) == Role::runtime_call) out.push_back(id_at<EventId>(i));
    }
    return out;
  }

  /// GPU events with neither id nor arrow: the k-th of an External id goes with its k-th call that has no work yet,
  /// when there are as many of both; a single call owns a single event.
  void link_by_external_id() {
    std::map<std::int64_t, std::vector<WorkOrdinal>> work;
    for (WorkOrdinal i = 0; i < table_.size(); ++i) {
      if (table_.is_linked(i) || trace_.integer(table_.event(i), Argument::correlation).value_or(0) != 0) continue;
      const std::int64_t id = trace_.integer(table_.event(i), Argument::external_id).value_or(0);
      if (id != 0) work[id].push_back(i);
    }
    if (work.empty()) return;
    std::vector<EventId> busy;
    busy.reserve(table_.size());
    for (WorkOrdinal i = 0; i < table_.size(); ++i) busy.push_back(table_[i].launch);
    std::ranges::sort(busy);
    std::map<std::int64_t, std::vector<EventId>> calls;
    for (const EventId event : runtime_calls()) {
      if (std::ranges::binary_search(busy, event) || !names::is_launch(calls_.of(event))) continue;
      calls[trace_.integer(event, Argument::external_id).value_or(0)].push_back(event);
    }
    const auto by_time = [&](EventId left, EventId right) {
      return std::tuple(trace_.begin_ns(left), left) < std::tuple(trace_.begin_ns(right), right);
    };
    for (auto& [id, ordinals] : work) {
      const auto found = calls.find(id);
      if (found == calls.end()) continue;
      for (const WorkOrdinal ordinal : ordinals) table_.set_cause(ordinal, UnlinkedCause::ambiguous_correlation);
      if (found->second.size() != ordinals.size()) continue;
      std::ranges::sort(found->second, by_time);
      std::ranges::sort(ordinals, [&](WorkOrdinal left, WorkOrdinal right) {
        return by_time(table_.event(left), table_.event(right));
      });
      for (std::size_t k = 0; k < ordinals.size(); ++k)
        table_.link(ordinals[k], found->second[k], LinkMethod::external_id);
    }
  }

  const Trace& trace_;
  const RuntimeCallTable& calls_;
  Diagnostics& diagnostics_;
  LaunchIds ids_;
  LinkTable table_;
  SharedIdLinker shared_;
  std::vector<std::int64_t> shared_ids_;
};
}  // namespace

std::string_view spelling_of(LinkMethod method) noexcept { return method_spellings[static_cast<std::size_t>(method)]; }

std::string_view spelling_of(UnlinkedCause cause) noexcept { return cause_spellings[static_cast<std::size_t>(cause)]; }

LaunchLinks link_launches(const Trace& trace, const RuntimeCallTable& calls, Diagnostics& diagnostics) {
  return Linker(trace, calls, diagnostics).run();
}
}  // namespace kinetoscope
