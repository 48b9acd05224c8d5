#include "core/analysis/kernel_details.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

std::vector<KernelDetail> details_of(const TableScene& scene) {
  const Launchers launchers = find_launchers(*scene.input);
  std::vector<std::uint32_t> places(launchers.launchers.size());
  std::iota(places.begin(), places.end(), 0U);
  return KernelDetailList(*scene.trace, launchers).of(places);
}
}  // namespace

TEST_CASE("kernel details: kernels are told apart by place in the launch and name, and all are counted") {
  // Two launches of different lengths: the reference leaves the second out.
  const TableScene scene(TestTrace()
                             .op("op", 0, 10_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .launch("cudaLaunchKernel", 3_us, 4_us, 2)
                             .op("op", 20_us, 30_us)
                             .launch("cudaLaunchKernel", 21_us, 22_us, 3)
                             .kernel("split", 100_us, 102_us, 1)
                             .kernel("reduce", 110_us, 115_us, 2)
                             .kernel("split", 120_us, 121_us, 3)
                             .load());
  const std::vector<KernelDetail> details = details_of(scene);
  REQUIRE(details.size() == 2);
  CHECK(details[0].name == "split");
  CHECK(details[0].position == 0);
  CHECK(details[0].time.count == 2);
  CHECK(details[0].time.sum == 3_us);
  CHECK(details[1].name == "reduce");
  CHECK(details[1].position == 1);
  CHECK(details[1].time.count == 1);
}

TEST_CASE("kernel details: are printed as Python reads them, shortest total first") {
  const TableScene scene(TestTrace()
                             .op("op", 0, 10_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .op("op", 20_us, 30_us)
                             .launch("cudaLaunchKernel", 21_us, 22_us, 2)
                             .launch("cudaLaunchKernel", 23_us, 24_us, 3)
                             .kernel("it's", 100_us, 102_us, 1)
                             .kernel("it's", 110_us, 113_us, 2)
                             .stream(20)
                             .kernel("b", 120_us, 120'500, 3)
                             .load());
  // 2 and 3 us: mean 2.5, deviation divided by n 0.5.
  CHECK(details_text(details_of(scene)) ==
        "[{'name': 'b', 'stream': 20, 'count': 1, 'total_duration_us': 0.5, 'mean_duration_us': 0.5, "
        "'median_duration_us': 0.5, 'std_dev_duration_us': 0.0, 'min_duration_us': 0.5, 'max_duration_us': 0.5}, "
        "{'name': \"it's\", 'stream': 7, 'count': 2, 'total_duration_us': 5.0, 'mean_duration_us': 2.5, "
        "'median_duration_us': 2.5, 'std_dev_duration_us': 0.5, 'min_duration_us': 2.0, 'max_duration_us': 3.0}]");
  CHECK(short_details_text(details_of(scene)) ==
        "[{'name': 'b', 'stream': 20, 'mean_duration_us': 0.5}, {'name': \"it's\", 'stream': 7, 'mean_duration_us': "
        "2.5}]");
  CHECK(details_text({}) == "[]");
  CHECK(short_details_text({}).empty());
}

TEST_CASE("kernel details: names are cut by characters, not bytes") {
  const std::string fits(64, 'x');
  CHECK(shortened_name(fits) == fits);
  CHECK(shortened_name(fits + "y") == fits + "...");
  std::string accented;
  for (int i = 0; i < 65; ++i) accented += "é";
  CHECK(shortened_name(accented) == accented.substr(0, 128) + "...");
}

TEST_CASE("kernel details: means are rounded to two decimals as the reference does") {
  const auto rounded = [](std::int64_t duration_ns) {
    KernelDetail detail;
    detail.time.mean = static_cast<double>(duration_ns);
    return short_details_text(std::span(&detail, 1));
  };
  CHECK(rounded(1'115).ends_with(": 1.12}]"));
  CHECK(rounded(2'675).ends_with(": 2.68}]"));
  CHECK(rounded(2'305).ends_with(": 2.31}]"));  // goldens/perf_report/default/h100/facebook_timesformer..., UID 49
  CHECK(rounded_to_hundredths(0.333) == 0.33);
}
}  // namespace kinetoscope::analysis
