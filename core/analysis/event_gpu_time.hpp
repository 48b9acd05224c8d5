#pragma once

// How long GPU work of a population ran that belongs to an event: its own for GPU work, what was launched for host
// calls.
//
// total_ns() of a call holds that of the calls inside it; own_ns() does not, so that own times of operators and of
// launches without an operator add up to the population's linked time. Durations are added up, overlaps not taken out.
// Cost: O(nodes + events) once; 32 bytes a node.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/huge_array.hpp"
#include "core/base/wide_sum.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope::analysis {

class EventGpuTime {
 public:
  /// `population` is GPU work, each event once; the tree must outlive this.
  EventGpuTime(const CallTree& tree, std::span<const EventId> population);

  /// Of the whole population.
  [[nodiscard]] WideSum population_ns() const noexcept { return population_ns_; }
  /// Absent for events that are neither GPU work nor calls in the tree.
  [[nodiscard]] std::optional<WideSum> total_ns(EventId event) const;
  /// Of operators: what they launched as the tables count it (CallTree::launcher); of runtime calls: what they put on a
  /// device. Absent for Python frames, which launch through either, and where total_ns() is.
  [[nodiscard]] std::optional<WideSum> own_ns(EventId event) const;
  /// Events of the population below the call. 0 where total_ns() is absent.
  [[nodiscard]] std::uint64_t kernels(EventId event) const;

 private:
  struct Sum {
    WideSum time_ns = 0;
    std::uint64_t events = 0;
  };
  [[nodiscard]] Sum below(NodeId call) const;

  const CallTree* tree_;
  WideSum population_ns_ = 0;
  std::vector<Sum> before_;        // by place among the tree's linked GPU events: of all before it
  std::vector<WideSum> launched_;  // by runtime call and operator
};
}  // namespace kinetoscope::analysis
