#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/analysis/event_answer.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

using enum EventField;

/// A trace that questions are put to.
struct Questioned {
  explicit Questioned(const Trace& trace) : tree(CallTree::build(trace)), steps(Steps::find(tree)) {}

  [[nodiscard]] EventAnswer operator()(const EventQuery& query, std::string_view scope_text = "all") const {
    const Scope scope = parse_scope(scope_text);
    const ScopeSelection selection = select(scope, tree, steps.steps());
    return answer(query, {tree, steps, selection, scope.is_whole(), perf_model::operator_registry()});
  }

  CallTree tree;
  Steps steps;
};

/// Two steps. In the first, mm launches gemm (30 us) and add (10 us); in the second, mm launches gemm (50 us) on
/// another stream. A copy of 4 us by a call of no operator; a kernel that nobody launched (6 us); a launched one
/// without a time.
Trace two_steps() {
  return TestTrace()
      .annotation("ProfilerStep#1", 0, 100_us)                    // 0
      .annotation("ProfilerStep#2", 100_us, 200_us)               // 1
      .op("aten::mm", 10_us, 50_us)                               // 2
      .launch("cudaLaunchKernel", 20_us, 25_us, 1)                // 3
      .op("aten::add", 30_us, 40_us)                              // 4: inside mm
      .launch("cudaLaunchKernel", 32_us, 36_us, 2)                // 5
      .op("aten::mm", 110_us, 150_us)                             // 6
      .launch("cudaLaunchKernel", 120_us, 125_us, 3)              // 7
      .launch("cudaMemcpyAsync", 160_us, 162_us, 4)               // 8
      .launch("cudaLaunchKernel", 170_us, 171_us, 5)              // 9
      .kernel("gemm_kernel", 30_us, 60_us, 1)                     // 10
      .kernel("elementwise_kernel", 60_us, 70_us, 2)              // 11
      .copy("Memcpy HtoD (Pinned -> Device)", 162_us, 166_us, 4)  // 12
      .kernel("stray", 180_us, 186_us, 99)                        // 13: no launch has its id
      .stream(9)
      .kernel("gemm_kernel", 130_us, 180_us, 3)                            // 14
      .event(R"({"ph": "X", "cat": "kernel", "name": "untimed", "pid": 0, "tid": 7, "ts": 190,
                 "args": {"device": 0, "stream": 7, "correlation": 5}})")  // 15
      .load();
}

std::vector<std::uint32_t> ids_of(const EventAnswer& answer) {
  std::vector<std::uint32_t> out;
  for (const EventRow& row : answer.rows) out.push_back(static_cast<std::uint32_t>(row.event));
  return out;
}
std::string first_text(const EventGroup& group) { return group.values.front().value_or("-"); }
}  // namespace

TEST_CASE(
    "event query: kernels are rows with their ids, the longest first, untimed ones last, unlinked ones left out") {
  const Trace trace = two_steps();
  const EventAnswer found = Questioned(trace)({});
  CHECK(ids_of(found) == std::vector<std::uint32_t>{14, 10, 11, 15});  // 50, 30, 10 us, no time
  CHECK(found.total == 4);
  CHECK(found.left_out == 1);           // stray
  CHECK(found.scope_gpu_ns == 94'000);  // 30 + 10 + 50 + 4, the copy's, too
  CHECK(found.rows[0].begin_ns == 130_us);
  CHECK(found.rows[0].duration_ns == 50_us);
  CHECK(found.rows[0].gpu_ns == 50_us);
  CHECK_FALSE(found.rows[3].duration_ns.has_value());
  CHECK(found.whole.count == 4);
  CHECK(found.whole.untimed == 1);
  CHECK(found.whole.sum_ns == 90'000);
}

TEST_CASE("event query: a row says where the kernel ran, in which step, and who launched it") {
  const Trace trace = two_steps();
  const EventAnswer found = Questioned(trace)({.limit = 1});
  REQUIRE(found.rows.size() == 1);
  const std::vector<EventField> shown = {kernel_kind, category, launching_operator, module, device, stream, step};
  CHECK(found.fields == shown);
  const auto& values = found.rows[0].values;
  CHECK(values[0] == "gemm");
  CHECK(values[1] == "GEMM");
  CHECK(values[2] == "aten::mm");
  CHECK_FALSE(values[3].has_value());  // no Python frames
  CHECK(values[4] == "0");
  CHECK(values[5] == "9");
  CHECK(values[6] == "1");
}

TEST_CASE(
    "event query: groups have counts, exact sums and percentiles that occur, and shares of the scope's GPU time") {
  const Trace trace = two_steps();
  const EventAnswer found =
      Questioned(trace)({.select = EventSelection::gpu_work, .group_by = {name}, .sort_by = EventMeasure::sum_ns});
  REQUIRE(found.groups.size() == 4);
  CHECK(first_text(found.groups[0]) == "gemm_kernel");
  const EventFigures& gemm = found.groups[0].figures;
  CHECK(gemm.count == 2);
  CHECK(gemm.sum_ns == 80'000);
  CHECK(gemm.mean_ns == 40'000.0);
  CHECK(gemm.min_ns == 30_us);
  CHECK(gemm.max_ns == 50_us);
  CHECK(gemm.p50_ns == 30_us);  // one of two does not exceed it
  CHECK(gemm.p95_ns == 50_us);
  CHECK(gemm.gpu_share == doctest::Approx(80.0 / 94));
  CHECK(static_cast<std::uint32_t>(found.groups[0].longest) == 14);
  const EventFigures& untimed = found.groups[3].figures;
  CHECK(first_text(found.groups[3]) == "untimed");
  CHECK(untimed.count == 1);
  CHECK(untimed.untimed == 1);
  CHECK_FALSE(untimed.mean_ns.has_value());
  CHECK_FALSE(untimed.p99_ns.has_value());
}

TEST_CASE("event query: a percentile is the smallest duration that so many percent do not exceed") {
  TestTrace written;
  for (int i = 1; i <= 100; ++i) {
    written.launch("cudaLaunchKernel", i * 1000, i * 1000 + 10, i);
    written.kernel("k", i * 1000, i * 1000 + i, i);  // 1 to 100 ns
  }
  const Trace trace = written.load();
  const EventFigures whole = Questioned(trace)({}).whole;
  CHECK(whole.p50_ns == 50);
  CHECK(whole.p95_ns == 95);
  CHECK(whole.p99_ns == 99);
  CHECK(whole.max_ns == 100);
  CHECK(whole.sum_ns == 5050);
}

TEST_CASE("event query: own GPU time of operators adds up, total time holds that of the operators inside") {
  const Trace trace = two_steps();
  const EventAnswer found =
      Questioned(trace)({.select = EventSelection::operators, .group_by = {name}, .sort_by = EventMeasure::gpu_ns});
  REQUIRE(found.groups.size() == 2);
  CHECK(first_text(found.groups[0]) == "aten::mm");
  CHECK(found.groups[0].figures.sum_ns == 80'000);      // host time: 40 + 40
  CHECK(found.groups[0].figures.gpu_ns == 90'000);      // 30 + 10 + 50
  CHECK(found.groups[0].figures.own_gpu_ns == 80'000);  // without add's
  CHECK(found.groups[1].figures.own_gpu_ns == 10'000);
  CHECK(found.groups[0].figures.gpu_share == doctest::Approx(80.0 / 94));
}

TEST_CASE("event query: conditions are patterns over fields, all of which hold") {
  const Trace trace = two_steps();
  const Questioned ask(trace);
  CHECK(ids_of(ask({.conditions = {{name, "*gemm*"}}})) == std::vector<std::uint32_t>{14, 10});
  CHECK(ids_of(ask({.conditions = {{name, "*gemm*"}, {stream, "7"}}})) == std::vector<std::uint32_t>{10});
  CHECK(ids_of(ask({.conditions = {{launching_operator, "aten::add"}}})) == std::vector<std::uint32_t>{11});
  CHECK(ids_of(ask({.conditions = {{step, "1"}}})) == std::vector<std::uint32_t>{14, 15});
  CHECK(ids_of(ask({.min_duration_ns = 10_us, .max_duration_ns = 30_us})) == std::vector<std::uint32_t>{10, 11});
  CHECK(ask({.conditions = {{module, "*"}}}).total == 0);  // none was recorded
}

TEST_CASE("event query: a scope bounds rows and what shares are of") {
  const Trace trace = two_steps();
  const EventAnswer found = Questioned(trace)({}, "step:0");
  CHECK(ids_of(found) == std::vector<std::uint32_t>{10, 11});
  CHECK(found.scope_gpu_ns == 40'000);
  CHECK(found.left_out == 0);
  const EventAnswer calls = Questioned(trace)({.select = EventSelection::operators}, "step:1");
  CHECK(ids_of(calls) == std::vector<std::uint32_t>{6});
}

TEST_CASE("event query: unlinked work is in where the query says so") {
  const Trace trace = two_steps();
  const EventAnswer found =
      Questioned(trace)({.includes_unlinked = true, .group_by = {link_method}, .sort_by = EventMeasure::count});
  CHECK(found.left_out == 0);
  CHECK(found.scope_gpu_ns == 100'000);
  REQUIRE(found.groups.size() == 2);
  CHECK(first_text(found.groups[0]) == "correlation");
  CHECK(found.groups[0].figures.count == 4);
  CHECK(first_text(found.groups[1]) == "none");
}

TEST_CASE("event query: numbers sort as numbers, groups without a value stand last, pages follow one another") {
  const Trace trace = TestTrace()
                          .launch("cudaLaunchKernel", 0, 1_us, 1)
                          .launch("cudaLaunchKernel", 1_us, 2_us, 2)
                          .stream(10)
                          .kernel("a", 5_us, 6_us, 1)
                          .stream(9)
                          .kernel("b", 5_us, 6_us, 2)
                          .load();
  EventQuery query{.group_by = {stream}, .sort_by = stream, .is_descending = false, .limit = 1};
  EventAnswer page = Questioned(trace)(query);
  CHECK(page.total == 2);
  CHECK(first_text(page.groups.at(0)) == "9");
  query.first = 1;
  page = Questioned(trace)(query);
  CHECK(first_text(page.groups.at(0)) == "10");
  query.first = 2;
  CHECK(Questioned(trace)(query).groups.empty());
}

TEST_CASE("event query: steps and other annotations are rows, without GPU time of their own") {
  const Trace trace = two_steps();
  const EventAnswer found = Questioned(trace)({.select = EventSelection::annotations, .sort_by = EventMeasure::event});
  CHECK(ids_of(found) == std::vector<std::uint32_t>{1, 0});
  CHECK_FALSE(found.rows[0].gpu_ns.has_value());
  CHECK(found.rows[0].values[1] == "1");  // its own step
}

TEST_CASE("event query: what a selection does not have is refused, with what it has") {
  const Trace trace = two_steps();
  const Questioned ask(trace);
  const auto accepted = [&](const EventQuery& query) -> std::string {
    try {
      static_cast<void>(ask(query));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::usage);
      return error.failure().argument + ": " + error.failure().accepted;
    }
    return "nothing was refused";
  };
  CHECK(accepted({.select = EventSelection::annotations, .conditions = {{stream, "7"}}}) ==
        "filter: name, role, thread, step, phase");
  CHECK(accepted({.group_by = {name, name}}) == "group_by: up to 4 different fields");
  CHECK(accepted({.group_by = {name, stream, device, step, phase}}) == "group_by: up to 4 different fields");
  CHECK(accepted({.sort_by = EventMeasure::count}) ==
        "sort_by: event, begin_ns, duration_ns, gpu_ns, own_gpu_ns, gpu_share, and fields");
  CHECK(accepted({.group_by = {name}, .sort_by = stream}) ==
        "sort_by: gpu_ns, own_gpu_ns, gpu_share, count, untimed, sum_ns, mean_ns, min_ns, max_ns, p50_ns, p95_ns, "
        "p99_ns, and the fields of group_by");
}

TEST_CASE("event query: it ends soon after it is asked to") {
  const Trace trace = two_steps();
  const CallTree tree = CallTree::build(trace);
  const Steps steps = Steps::find(tree);
  const ScopeSelection selection = select({}, tree, steps.steps());
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      static_cast<void>(answer({}, {tree, steps, selection, true, perf_model::operator_registry()}, stop.get_token())),
      Error);
}

TEST_CASE("event query: on every recorded trace, groups add up to the whole, whatever they are by") {
  for (const std::string& trace_name : shared_trace_names()) {
    INFO(trace_name);
    const SceneParts& parts = recorded_parts(trace_name, false);
    const Steps steps = Steps::find(*parts.tree);
    const ScopeSelection selection = select({}, *parts.tree, steps.steps());
    const EventSource source{*parts.tree, steps, selection, true, perf_model::operator_registry()};
    for (const auto& selected : event_selections) {
      for (const auto& field : event_fields) {
        if (!has_field(selected.value, field.value)) continue;
        const EventAnswer found = answer(
            {.select = selected.value, .group_by = {field.value}, .sort_by = EventMeasure::sum_ns, .limit = SIZE_MAX},
            source);
        EventFigures sum;
        for (const EventGroup& group : found.groups) {
          sum.count += group.figures.count;
          sum.untimed += group.figures.untimed;
          sum.sum_ns += group.figures.sum_ns;
        }
        INFO(selected.spelling, " by ", field.spelling);
        CHECK(found.groups.size() == found.total);
        CHECK(sum.count == found.whole.count);
        CHECK(sum.untimed == found.whole.untimed);
        CHECK(sum.sum_ns == found.whole.sum_ns);
      }
    }
    const EventFigures work = answer({.select = EventSelection::gpu_work}, source).whole;
    CHECK(work.sum_ns == answer({.select = EventSelection::gpu_work}, source).scope_gpu_ns);
    const EventFigures operators = answer({.select = EventSelection::operators}, source).whole;
    CHECK(operators.own_gpu_ns.value_or(0) <= work.sum_ns);
  }
}
}  // namespace kinetoscope::analysis
