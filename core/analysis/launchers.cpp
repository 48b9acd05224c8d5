#include "core/analysis/launchers.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "core/base/huge_array.hpp"
#include "core/base/radix_sort.hpp"
#include "core/analysis/counted_work.hpp"
#include "core/analysis/subtree_times.hpp"

namespace kinetoscope::analysis {
namespace {

/// An event that somebody launched, and where it stands in the population.
struct Owned {
  NodeId launcher = no_node;
  std::uint32_t place = 0;
};

/// Launchers in depth-first order, each with its events in file order. What nobody launched is added up in `out`.
HugeArray<Owned> owned_events(const TableInput& input, std::span<const std::int64_t> counted_ns, Launchers& out) {
  const std::span<const EventId> events = input.events();
  HugeArray<Owned> owned;
  owned.reserve(events.size());
  EventId last_call = no_event;
  NodeId last_launcher = no_node;
  for (std::uint32_t place = 0; place < events.size(); ++place) {
    const EventId event = events[place];
    if (input.buckets().of(event) == GpuBucket::communication) continue;
    const EventId call = input.tree().link(event).launch;
    if (call != last_call || call == no_event) last_launcher = input.tree().launcher(event);
    last_call = call;
    if (last_launcher == no_node) {
      ++out.unowned_events;
      out.unowned_counted_ns += counted_ns[place];
    } else {
      owned.push_back({last_launcher, place});
    }
  }
  HugeArray<Owned> scratch;
  radix_sort(owned.begin(), owned.end(), scratch,
             [](const Owned& one) { return std::uint64_t{index_of(one.launcher)}; });
  return owned;
}

/// Work without a start stands first.
void sort_by_start(const Trace& trace, std::span<EventId> events) {
  const auto starts_before = [&](EventId left, EventId right) {
    return std::tuple(trace.begin_ns(left), left) < std::tuple(trace.begin_ns(right), right);
  };
  if (!std::ranges::is_sorted(events, starts_before)) std::ranges::sort(events, starts_before);
}

/// Events in order of start.
std::int64_t busy_ns(const Trace& trace, std::span<const EventId> events) {
  std::int64_t busy = 0;
  std::int64_t until_ns = INT64_MIN;
  for (const EventId event : events) {
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent || extent->end_ns <= until_ns) continue;
    busy += extent->end_ns - std::max(extent->begin_ns, until_ns);
    until_ns = extent->end_ns;
  }
  return busy;
}

std::int64_t start_of(const TableInput& input, NodeId node, EventId first_event) {
  const std::int64_t begin_ns = input.tree().begin_ns(node);
  if (begin_ns != unknown_time_ns) return begin_ns;
  return input.tree().begin_ns(input.tree().launch(first_event));
}

/// The launcher of owned[begin, end), its events behind those of `out`.
Launcher make_launcher(const TableInput& input, std::span<const Owned> owned, std::span<const std::int64_t> counted_ns,
                       Launchers& out) {
  Launcher launcher;
  launcher.node = owned.front().launcher;
  launcher.first_event = static_cast<std::uint32_t>(out.events.size());
  launcher.events = static_cast<std::uint32_t>(owned.size());
  launcher.begin_ns = start_of(input, launcher.node, input.events()[owned.front().place]);
  for (const Owned& one : owned) {
    out.events.push_back(input.events()[one.place]);
    launcher.counted_ns += counted_ns[one.place];
  }
  const std::span<EventId> own = std::span(out.events).subspan(launcher.first_event);
  sort_by_start(input.trace(), own);
  launcher.direct_ns = busy_ns(input.trace(), own);
  launcher.subtree_ns = launcher.direct_ns;
  return launcher;
}

/// By start, then by the first event in the file. The events move along.
void sort_by_start(Launchers& out, std::span<const std::uint32_t> first_places) {
  std::vector<std::uint32_t> order(out.launchers.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto is_before = [&](std::uint32_t left, std::uint32_t right) {
    return std::tie(out.launchers[left].begin_ns, first_places[left]) <
           std::tie(out.launchers[right].begin_ns, first_places[right]);
  };
  if (std::ranges::is_sorted(order, is_before)) return;
  std::ranges::sort(order, is_before);
  Launchers sorted;
  sorted.launchers.reserve(out.launchers.size());
  sorted.events.reserve(out.events.size());
  for (const std::uint32_t place : order) {
    const std::span<const EventId> events = out.events_of(out.launchers[place]);
    sorted.launchers.push_back(out.launchers[place]);
    sorted.launchers.back().first_event = static_cast<std::uint32_t>(sorted.events.size());
    sorted.events.insert(sorted.events.end(), events.begin(), events.end());
  }
  out.launchers = std::move(sorted.launchers);
  out.events = std::move(sorted.events);
}
}  // namespace

Launchers find_launchers(const TableInput& input) {
  Launchers out;
  const std::vector<std::int64_t> counted_ns = counted_times_ns(input.trace(), input.buckets(), input.events());
  const HugeArray<Owned> owned = owned_events(input, counted_ns, out);
  out.events.reserve(owned.size());
  std::vector<std::uint32_t> first_places;
  for (std::size_t begin = 0, end = 0; begin < owned.size(); begin = end) {
    while (end < owned.size() && owned[end].launcher == owned[begin].launcher) ++end;
    const std::span<const Owned> own = owned.span().subspan(begin, end - begin);
    out.launchers.push_back(make_launcher(input, own, counted_ns, out));
    first_places.push_back(own.front().place);
  }
  measure_subtrees(input, out.launchers);
  sort_by_start(out, first_places);
  return out;
}
}  // namespace kinetoscope::analysis
