#pragma once

// Events by where they stand: thread or device row, and time. How an arrow's ends, which have only (pid, tid, ts), name
// events. Built for the few events in question: O(n log n), look-up O(log n).

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/trace/trace.hpp"

namespace kinetoscope {

class EventPlaces {
 public:
  /// Look-ups give positions in `events`.
  EventPlaces(const Trace& trace, std::span<const EventId> events) : trace_(trace) {
    places_.reserve(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (trace.begin_ns(events[i]) == unknown_time_ns) continue;
      const std::int64_t duration_ns = std::max<std::int64_t>(trace.duration_ns(events[i]), 0);
      places_.push_back({trace.track(events[i]), trace.begin_ns(events[i]), duration_ns, i});
    }
    std::ranges::stable_sort(places_, [](const Place& left, const Place& right) {
      return std::tuple(left.track, left.begin_ns) < std::tuple(right.track, right.begin_ns);
    });
  }

  /// The first of the events that starts where and when `mark` does.
  [[nodiscard]] std::optional<std::size_t> at_start_of(EventId mark) const {
    const auto found = std::ranges::lower_bound(places_, std::tuple(trace_.track(mark), trace_.begin_ns(mark)), {},
                                                [](const Place& p) { return std::tuple(p.track, p.begin_ns); });
    if (found == places_.end() || found->track != trace_.track(mark) || found->begin_ns != trace_.begin_ns(mark)) {
      return {};
    }
    return found->position;
  }
  /// The last of the events that starts at or before `mark`, if it has not ended before.
  [[nodiscard]] std::optional<std::size_t> around_start_of(EventId mark) const {
    const auto behind = std::ranges::upper_bound(places_, std::tuple(trace_.track(mark), trace_.begin_ns(mark)), {},
                                                 [](const Place& p) { return std::tuple(p.track, p.begin_ns); });
    if (behind == places_.begin()) return {};
    const Place& place = *std::prev(behind);
    const bool is_around =
        place.track == trace_.track(mark) && trace_.begin_ns(mark) <= place.begin_ns + place.duration_ns;
    return is_around ? std::optional(place.position) : std::nullopt;
  }

 private:
  struct Place {
    TrackId track{};
    std::int64_t begin_ns = 0;
    std::int64_t duration_ns = 0;
    std::size_t position = 0;
  };
  const Trace& trace_;
  std::vector<Place> places_;
};
}  // namespace kinetoscope
