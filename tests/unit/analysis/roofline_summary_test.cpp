#include "core/analysis/roofline_summary.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/analysis/timeline.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/modelled_scene.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

TableOptions held_against(const char* platform) {
  TableOptions options;
  options.platform = platform_choice_of(platform);
  return options;
}

struct RankedScene : ModelledScene {
  UnifiedSummary unified;
  RooflineSummary summary;

  explicit RankedScene(TableScene&& made)
      : ModelledScene(std::move(made)),
        unified(unified_summary(*scene.input, work, estimates)),
        summary(
            roofline_summary(unified, measure_timeline(*scene.trace, *scene.buckets, scene.input->events()).busy_ns)) {}
};

/// n elements of fp32 added: reads 8 n bytes and writes 4 n; on a platform of 3350 GB/s.
std::string elements(int n) {
  const std::string dims = "[" + std::to_string(n) + "]";
  return R"("Input Dims": [)" + dims + ", " + dims +
         R"(], "Input type": ["float", "float"], "Input Strides": [[1], [1]])";
}

TEST_CASE("roofline summary: what could be recovered most is first, and a call below its roofline takes nothing back") {
  TestTrace trace;
  trace.op("aten::add", 0, 10_us, elements(3'350'000)).launch("cudaLaunchKernel", 1_us, 2_us, 1);
  trace.op("aten::mul", 20_us, 30_us, elements(33'500)).launch("cudaLaunchKernel", 21_us, 22_us, 2);
  trace.op("aten::div", 40_us, 50_us, elements(3'350'000)).launch("cudaLaunchKernel", 41_us, 42_us, 3);
  trace.kernel("add", 100_us, 130_us, 1).kernel("mul", 130_us, 150_us, 2).kernel("div", 150_us, 155_us, 3);
  const RankedScene ranked(TableScene(trace.load(), held_against("H100 SXM")));
  const std::vector<RooflineGroup>& groups = ranked.summary.groups;
  REQUIRE(groups.size() == 3);
  // 12 bytes an element: 40.2 MB take 12 µs, 0.402 MB take 0.12 µs.
  CHECK(groups[0].row->name == "aten::mul");
  CHECK(groups[0].ranked.totals.recoverable_ns == doctest::Approx(19'880));
  CHECK(groups[1].row->name == "aten::add");
  CHECK(groups[1].ranked.totals.recoverable_ns == doctest::Approx(18'000));
  CHECK(*groups[1].ranked.percent_of_roofline == doctest::Approx(40));
  CHECK(groups[2].row->name == "aten::div");  // 5 µs for what takes 12
  CHECK(groups[2].ranked.totals.recoverable_ns == 0);
  CHECK(*groups[2].ranked.percent_of_roofline == doctest::Approx(240));
  REQUIRE(ranked.summary.categories.size() == 1);
  CHECK(ranked.summary.categories[0].category == "elementwise");
  CHECK(ranked.summary.categories[0].ranked.totals.recoverable_ns == doctest::Approx(37'880));
  CHECK(*ranked.summary.whole.recoverable_percent_of_busy == doctest::Approx(100.0 * 37'880 / 55'000));
}

TEST_CASE("roofline summary: time that other work hides cannot be won back") {
  TestTrace trace;
  trace.op("aten::add", 0, 10_us, elements(33'500)).launch("cudaLaunchKernel", 1_us, 2_us, 1);
  trace.op("aten::mul", 20_us, 30_us, elements(33'500)).launch("cudaLaunchKernel", 21_us, 22_us, 2);
  trace.kernel("add", 100_us, 120_us, 1).stream(9).kernel("mul", 100_us, 120_us, 2);
  const RankedScene ranked(TableScene(trace.load(), held_against("H100 SXM")));
  REQUIRE(ranked.summary.groups.size() == 2);
  CHECK(ranked.summary.groups[0].ranked.totals.recoverable_ns == doctest::Approx(19'880));
  CHECK(ranked.summary.groups[1].ranked.totals.recoverable_ns == 0);
  CHECK(ranked.summary.groups[1].ranked.counted_ns == 0);
}

TEST_CASE("roofline summary: groups add up to categories and to the whole, a part of busy time, in all traces") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const RankedScene ranked(recorded_scene(name, held_against("MI300X")));
    std::int64_t groups_ns = 0;
    std::int64_t categories_ns = 0;
    double recoverable_ns = 0;
    for (const RooflineGroup& group : ranked.summary.groups) {
      groups_ns += group.ranked.counted_ns;
      recoverable_ns += group.ranked.totals.recoverable_ns;
      CHECK(group.ranked.totals.counted_ns <= group.ranked.counted_ns);
      CHECK(group.ranked.totals.recoverable_ns <= static_cast<double>(group.ranked.counted_ns));
    }
    for (const RooflineCategory& category : ranked.summary.categories) categories_ns += category.ranked.counted_ns;
    const RankedWork& whole = ranked.summary.whole;
    CHECK(groups_ns == whole.counted_ns);
    CHECK(categories_ns == whole.counted_ns);
    CHECK(whole.counted_ns <= ranked.summary.busy_ns);
    CHECK(recoverable_ns == doctest::Approx(whole.totals.recoverable_ns));
  }
}
}  // namespace
}  // namespace kinetoscope::analysis
