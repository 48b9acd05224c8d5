#include "core/analysis/launchers.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "core/base/huge_array.hpp"
#include "core/base/radix_sort.hpp"
#include "core/analysis/busy_time.hpp"
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
    input.stop_if_asked(place);
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

std::int64_t start_of(const TableInput& input, NodeId node, EventId first_event) {
  const std::int64_t begin_ns = input.tree().begin_ns(node);
  if (begin_ns != unknown_time_ns) return begin_ns;
  return input.tree().begin_ns(input.tree().launch(first_event));
}

/// The launcher of `owned`, its events behind those of `out`.
Launcher make_launcher(const TableInput& input, std::span<const Owned> owned, std::span<const std::int64_t> counted_ns,
                       Launchers& out) {
  Launcher launcher;
  launcher.node = owned.front().launcher;
  launcher.first_event = static_cast<std::uint32_t>(out.events.size());
  launcher.events = static_cast<std::uint32_t>(owned.size());
  launcher.first_place = owned.front().place;
  launcher.begin_ns = start_of(input, launcher.node, input.events()[launcher.first_place]);
  for (const Owned& one : owned) {
    out.events.push_back(input.events()[one.place]);
    launcher.counted_ns += counted_ns[one.place];
  }
  const std::span<EventId> own(out.events.begin() + launcher.first_event, owned.size());
  sort_by_start(input.trace(), own);
  launcher.direct_ns = busy_ns(input.trace(), own);
  launcher.subtree_ns = launcher.direct_ns;
  return launcher;
}

/// Threads follow one another in the tree; here they are woven into one row by time.
void weave_by_start(HugeArray<Launcher>& launchers) {
  struct Start {
    std::uint64_t begin = 0;
    std::uint32_t place = 0;
    std::uint32_t index = 0;
  };
  HugeArray<Start> starts;
  starts.reserve(launchers.size());
  for (std::uint32_t i = 0; i < launchers.size(); ++i) {
    // Flipping the sign bit makes the order of signed numbers that of unsigned ones.
    const std::uint64_t begin = static_cast<std::uint64_t>(launchers[i].begin_ns) ^ (std::uint64_t{1} << 63);
    starts.push_back({begin, launchers[i].first_place, i});
  }
  const auto is_before = [](const Start& left, const Start& right) {
    return std::tie(left.begin, left.place) < std::tie(right.begin, right.place);
  };
  if (std::ranges::is_sorted(starts.span(), is_before)) return;
  HugeArray<Start> scratch;
  radix_sort(starts.begin(), starts.end(), scratch, [](const Start& start) { return start.begin; });
  for (Start* begin = starts.begin(); begin != starts.end();) {
    Start* end = begin;
    while (end != starts.end() && end->begin == begin->begin) ++end;
    if (end - begin > 1) std::sort(begin, end, is_before);
    begin = end;
  }
  HugeArray<Launcher> sorted;
  sorted.reserve(launchers.size());
  for (const Start& start : starts) sorted.push_back(launchers[start.index]);
  launchers = std::move(sorted);
}
}  // namespace

Launchers find_launchers(const TableInput& input, std::span<const std::int64_t> counted_ns) {
  Launchers out;
  const HugeArray<Owned> owned = owned_events(input, counted_ns, out);
  out.events.reserve(owned.size());
  for (std::size_t begin = 0, end = 0; begin < owned.size(); begin = end) {
    input.stop_if_asked(out.launchers.size());
    while (end < owned.size() && owned[end].launcher == owned[begin].launcher) ++end;
    const std::span<const Owned> own = owned.span().subspan(begin, end - begin);
    out.launchers.push_back(make_launcher(input, own, counted_ns, out));
  }
  measure_subtrees(input, {out.launchers.begin(), out.launchers.size()});
  weave_by_start(out.launchers);
  return out;
}
}  // namespace kinetoscope::analysis
