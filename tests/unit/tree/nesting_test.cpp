#include "core/tree/nesting.hpp"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/call_tree.hpp"
#include "core/tree/diagnostics.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

std::string nested(const TestTrace& events) {
  const Trace trace = events.load();
  return outline(CallTree::build(trace));
}

std::uint64_t repairs(const TestTrace& events) {
  const Trace trace = events.load();
  return CallTree::build(trace).diagnostics().count(tree_diagnostics::nesting_repaired);
}

/// Depth-first: a parent before its descendants, which are its range; siblings apart; threads apart.
void check_depth_first(const CallTree& tree) {
  std::vector<NodeId> open;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    while (!open.empty() && tree.subtree_end(open.back()) <= node) open.pop_back();
    REQUIRE(tree.subtree_end(node) > node);
    REQUIRE(index_of(tree.subtree_end(node)) <= tree.size());
    REQUIRE(tree.parent(node) == (open.empty() ? no_node : open.back()));
    if (!open.empty()) {
      REQUIRE(tree.subtree_end(node) <= tree.subtree_end(open.back()));
      REQUIRE(tree.track(node) == tree.track(open.back()));
      REQUIRE(tree.begin_ns(node) >= tree.begin_ns(open.back()));
    }
    NodeId host = tree.parent(node);
    while (host != no_node && tree.role(host) == Role::python_call) host = tree.parent(host);
    REQUIRE(tree.host_parent(node) == host);
    open.push_back(node);
  }
}

/// The event around each operator and runtime call, by event.
std::vector<EventId> host_parents(const Trace& trace, bool with_python) {
  const CallTree tree = CallTree::build(trace, {.with_python = with_python});
  check_depth_first(tree);
  std::vector<EventId> parents(trace.size(), no_event);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (tree.role(node) == Role::python_call) continue;
    const NodeId parent = tree.host_parent(node);
    parents[index_of(tree.event(node))] = parent == no_node ? tree.event(node) : tree.event(parent);
  }
  return parents;
}

/// Calls of all kinds at random places, touching, crossing, of no length; on three threads.
TestTrace soup(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::int64_t>(random() % limit); };
  TestTrace events;
  for (int i = 0; i < 120; ++i) {
    const std::int64_t unit = random() % 2 == 0 ? 1 : 500;  // half of them within the tolerance of a microsecond
    const std::int64_t begin = below(40) * unit;
    const std::int64_t end = begin + below(30) * unit;
    events.thread(1 + below(3));
    const std::string name = "e" + std::to_string(i);
    switch (random() % 3) {
      case 0: events.op(name, begin, end); break;
      case 1: events.launch(name, begin, end, 0); break;
      default: events.frame(name, begin, end);
    }
  }
  return events;
}
}  // namespace

TEST_CASE("nesting: a call belongs to the deepest call around it") {
  CHECK(nested(TestTrace()
                   .op("inner", 20_us, 30_us)
                   .op("outer", 0, 100_us)
                   .launch("launch", 22_us, 24_us, 1)
                   .op("beside", 40_us, 50_us)
                   .op("behind", 200_us, 210_us)) == "outer(inner(launch) beside) behind");
}

TEST_CASE("nesting: threads do not nest in one another, nor do equal thread numbers of two processes") {
  CHECK(nested(TestTrace().op("a", 0, 100_us).thread(2).op("b", 10_us, 20_us).thread(1, 2).op("c", 10_us, 20_us)) ==
        "a b c");
}

TEST_CASE("nesting: of calls that start together the longest is outside, of equal ones the first in the file") {
  CHECK(nested(TestTrace().op("short", 0, 10_us).op("long", 0, 50_us).op("middle", 0, 30_us)) == "long(middle(short))");
  CHECK(nested(TestTrace().op("first", 0, 10_us).op("second", 0, 10_us)) == "first(second)");
}

TEST_CASE("nesting: touching calls are siblings") {
  CHECK(nested(TestTrace().op("a", 0, 10_us).op("b", 10_us, 20_us)) == "a b");
}

TEST_CASE("nesting: a call without length contains nothing that starts with or behind it") {
  CHECK(nested(TestTrace().op("a", 10_us, 10_us).op("b", 10_us, 10_us).op("c", 20_us, 20_us)) == "a b c");
  CHECK(nested(TestTrace().op("outer", 0, 50_us).op("point", 10_us, 10_us).op("c", 20_us, 30_us)) == "outer(point c)");
  CHECK(nested(TestTrace().op("point", 10_us, 10_us).op("long", 10_us, 20_us)) == "long(point)");
}

TEST_CASE("nesting: a call that ends less than a microsecond late is inside, and counted") {
  const TestTrace late = TestTrace().op("outer", 0, 100_us).op("inner", 50_us, 100_us + 999);
  CHECK(nested(late) == "outer(inner)");
  CHECK(repairs(late) == 1);
  const TestTrace too_late = TestTrace().op("outer", 0, 100_us).op("next", 50_us, 101_us);
  CHECK(nested(too_late) == "outer next");
  CHECK(repairs(too_late) == 1);
}

TEST_CASE("nesting: a call that lies mostly behind the one before is no child of it") {
  // 300 ns of it are inside, 600 ns behind
  const TestTrace behind = TestTrace().op("first", 0, 10_us).op("second", 10_us - 300, 10_us + 600);
  CHECK(nested(behind) == "first second");
  CHECK(repairs(behind) == 1);
}

TEST_CASE("nesting: a crossing call stays below the deepest call around it") {
  CHECK(nested(TestTrace().op("outer", 0, 100_us).op("a", 10_us, 50_us).op("b", 30_us, 80_us)) == "outer(a b)");
}

TEST_CASE("nesting: a clean trace has no repairs") {
  CHECK(repairs(TestTrace().op("outer", 0, 100_us).op("inner", 0, 100_us).frame("f", 10_us, 100_us)) == 0);
}

TEST_CASE("nesting: Python frames stand between operators and are left out on demand") {
  const Trace trace = TestTrace()
                          .frame("forward", 0, 100_us)
                          .op("aten::linear", 10_us, 90_us)
                          .frame("inside", 20_us, 80_us)
                          .op("aten::mm", 30_us, 70_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  CHECK(outline(tree) == "forward(aten::linear(inside(aten::mm)))");
  CHECK(tree.host_parent(node_named(tree, "aten::mm")) == node_named(tree, "aten::linear"));
  CHECK(tree.host_parent(node_named(tree, "inside")) == node_named(tree, "aten::linear"));
  CHECK(tree.host_parent(node_named(tree, "forward")) == no_node);
  CHECK(outline(CallTree::build(trace, {.with_python = false})) == "aten::linear(aten::mm)");
}

TEST_CASE("nesting: a Python frame that outlasts its operator does not part it from its later children") {
  const Trace trace = TestTrace()
                          .op("outer", 0, 100_us)
                          .frame("bleeding", 10_us, 150_us)
                          .op("inner", 50_us, 60_us)
                          .op("behind", 120_us, 130_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  CHECK(outline(tree) == "outer(bleeding(inner)) behind");
  CHECK(tree.host_parent(node_named(tree, "inner")) == node_named(tree, "outer"));
  CHECK(tree.host_parent(node_named(tree, "behind")) == no_node);
}

TEST_CASE("nesting: a frame stays below the frame that the profiler says called it") {
  const TestTrace crossing = TestTrace()
                                 .frame("caller", 0, 100_us, R"("Python id": 1)")
                                 .frame("callee", 50_us, 110_us, R"("Python id": 2, "Python parent id": 1)");
  CHECK(nested(crossing) == "caller(callee)");
  const TestTrace unknown = TestTrace().frame("caller", 0, 100_us).frame("callee", 50_us, 110_us);
  CHECK(nested(unknown) == "caller callee");
}

TEST_CASE("nesting: calls without a start time are in no tree") {
  const Trace trace = TestTrace()
                          .op("a", 0, 10_us)
                          .event(R"({"ph": "X", "cat": "cpu_op", "name": "no time", "pid": 1, "tid": 1})")
                          .load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.size() == 1);
  CHECK(tree.node(id_at<EventId>(1)) == no_node);
}

TEST_CASE("nesting: deep and flat traces cost their size") {
  constexpr int calls = 100'000;
  TestTrace deep;
  for (int i = 0; i < calls; ++i) deep.op("op", i, 1'000'000 - i);
  const Trace trace = deep.load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.size() == calls);
  CHECK(index_of(tree.subtree_end(id_at<NodeId>(calls / 2))) == calls);
}

TEST_CASE("nesting: host parents are the same with and without Python frames, for any intervals") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Trace trace = soup(seed).load();
    REQUIRE(host_parents(trace, true) == host_parents(trace, false));
  }
}

namespace {
#ifdef KINETOSCOPE_SANITIZED
constexpr std::size_t most_events_compared = 50'000;  // sanitizers take a quarter of a minute for the others
#else
constexpr std::size_t most_events_compared = SIZE_MAX;
#endif
}  // namespace

TEST_CASE("nesting: host parents are the same with and without Python frames in every recorded trace") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const Trace trace = shared_trace(name);
    if (trace.size() > most_events_compared) continue;
    REQUIRE(host_parents(trace, true) == host_parents(trace, false));
  }
}

namespace {

struct NodeCounts {
  std::string_view trace;
  std::size_t operators;
  std::size_t runtime_calls;
  std::size_t frames;
  std::size_t operator_roots;
  std::size_t host_roots;            ///< without Python frames: operators and runtime calls without parent
  std::size_t host_roots_in_python;  ///< with them
};

std::size_t host_roots(const CallTree& tree) {
  std::size_t roots = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (tree.role(node) != Role::python_call && tree.parent(node) == no_node) ++roots;
  }
  return roots;
}

std::size_t operator_roots(const CallTree& tree) {
  std::size_t roots = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    auto node = id_at<NodeId>(i);
    if (tree.role(node) != Role::operator_call) continue;
    do node = tree.host_parent(node);
    while (node != no_node && tree.role(node) != Role::operator_call);
    if (node == no_node) ++roots;
  }
  return roots;
}
}  // namespace

TEST_CASE("nesting: recorded traces have the nodes and roots that were counted in them") {
  // Counted independently, in the raw JSON and by another implementation. Runtime and driver calls stand in one column.
  // column).
  const NodeCounts counts[] = {
      {"mi300/gaunernst_bert-small-uncased__1016001.json.gz", 519, 161, 1389, 104, 106, 0},
      {"h100/gaunernst_bert-small-uncased__1016001.json.gz", 479, 110 + 22, 1385, 104, 106, 0},
      {"mi300/resnet_act_checkpoint.json.gz", 8004, 3100, 34405, 1278, 1303, 777},
      {"mi300/facebook_timesformer-base-finetuned-k400__1016002.json.gz", 3591, 851, 42334, 964, 966, 0},
      {"torch_compile_triton/trace.json.gz", 41, 59, 0, 2, 4, 4},
      {"mi210/gpu_only_trace/gpu_only_trace.json.gz", 0, 631, 0, 0, 631, 631},
  };
  for (const NodeCounts& row : counts) {
    CAPTURE(std::string(row.trace));
    const Trace trace = shared_trace(row.trace);
    CHECK(trace.count(Role::operator_call) == row.operators);
    CHECK(trace.count(Role::runtime_call) == row.runtime_calls);
    CHECK(trace.count(Role::python_call) == row.frames);
    const CallTree without = CallTree::build(trace, {.with_python = false});
    CHECK(without.size() == row.operators + row.runtime_calls);
    CHECK(operator_roots(without) == row.operator_roots);
    CHECK(host_roots(without) == row.host_roots);
    const CallTree with = CallTree::build(trace);
    CHECK(with.size() == row.operators + row.runtime_calls + row.frames);
    CHECK(operator_roots(with) == row.operator_roots);
    CHECK(host_roots(with) == row.host_roots_in_python);
  }
}
}  // namespace kinetoscope
