#pragma once

// Which backward call belongs to which forward call: by the autograd sequence number, and by the profiler's fwdbwd
// arrows where a number alone leaves doubt (a graph kept and run backward twice).
//
// The backward call is an operator named `autograd::engine::evaluate_function: ...`. Its forward call is the last
// operator with the same number that starts before it on another thread; on its own thread only where nothing else has
// the number. Cost: O(n) for operators without numbers, O(m log m) for m with.

#include <span>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {

struct BackwardLink {
  EventId forward = no_event;
  EventId backward = no_event;
  friend bool operator==(const BackwardLink&, const BackwardLink&) = default;
};

class BackwardLinks {
 public:
  BackwardLinks() = default;
  explicit BackwardLinks(std::vector<BackwardLink> links);
  /// In file order of the backward calls.
  [[nodiscard]] std::span<const BackwardLink> links() const noexcept { return links_; }
  /// no_event without one.
  [[nodiscard]] EventId forward_of(EventId backward) const noexcept;
  /// In file order; several when a graph ran backward more than once.
  [[nodiscard]] std::vector<EventId> backward_of(EventId forward) const;

 private:
  std::vector<BackwardLink> links_;       // sorted by backward
  std::vector<BackwardLink> by_forward_;  // sorted by forward, then backward
};

[[nodiscard]] BackwardLinks link_backward(const Trace& trace, Diagnostics& diagnostics);
}  // namespace kinetoscope
