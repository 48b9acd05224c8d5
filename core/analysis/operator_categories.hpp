#pragma once

// What kind of work a launcher does (perf_model/operator_registry). The first that says something: the operator's name;
// the name of its first kernel; the nearest operator around it whose name says something, so that the inside of a fused
// attention is attention; else the category of all others.
//
// Kernel names go before what is around: a fill inside a normalisation is elementwise work, as it is outside.
// Cost: each distinct name is looked up once; all questions together walk each node of the tree once at the most, and
// there is a byte a node once something had to be looked for around.

#include <vector>

#include "core/base/huge_array.hpp"
#include "core/tree/call_tree.hpp"
#include "core/perf_model/operator_registry.hpp"

namespace kinetoscope::analysis {

class OperatorCategories {
 public:
  /// Both must outlive this.
  OperatorCategories(const CallTree& tree, const perf_model::OperatorRegistry& registry);

  /// `first_gpu_event` is the earliest of the launcher's own. Remembers what it looked up: one thread at a time.
  [[nodiscard]] perf_model::CategoryId of(NodeId launcher, EventId first_gpu_event);

 private:
  /// A category's number + 2, or one of these.
  enum Memo : std::uint8_t { unasked = 0, unknown = 1 };
  [[nodiscard]] std::uint8_t by_name(NodeId launcher);
  [[nodiscard]] std::uint8_t by_kernel(EventId event);
  [[nodiscard]] std::uint8_t by_surroundings(NodeId launcher);

  const CallTree* tree_;
  const perf_model::OperatorRegistry* registry_;
  HugeArray<std::uint8_t> by_name_;    // of operators and runtime calls
  HugeArray<std::uint8_t> by_kernel_;  // by the name of a GPU event
  HugeArray<std::uint8_t> around_;     // by node: what it and its surroundings are; empty until asked
  std::vector<NodeId> walked_;
};
}  // namespace kinetoscope::analysis
