#pragma once

// GPU work by who launched it as a user sees it (CallTree::launcher), communication apart: what the operator sheets are
// made of. A launcher that is no operator is the runtime call itself.
//
// Each event of the population has one launcher at the most, and each instant of GPU time counts for one event
// (counted_work.hpp): the launchers' counted_ns and unowned_counted_ns together are computation_time and
// exposed_memcpy_time of the same population's timeline. Times of subtrees overlap: a parent's holds its children's.
// Cost: O(n log n) for n events, and O(n log^2 n) for those of launchers inside one another, however deep.

#include <cstdint>
#include <span>

#include "core/base/huge_array.hpp"
#include "core/analysis/counted_work.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

struct Launcher {
  NodeId node = no_node;
  std::uint32_t first_event = 0;            ///< of Launchers::events
  std::uint32_t events = 0;                 ///< at least 1
  std::uint32_t first_place = 0;            ///< of its first event in the file, among TableInput::events()
  std::int64_t begin_ns = unknown_time_ns;  ///< the call's start; of a pseudo-operator without one, its launch's
  std::int64_t direct_ns = 0;               ///< some event of its own ran
  std::int64_t subtree_ns = 0;              ///< some event launched below it ran, communication included
  std::int64_t counted_ns = 0;              ///< its share of the GPU's time, no instant counted twice
  friend bool operator==(const Launcher&, const Launcher&) = default;
};

struct Launchers {
  HugeArray<Launcher> launchers;        ///< by start, then by their first event in the file
  HugeArray<EventId> events;            ///< each launcher's together, by start, then in file order
  std::uint64_t unowned_events = 0;     ///< computation and copies that nobody launched
  std::int64_t unowned_counted_ns = 0;  ///< their share of the GPU's time

  [[nodiscard]] std::span<const EventId> events_of(const Launcher& launcher) const noexcept {
    return events.span().subspan(launcher.first_event, launcher.events);
  }
};

/// `counted_ns` is counted_times_ns() of the input's events.
[[nodiscard]] Launchers find_launchers(const TableInput& input, std::span<const std::int64_t> counted_ns);
[[nodiscard]] inline Launchers find_launchers(const TableInput& input) {
  return find_launchers(input, counted_times_ns(input.trace(), input.buckets(), input.events()));
}
}  // namespace kinetoscope::analysis
