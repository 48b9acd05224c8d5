#include "core/perf_model/compiled_kernels.hpp"

#include <doctest/doctest.h>

#include "core/analysis/tables.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

Trace compiled_trace(std::string_view arguments) {
  return TestTrace()
      .op("triton_poi_fused_add_0", 0, 50_us, arguments)
      .launch("cuLaunchKernel", 3_us, 4_us, 1)
      .kernel("triton_poi_fused_add_0", 100_us, 110_us, 1)
      .load();
}

/// Reads 4096 bfloat16 and writes as many.
TableOptions options_with_source() {
  perf_model::CompiledFolder folder;
  folder.kernels = {{"triton_poi_fused_add_0", 4096, 1, true, {{"bf16", 4096, 0}, {"bf16", 0, 4096}}}};
  TableOptions options;
  options.compiled = perf_model::CompiledKernels(folder);
  return options;
}

const perf_model::Estimate* estimate_of(const TableScene& scene, const TableOptions& options, Tables& tables) {
  tables = make_tables(*scene.tree, *scene.buckets, scene.trace->gpu_events(), {}, options);
  REQUIRE(tables.modelled->unified.rows.size() == 1);
  return tables.modelled->unified.rows.front().estimate;
}
}  // namespace

TEST_CASE("compiled kernels: tables take them for calls without arguments, and only for these") {
  const TableScene bare(compiled_trace(""));
  Tables tables;
  const perf_model::Estimate* found = estimate_of(bare, options_with_source(), tables);
  REQUIRE(found != nullptr);
  CHECK(found->bytes_moved == 16'384);  // 2 x 4096 x 2
  CHECK(found->flops == 4096);
  CHECK(found->notes.has(perf_model::Note::arguments_from_cache));
  const perf_model::Estimate* const missing = estimate_of(bare, {}, tables);
  CHECK((missing == nullptr || missing->gap == perf_model::Gap::argument_not_recorded));
  const TableScene full(compiled_trace(
      R"("Input Dims": [[64], [64], []], "Input type": ["float", "float", "Scalar"], "Concrete Inputs": ["", "", "64"])"));
  found = estimate_of(full, options_with_source(), tables);
  REQUIRE(found != nullptr);
  CHECK(found->flops == 64);
  CHECK_FALSE(found->notes.has(perf_model::Note::arguments_from_cache));
}
}  // namespace kinetoscope::analysis
