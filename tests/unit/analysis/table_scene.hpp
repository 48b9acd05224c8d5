#pragma once

// A trace with everything that tables are computed from, for tests.

#include <memory>
#include <utility>

#include "core/tree/call_tree.hpp"
#include "core/analysis/launchers.hpp"
#include "core/analysis/operator_tables.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

/// The trace does not move once the tree is built on it.
struct TableScene {
  std::unique_ptr<const Trace> trace;
  std::unique_ptr<const CallTree> tree;
  std::unique_ptr<const GpuBuckets> buckets;
  std::unique_ptr<const TableInput> input;

  explicit TableScene(Trace&& loaded, const TableOptions& options = {}) {
    trace = std::make_unique<const Trace>(std::move(loaded));
    tree = std::make_unique<const CallTree>(
        CallTree::build(*trace, {.with_pseudo_operators = options.has_pseudo_operators}));
    buckets = std::make_unique<const GpuBuckets>(*trace);
    input = std::make_unique<const TableInput>(*tree, *buckets, trace->gpu_events(), options);
  }

  /// Without a timeline to take shares of.
  [[nodiscard]] OperatorTables operators() const { return operator_tables(*input, find_launchers(*input), 0); }
};
}  // namespace kinetoscope::analysis
