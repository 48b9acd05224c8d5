#pragma once

// A scene with what models say of its work, for tests of the sheets made from it.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/counted_work.hpp"
#include "core/analysis/operator_work.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {

struct ModelledScene {
  TableScene scene;
  CallEstimates estimates;
  std::vector<std::int64_t> counted_ns;  ///< by place in the input's events
  OperatorWork work;

  explicit ModelledScene(Trace&& loaded, const TableOptions& options = {})
      : ModelledScene(TableScene(std::move(loaded), options)) {}
  explicit ModelledScene(TableScene&& made)
      : scene(std::move(made)),
        estimates(*scene.tree, {}, perf_model::operator_registry()),
        counted_ns(counted_times_ns(*scene.trace, *scene.buckets, scene.input->events())),
        work(operator_work(*scene.input, counted_ns, estimates)) {}
};

inline constexpr std::string_view mm_arguments =
    R"("Input Dims": [[64, 32], [32, 16]], "Input type": ["c10::BFloat16", "c10::BFloat16"])";
}  // namespace kinetoscope::analysis
