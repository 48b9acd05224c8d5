#include "core/analysis/tables.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::string_view elementwise_with_sum = "void at::native::vectorized_elementwise_kernel<4, nccl_sum>(int)";
constexpr std::string_view all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

/// An operator that nobody registered, whose own kernels are communication by their names.
TableScene talk() {
  return TableScene(TestTrace()
                        .op("custom::talk", 0, 100_us)
                        .launch("cudaLaunchKernel", 10_us, 12_us, 1)
                        .launch("cudaLaunchKernel", 20_us, 22_us, 2)
                        .kernel(elementwise_with_sum, 200_us, 210_us, 1)
                        .kernel(all_reduce, 300_us, 310_us, 2)
                        .load());
}

/// Two operators of 40 and 10 us computation, a copy of 10 us beside the first, 40 us idle.
TableScene mixed() {
  return TableScene(TestTrace()
                        .op("aten::mm", 0, 100_us)
                        .launch("cudaLaunchKernel", 10_us, 12_us, 1)
                        .launch("cudaMemcpyAsync", 20_us, 22_us, 2)
                        .op("aten::add", 110_us, 150_us)
                        .launch("cudaLaunchKernel", 120_us, 122_us, 3)
                        .kernel("gemm", 200_us, 240_us, 1)
                        .kernel("add", 290_us, 300_us, 3)
                        .stream(20)
                        .copy("Memcpy DtoD (Device -> Device)", 235_us, 250_us, 2)
                        .load());
}

Tables made(const TableScene& scene, std::span<const EventId> in_scope, const TableOptions& options,
            const std::stop_token& stop = {}) {
  return make_tables(*scene.tree, *scene.buckets, in_scope, {}, options, stop);
}

template <typename Make>
bool is_interrupted(Make make) {
  try {
    static_cast<void>(make());
  } catch (const Error& error) {
    return error.code() == ErrorCode::interrupted;
  }
  return false;
}
}  // namespace

TEST_CASE("tables: an operator that only communicates has the category of its first kernel in scope") {
  const TableScene scene = talk();
  const TableOptions options = {.has_kernel_summary = true};
  const Tables whole = made(scene, scene.trace->gpu_events(), options);
  REQUIRE(whole.kernels->size() == 2);
  for (const KernelSummaryRow& row : *whole.kernels) CHECK(row.category == "elementwise");
  // The kernel that looks like elementwise work is outside of the scope.
  const std::vector<EventId> second = {event_named(*scene.trace, all_reduce)};
  const Tables part = made(scene, second, options);
  REQUIRE(part.kernels->size() == 1);
  CHECK(part.kernels->front().parent == "custom::talk");
  CHECK(part.kernels->front().category == "other");
}

TEST_CASE("tables: kernels and operators agree on the category, whatever the scope") {
  const TableScene scene = mixed();
  for (const EventId event : scene.trace->gpu_events()) {
    const std::vector<EventId> alone = {event};
    const Tables tables = made(scene, alone, {.has_kernel_summary = true});
    if (tables.kernels->empty()) continue;  // a copy
    REQUIRE(tables.operators->by_category.size() == 1);
    CHECK(tables.kernels->front().category == tables.operators->by_category.front().category);
  }
}

TEST_CASE("tables: shares of counted time add up to those of computation and exposed copies") {
  const TableScene scene = mixed();
  const Tables tables = made(scene, scene.trace->gpu_events(), {});
  // 100 us from 200 to 300: mm computes for 40 and copies for 10 more that nothing hides, add computes for 10.
  REQUIRE(tables.timeline.whole.total_ns == 100_us);
  for (const OperatorRow& row : tables.operators->summary) {
    CHECK(*row.totals.percent_of_whole == doctest::Approx(row.name == "aten::mm" ? 50 : 10));
  }
  double of_categories = 0;
  for (const CategoryRow& row : tables.operators->by_category) of_categories += *row.totals.percent_of_whole;
  CHECK(of_categories == doctest::Approx(60));
  double of_rows = 0;
  for (const UniqueArgumentsRow& row : tables.operators->unique_arguments) of_rows += *row.totals.percent_of_whole;
  CHECK(of_rows == doctest::Approx(60));
}

TEST_CASE("tables: a stop request ends the making of all of them, and of each that passes over events") {
  const TableScene scene = mixed();
  const std::span<const EventId> events = scene.trace->gpu_events();
  std::stop_source stop;
  const TableInput running(*scene.tree, *scene.buckets, events, {}, stop.get_token());
  const Launchers launchers = find_launchers(running);
  stop.request_stop();
  const TableInput stopped(*scene.tree, *scene.buckets, events, {}, stop.get_token());
  CHECK(is_interrupted([&] { return made(scene, events, {}, stop.get_token()); }));
  CHECK(is_interrupted([&] { return find_launchers(stopped); }));
  CHECK(is_interrupted([&] { return operator_tables(stopped, launchers, 1); }));
  CHECK(is_interrupted([&] {
    return kernel_summary(
        stopped, [](NodeId) { return "any"; }, 1);
  }));
  CHECK(is_interrupted([&] { return short_kernels(stopped, 1); }));
  CHECK(is_interrupted([&] { return collective_summary(stopped); }));
  CHECK(is_interrupted([&] { return find_launchers(running); }));  // the same token, asked later
}

TEST_CASE("tables: loops ask for a stop now and then only") {
  std::stop_source stop;
  const TableScene scene = mixed();
  const TableInput input(*scene.tree, *scene.buckets, {}, {}, stop.get_token());
  stop.request_stop();
  CHECK_NOTHROW(input.stop_if_asked(1));
  CHECK_NOTHROW(input.stop_if_asked(8'191));
  CHECK(is_interrupted([&] { input.stop_if_asked(8'192); }));
}
}  // namespace kinetoscope::analysis
