#include "core/analysis/timeline_rows.hpp"

#include <doctest/doctest.h>

#include "core/analysis/timeline_columns.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/random_work.hpp"

namespace kinetoscope::analysis {
namespace {

TimelineTables tables_of(const Trace& trace, const TableOptions& options = {},
                         const std::vector<bool>& is_recompute = {}) {
  const CallTree tree = CallTree::build(trace, {.with_python = false});
  const GpuBuckets buckets(trace);
  const Steps steps = Steps::find(tree);
  return timeline_tables(TableInput(tree, buckets, trace.gpu_events(), options), steps.steps(), is_recompute);
}

std::vector<std::pair<std::string_view, std::int64_t>> times(std::span<const TimelineRow> rows) {
  std::vector<std::pair<std::string_view, std::int64_t>> out;
  for (const TimelineRow& row : rows) out.emplace_back(spelling_of(row.type), row.time_ns);
  return out;
}
using Times = std::vector<std::pair<std::string_view, std::int64_t>>;

TestTrace two_steps() {
  TestTrace trace;
  trace.annotation("ProfilerStep#1", 0, 100_us).annotation("ProfilerStep#2", 100_us, 200_us);
  trace.launch("cudaLaunchKernel", 10_us, 20_us, 1).kernel("gemm", 50_us, 90_us, 1);
  trace.launch("cudaLaunchKernel", 110_us, 120_us, 2).stream(3, 1).kernel("gemm", 150_us, 170_us, 2);
  return trace;
}
}  // namespace

TEST_CASE("timeline rows: stand in the known order, unlinked work behind them") {
  const Trace trace = two_steps().kernel("lost", 160_us, 165_us, 99).load();
  const TimelineTables found = tables_of(trace);
  CHECK(times(found.rows) == Times{{"computation_time", 60_us},
                                   {"exposed_comm_time", 0},
                                   {"exposed_memcpy_time", 0},
                                   {"busy_time", 60_us},
                                   {"idle_time", 60_us},
                                   {"total_time", 120_us},
                                   {"total_comm_time", 0},
                                   {"total_memcpy_time", 0},
                                   {"unlinked_time", 5_us}});
  CHECK(*found.rows[0].percent == 50.0);
  CHECK(*found.rows[8].percent == doctest::Approx(100 * 5.0 / 120.0));
}

TEST_CASE(
    "timeline rows: unlinked work outside the span has no share, none has share 0, and asked for it is included") {
  const Trace trace = two_steps().kernel("lost", 190_us, 200_us, 99).load();
  CHECK_FALSE(tables_of(trace).rows.back().percent.has_value());
  CHECK(tables_of(trace).whole.total_ns == 120_us);
  const TimelineTables all = tables_of(trace, {.includes_unlinked = true});
  CHECK(all.whole.total_ns == 150_us);
  CHECK(all.rows.back().time_ns == 10_us);
  CHECK(*tables_of(two_steps().load()).rows.back().percent == 0.0);
}

TEST_CASE("timeline rows: with a threshold idle time is two rows") {
  const TimelineTables found = tables_of(two_steps().load(), {.micro_idle_ns = 70_us});
  REQUIRE(found.rows.size() == 10);
  CHECK(spelling_of(found.rows[4].type) == "micro_idle_time");
  CHECK(found.rows[4].time_ns == 60_us);
  CHECK(spelling_of(found.rows[5].type) == "macro_idle_time");
  CHECK(found.rows[5].time_ns == 0);
}

TEST_CASE("timeline rows: recomputed work is a block with a span of its own, and has a share of the whole") {
  const Trace trace = two_steps().load();
  std::vector<bool> is_recompute(trace.size(), false);
  is_recompute[index_of(trace.gpu_events()[1])] = true;
  const TimelineTables found = tables_of(trace, {.detects_recompute = true}, is_recompute);
  REQUIRE(found.rows.size() == 17);
  CHECK(found.rows[0].is_recompute == false);
  CHECK(found.rows[0].time_ns == 40_us);
  CHECK(found.rows[8].is_recompute == true);
  CHECK(found.rows[8].time_ns == 20_us);
  CHECK(*found.rows[8].percent == 100.0);
  CHECK(*found.rows[8].percent_of_whole == doctest::Approx(100 * 20.0 / 120.0));
  CHECK_FALSE(found.rows[16].is_recompute.has_value());
  // Nothing recomputed: that block is left out.
  CHECK(tables_of(trace, {.detects_recompute = true}).rows.size() == 9);
  CHECK(wanted_columns<TimelineRow>(timeline_columns(), {}).size() == 3);
  CHECK(wanted_columns<TimelineRow>(timeline_columns(), {.detects_recompute = true}).size() == 5);
}

TEST_CASE("timeline rows: devices and steps have blocks of their own") {
  const TimelineTables found = tables_of(two_steps().load());
  REQUIRE(found.by_device.size() == 16);
  CHECK(found.by_device[0].device == 0);
  CHECK(found.by_device[0].part.time_ns == 40_us);
  CHECK(found.by_device[8].device == 1);
  CHECK(found.by_device[8].part.time_ns == 20_us);
  REQUIRE(found.by_step.size() == 16);
  CHECK(found.by_step[8].step == StepId{1});
  CHECK(found.by_step[8].part.time_ns == 20_us);
  const Trace one = TestTrace().launch("cudaLaunchKernel", 1, 2, 1).kernel("gemm", 5, 9, 1).load();
  CHECK(tables_of(one).by_device.empty());
  CHECK(tables_of(TestTrace().op("aten::mm", 0, 5).load()) == TimelineTables{});
}

TEST_CASE("timeline rows: each block's parts add up to its total, on random traces") {
  for (std::uint32_t seed = 0; seed < random_traces; ++seed) {
    CAPTURE(seed);
    const TimelineTables found = tables_of(random_work(seed));
    REQUIRE(found.by_device.size() % 8 == 0);
    for (std::size_t i = 0; i < found.by_device.size(); i += 8) {
      const auto ns = [&](std::size_t row) { return found.by_device[i + row].part.time_ns; };
      CHECK(ns(0) + ns(1) + ns(2) == ns(3));
      CHECK(ns(3) + ns(4) == ns(5));
    }
  }
}

TEST_CASE("timeline rows: are the golden's on recorded traces (golden gpu_timeline.csv)") {
  struct Case {
    std::string_view trace;
    std::int64_t computation_ns;
    std::int64_t exposed_communication_ns;
    std::int64_t exposed_memcpy_ns;
    std::int64_t busy_ns;
    std::int64_t total_ns;
    std::int64_t communication_ns;
  };
  const std::array cases = {
      Case{"mi300/gaunernst_bert-small-uncased__1016001.json.gz", 388'344, 0, 2'404, 390'748, 3'495'976, 0},
      Case{"h100/gaunernst_bert-small-uncased__1016001.json.gz", 307'197, 0, 2'240, 309'437, 3'907'825, 0},
      Case{"mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 29'743'178, 0, 760, 29'743'938, 33'131'334, 0},
      Case{"h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 31'903'105, 0, 2'368, 31'905'473, 34'892'419, 0},
      Case{"mi210/gpu_only_trace/gpu_only_trace.json.gz", 5'343'422, 0, 0, 5'343'422, 5'979'503, 0},
      Case{"mi300/resnet_act_checkpoint.json.gz", 19'561'931, 35'088'512, 1'583'624, 56'234'067, 56'517'603,
           47'200'310},
  };
  for (const Case& known : cases) {
    CAPTURE(known.trace);
    const Timeline found = tables_of(shared_trace(known.trace)).whole;
    CHECK(found.computation_ns == known.computation_ns);
    CHECK(found.exposed_communication_ns == known.exposed_communication_ns);
    CHECK(found.exposed_memcpy_ns == known.exposed_memcpy_ns);
    CHECK(found.busy_ns == known.busy_ns);
    CHECK(found.total_ns == known.total_ns);
    CHECK(found.communication_ns == known.communication_ns);
  }
}

TEST_CASE("timeline rows: idle time of bert splits as the reference splits it (perf_report 13 row 11)") {
  // 0.004931640625 and 3.1002958984375 ms, printed from times on a grid of a quarter of a nanosecond: within 1 ns a
  // gap.
  const Trace trace = shared_trace("mi300/gaunernst_bert-small-uncased__1016001.json.gz");
  const Timeline found = tables_of(trace, {.micro_idle_ns = 5'000}).whole;
  CHECK(found.micro_idle_ns == doctest::Approx(4'931.64).epsilon(0.001));
  CHECK(found.macro_idle_ns == doctest::Approx(3'100'295.9).epsilon(0.00001));
  CHECK(found.micro_idle_ns + found.macro_idle_ns == 3'105'228);
}
}  // namespace kinetoscope::analysis
