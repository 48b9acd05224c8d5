#include "core/tree/backward_links.hpp"

#include <algorithm>
#include <tuple>

#include "core/base/id_table.hpp"
#include "core/tree/diagnostics.hpp"
#include "core/tree/event_places.hpp"

namespace kinetoscope {
namespace {

constexpr std::string_view backward_prefix = "autograd::engine::evaluate_function:";

struct Numbered {
  std::int64_t number = 0;
  std::int64_t begin_ns = 0;
  EventId event = no_event;
  bool is_backward = false;
};

std::vector<Numbered> numbered_operators(const Trace& trace) {
  std::vector<Numbered> out;
  if (trace.is_absent(Argument::sequence_number)) return out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    if (trace.role(event) != Role::operator_call || trace.begin_ns(event) == unknown_time_ns) continue;
    const auto number = trace.integer(event, Argument::sequence_number);
    if (!number || *number < 0) continue;
    out.push_back({*number, trace.begin_ns(event), event, trace.name_text(event).starts_with(backward_prefix)});
  }
  std::ranges::sort(out, [](const Numbered& left, const Numbered& right) {
    return std::tuple(left.number, left.begin_ns, left.event) < std::tuple(right.number, right.begin_ns, right.event);
  });
  return out;
}

/// The last forward operator before `backward` among those of its number: on another thread, else on its own. Of those
/// that begin together the first in the file.
EventId forward_before(const Trace& trace, std::span<const Numbered> same_number, const Numbered& backward) {
  EventId on_own_thread = no_event;
  const Numbered* elsewhere = nullptr;
  for (std::size_t i = same_number.size(); i-- > 0;) {
    const Numbered& candidate = same_number[i];
    if (candidate.is_backward || candidate.begin_ns > backward.begin_ns || candidate.event == backward.event) continue;
    if (elsewhere != nullptr && candidate.begin_ns < elsewhere->begin_ns) break;
    if (trace.track(candidate.event) != trace.track(backward.event)) {
      elsewhere = &candidate;
      continue;
    }
    const auto around = trace.extent(backward.event);
    const bool is_inside = around && candidate.begin_ns >= around->begin_ns;
    const bool is_node = trace.name_text(candidate.event).ends_with("Backward0");
    if (on_own_thread == no_event && !is_inside && !is_node) on_own_thread = candidate.event;
  }
  return elsewhere != nullptr ? elsewhere->event : on_own_thread;
}

/// Forward operators by arrows: the arrow starts with the forward operator and ends inside the backward call.
class BackwardArrows {
 public:
  explicit BackwardArrows(const Trace& trace) : trace_(trace) {
    HugeArray<IdTable<EventId>::Entry> starts;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const auto event = id_at<EventId>(i);
      if (trace.role(event) == Role::operator_call) operators_.push_back(event);
      if (trace.role(event) != Role::backward_arrow) continue;
      if (trace.phase(event) == Phase::flow_start) starts.push_back({trace.arrow_id(event), event});
      if (trace.phase(event) == Phase::flow_end) ends_.push_back(event);
    }
    HugeArray<IdTable<EventId>::Entry> scratch;
    starts_ = {std::move(starts), scratch};
    std::ranges::sort(ends_, [&](EventId left, EventId right) {
      return std::tuple(trace.track(left), trace.begin_ns(left)) <
             std::tuple(trace.track(right), trace.begin_ns(right));
    });
  }
  [[nodiscard]] EventId forward_of(EventId backward) const {
    const auto extent = trace_.extent(backward);
    if (!extent) return no_event;
    const auto end =
        std::ranges::lower_bound(ends_, std::tuple(trace_.track(backward), extent->begin_ns), {},
                                 [&](EventId e) { return std::tuple(trace_.track(e), trace_.begin_ns(e)); });
    if (end == ends_.end() || trace_.track(*end) != trace_.track(backward) || trace_.begin_ns(*end) >= extent->end_ns) {
      return no_event;
    }
    const std::uint32_t start = starts_.first(trace_.arrow_id(*end));
    if (start == IdTable<EventId>::none) return no_event;
    if (!places_) places_.emplace(trace_, operators_);
    const auto found = places_->at_start_of(starts_.value(start));
    return found ? operators_[*found] : no_event;
  }

 private:
  const Trace& trace_;
  std::vector<EventId> operators_;
  IdTable<EventId> starts_;
  std::vector<EventId> ends_;
  mutable std::optional<EventPlaces> places_;  // built for the first question
};

}  // namespace

BackwardLinks::BackwardLinks(std::vector<BackwardLink> links) : links_(std::move(links)), by_forward_(links_) {
  std::ranges::sort(links_, {}, [](const BackwardLink& link) { return link.backward; });
  std::ranges::sort(by_forward_, [](const BackwardLink& left, const BackwardLink& right) {
    return std::tuple(left.forward, left.backward) < std::tuple(right.forward, right.backward);
  });
}

EventId BackwardLinks::forward_of(EventId backward) const noexcept {
  const auto found =
      std::ranges::lower_bound(links_, backward, {}, [](const BackwardLink& link) { return link.backward; });
  return found != links_.end() && found->backward == backward ? found->forward : no_event;
}

std::vector<EventId> BackwardLinks::backward_of(EventId forward) const {
  std::vector<EventId> out;
  auto found =
      std::ranges::lower_bound(by_forward_, forward, {}, [](const BackwardLink& link) { return link.forward; });
  for (; found != by_forward_.end() && found->forward == forward; ++found) out.push_back(found->backward);
  return out;
}

BackwardLinks link_backward(const Trace& trace, Diagnostics& diagnostics) {
  const std::vector<Numbered> operators = numbered_operators(trace);
  std::vector<BackwardLink> links;
  std::optional<BackwardArrows> arrows;
  for (std::size_t begin = 0; begin < operators.size();) {
    std::size_t end = begin;
    std::size_t backward_calls = 0;
    for (; end < operators.size() && operators[end].number == operators[begin].number; ++end) {
      backward_calls += static_cast<std::size_t>(operators[end].is_backward);
    }
    const std::span<const Numbered> group(operators.data() + begin, end - begin);
    // Hostile files may give one number to everything: then only the first backward calls are looked at by number.
    constexpr std::size_t most_per_number = 64;
    const bool is_ambiguous = backward_calls > 1;
    if (is_ambiguous) diagnostics.add(tree_diagnostics::ambiguous_backward, {}, backward_calls);
    if (is_ambiguous && !arrows) arrows.emplace(trace);
    std::size_t looked_at = 0;
    for (const Numbered& candidate : group) {
      if (!candidate.is_backward) continue;
      EventId forward = is_ambiguous ? arrows->forward_of(candidate.event) : no_event;
      if (forward == no_event && looked_at++ < most_per_number) forward = forward_before(trace, group, candidate);
      if (forward != no_event) links.push_back({forward, candidate.event});
    }
    begin = end;
  }
  return BackwardLinks(std::move(links));
}
}  // namespace kinetoscope
