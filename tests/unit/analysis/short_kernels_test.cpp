#include "core/analysis/short_kernels.hpp"

#include <doctest/doctest.h>

#include "core/analysis/short_kernels_columns.hpp"
#include "core/analysis/timeline.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/random_work.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

struct Studied {
  explicit Studied(Trace loaded, const TableOptions& options = {}) : Studied(TableScene(std::move(loaded), options)) {}
  explicit Studied(TableScene&& made)
      : scene(std::move(made)),
        trace(*scene.trace),
        tree(*scene.tree),
        buckets(*scene.buckets),
        input(*scene.input),
        found(short_kernels(input, measure_timeline(trace, buckets, input.events()).total_ns)) {}
  Studied(const Studied&) = delete;
  Studied& operator=(const Studied&) = delete;

  [[nodiscard]] std::vector<std::uint64_t> counts() const {
    std::vector<std::uint64_t> out;
    for (const ShortKernelBin& bin : found.histogram) out.push_back(bin.count);
    return out;
  }

  TableScene scene;
  const Trace& trace;
  const CallTree& tree;
  const GpuBuckets& buckets;
  const TableInput& input;
  ShortKernels found;
};

void check_sums(const Studied& studied) {
  std::uint64_t expected = 0;
  for (const EventId event : studied.input.events()) {
    const bool is_timed_kernel = studied.trace.role(event) == Role::kernel && studied.trace.extent(event);
    if (is_timed_kernel && studied.trace.duration_ns(event) < studied.input.options().short_kernel_ns) ++expected;
  }
  std::uint64_t in_bins = 0;
  for (const ShortKernelBin& bin : studied.found.histogram) in_bins += bin.count;
  std::uint64_t in_rows = 0;
  for (const ShortKernelRow& row : studied.found.rows) in_rows += row.count;
  CHECK(studied.found.kernels == expected);
  CHECK(in_bins == expected);
  CHECK(in_rows == expected);
}

TestTrace kernels_of(std::initializer_list<std::int64_t> durations_ns) {
  TestTrace trace;
  std::int64_t at_ns = 1'000;
  std::int64_t id = 1;
  for (const std::int64_t duration_ns : durations_ns) {
    trace.launch("cudaLaunchKernel", id * 10, id * 10 + 5, id);
    trace.kernel("k", at_ns, at_ns + duration_ns, id++);
    at_ns += duration_ns + 10;
  }
  return trace;
}
using Counts = std::vector<std::uint64_t>;
}  // namespace

TEST_CASE("short kernels: below the threshold only, the last bin has its end") {
  const Studied studied(kernels_of({1'000, 1'999, 2'000, 4'000, 5'000, 10'000}).load(),
                        {.short_kernel_ns = 10'000, .short_kernel_bins = 4});
  CHECK(studied.counts() == Counts{2, 1, 0, 2});  // edges 1, 2, 3, 4, 5 us
  CHECK(studied.found.histogram[1].begin_us == 2.0);
  CHECK(studied.found.histogram[3].end_us == 5.0);
  check_sums(studied);
}

TEST_CASE("short kernels: equal durations stand half a microsecond from either end") {
  const Studied studied(kernels_of({2'000, 2'000}).load(), {.short_kernel_bins = 2});
  CHECK(studied.found.histogram == std::vector<ShortKernelBin>{{1.5, 2.0, 0}, {2.0, 2.5, 2}});
}

TEST_CASE("short kernels: without any there are no bins and no rows") {
  const Studied studied(kernels_of({10'000}).load());
  CHECK(studied.found == ShortKernels{});
}

TEST_CASE("short kernels: a missing key is a key, equal prints are one row, unlinked kernels are in no row") {
  TestTrace trace;
  trace.op("aten::add", 0, 50, R"("Input Dims": [[2, 3], []], "Input Strides": [[3, 1], []])");
  trace.launch("cudaLaunchKernel", 10, 20, 1).launch("cudaLaunchKernel", 25, 30, 2);
  trace.op("aten::add", 60, 90, R"("Input Dims": [[2,3],[]], "Input Strides": [[3, 1], []])");
  trace.launch("cudaLaunchKernel", 70, 80, 3).launch("cudaLaunchKernel", 100, 110, 4);
  trace.kernel("k", 1'000, 1'100, 1).kernel("k", 1'200, 1'300, 2).kernel("k", 1'400, 1'500, 3);
  trace.kernel("k", 1'600, 1'700, 4).kernel("k", 1'800, 1'900, 9);
  const Studied studied(trace.load());
  REQUIRE(studied.found.rows.size() == 2);
  const ShortKernelRow& added = studied.found.rows[0];
  CHECK(added.parent == "aten::add");
  CHECK(added.count == 3);
  CHECK(added.sum_ns == 300);
  CHECK(added.mean_ns == 100.0);
  CHECK(*added.percent_of_total == doctest::Approx(100 * 300.0 / 700.0));
  CHECK_FALSE(added.concrete_inputs.has_value());
  CHECK_FALSE(studied.found.rows[1].parent.has_value());
  const auto columns = short_kernels_columns();
  CHECK(columns[1].cell(added) == Cell("((2, 3), ())"));
  CHECK(columns[3].cell(added) == Cell());
  check_sums(studied);
}

TEST_CASE("short kernels: only the first rows when so asked") {
  const Studied studied(kernels_of({1'000, 2'000}).kernel("other", 50'000, 50'001, 0).load(),
                        {.includes_unlinked = true, .top_short_kernels = 1});
  REQUIRE(studied.found.rows.size() == 1);
  CHECK(studied.found.rows[0].sum_ns == 3'000);
  CHECK(studied.found.kernels == 3);
}

TEST_CASE("short kernels: bins and rows add up to the short kernels, on random and on recorded traces") {
  for (std::uint32_t seed = 0; seed < random_traces; ++seed) {
    CAPTURE(seed);
    check_sums(Studied(random_work(seed), {.short_kernel_ns = 30, .short_kernel_bins = 1 + seed % 13}));
  }
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    check_sums(Studied(recorded_scene(name)));
  }
}

TEST_CASE("short kernels: bert's histogram is numpy's (perf_report 13 rows 10 and 12)") {
  const std::string_view bert = "mi300/gaunernst_bert-small-uncased__1016001.json.gz";
  const Studied studied(shared_trace(bert));
  REQUIRE(studied.found.histogram.size() == 100);
  CHECK(studied.found.histogram[0] == ShortKernelBin{1.964, 2.01852, 2});
  CHECK(studied.found.histogram[1].end_us == 2.0730399999999998);  // golden short_kernel_histogram.csv
  CHECK(studied.found.histogram[2].count == 3);
  CHECK(studied.found.rows[0].sum_ns == 85'736);  // golden short_kernels_summary.csv
  CHECK(*studied.found.rows[0].percent_of_total == doctest::Approx(2.452419581827793).epsilon(1e-9));
  const Studied coarse(shared_trace(bert), {.short_kernel_ns = 5'000, .short_kernel_bins = 7});
  CHECK(coarse.counts() == Counts{9, 2, 2, 1, 9, 4, 9});
}

TEST_CASE("short kernels: Qwen's histogram is over the kernels of its rows (perf_report 13 row 26)") {
  const Studied studied(shared_trace("mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"));
  CHECK(studied.found.kernels == 141);
  CHECK(studied.found.rows.size() == 14);
  const Studied all(shared_trace("mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"), {.includes_unlinked = true});
  CHECK(all.found.kernels == 196);
}

TEST_CASE("short kernels: a trace without operators has rows by kernel, triton's has none (row 38)") {
  const Studied studied(shared_trace("mi210/gpu_only_trace/gpu_only_trace.json.gz"));
  CHECK(studied.found.kernels == 444);
  CHECK(studied.found.rows.size() == 24);
  CHECK(short_kernels_columns_without_operators()[0].heading == "Kernel name");
  CHECK(Studied(shared_trace("torch_compile_triton/trace.json.gz")).found == ShortKernels{});
}
}  // namespace kinetoscope::analysis
