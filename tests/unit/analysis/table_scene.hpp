#pragma once

// A trace with everything that tables are computed from, for tests.

#include <memory>
#include <utility>

#include "core/tree/call_tree.hpp"
#include "core/analysis/launchers.hpp"
#include "core/analysis/operator_tables.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

/// What does not depend on the options, but for pseudo-operators. The trace does not move once the tree is built on it.
struct SceneParts {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const CallTree> tree;
  std::shared_ptr<const GpuBuckets> buckets;
};
[[nodiscard]] inline SceneParts scene_parts(std::shared_ptr<const Trace> trace, bool has_pseudo_operators) {
  SceneParts parts;
  parts.tree =
      std::make_shared<const CallTree>(CallTree::build(*trace, {.with_pseudo_operators = has_pseudo_operators}));
  parts.buckets = std::make_shared<const GpuBuckets>(*trace);
  parts.trace = std::move(trace);
  return parts;
}

struct TableScene : SceneParts {
  std::unique_ptr<const TableInput> input;

  explicit TableScene(SceneParts parts, const TableOptions& options = {}) : SceneParts(std::move(parts)) {
    input = std::make_unique<const TableInput>(*tree, *buckets, trace->gpu_events(), options);
  }
  explicit TableScene(Trace&& loaded, const TableOptions& options = {})
      : TableScene(scene_parts(std::make_shared<const Trace>(std::move(loaded)), options.has_pseudo_operators),
                   options) {}

  /// Without a timeline to take shares of.
  [[nodiscard]] OperatorTables operators() const { return operator_tables(*input, find_launchers(*input), 0); }
};
}  // namespace kinetoscope::analysis
