#include "core/tree/call_tree.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/names/kernel_names.hpp"
#include "core/tree/diagnostics.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

std::string launcher_name(const CallTree& tree, std::string_view kernel) {
  const NodeId launcher = tree.launcher(event_named(tree.trace(), kernel));
  return launcher == no_node ? "none" : std::string(tree.name(launcher));
}
}  // namespace

TEST_CASE("call tree: a subtree's GPU work is one range, by launch and then in file order") {
  const Trace trace = TestTrace()
                          .op("outer", 0, 100_us)
                          .op("left", 10_us, 40_us)
                          .launch("cudaGraphLaunch", 20_us, 22_us, 2)
                          .op("right", 50_us, 90_us)
                          .launch("cudaLaunchKernel", 60_us, 62_us, 1)
                          .kernel("of right", 200_us, 210_us, 1)
                          .kernel("of left, late", 400_us, 410_us, 2)
                          .kernel("of left, early", 300_us, 310_us, 2)
                          .load();
  const CallTree tree = CallTree::build(trace);
  const auto names = [&](std::string_view node) {
    std::vector<std::string> out;
    for (const EventId event : tree.gpu_events(node_named(tree, node))) out.emplace_back(trace.name_text(event));
    return out;
  };
  CHECK(names("outer") == std::vector<std::string>{"of left, late", "of left, early", "of right"});
  CHECK(names("left") == std::vector<std::string>{"of left, late", "of left, early"});
  CHECK(names("right") == std::vector<std::string>{"of right"});
}

TEST_CASE("call tree: children are visited in order of start") {
  const Trace trace = TestTrace()
                          .op("root", 0, 100_us)
                          .op("b", 50_us, 60_us)
                          .op("a", 10_us, 40_us)
                          .op("in a", 20_us, 30_us)
                          .op("next root", 200_us, 210_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  const NodeId a = tree.first_child(node_named(tree, "root"));
  CHECK(tree.name(a) == "a");
  const NodeId b = tree.next_sibling(a);
  CHECK(tree.name(b) == "b");
  CHECK(tree.next_sibling(b) == no_node);
  CHECK(tree.first_child(b) == no_node);
}

TEST_CASE("call tree: the launcher is the nearest operator, Python frames and execute passed over") {
  const Trace trace = TestTrace()
                          .op("aten::mm", 0, 100_us)
                          .frame("in between", 5_us, 95_us)
                          .op("execute", 10_us, 90_us)
                          .launch("cudaLaunchKernel", 20_us, 22_us, 1)
                          .op("execute", 200_us, 210_us)
                          .launch("cudaMemcpyAsync", 201_us, 209_us, 2)
                          .frame("plain", 300_us, 400_us)
                          .launch("cudaLaunchKernelExC", 310_us, 320_us, 3)
                          .op("aten::add", 500_us, 600_us)
                          .launch("cudaDeviceSynchronize", 510_us, 590_us, 0)
                          .launch("cudaLaunchKernel_ptsz", 520_us, 530_us, 4)
                          .kernel("k1", 1000_us, 1001_us, 1)
                          .copy("k2", 1000_us, 1001_us, 2)
                          .kernel("k3", 1000_us, 1001_us, 3)
                          .kernel("k4", 1000_us, 1001_us, 4)
                          .kernel("k5", 1000_us, 1001_us, 99)
                          .load();
  for (const bool with_python : {true, false}) {
    CAPTURE(with_python);
    const CallTree tree = CallTree::build(trace, {.with_python = with_python});
    CHECK(launcher_name(tree, "k1") == "aten::mm");
    CHECK(launcher_name(tree, "k2") == "cudaMemcpyAsync");        // nothing above execute
    CHECK(launcher_name(tree, "k3") == "cudaLaunchKernelExC");    // no operator around it
    CHECK(launcher_name(tree, "k4") == "cudaLaunchKernel_ptsz");  // a runtime call stands between
    CHECK(launcher_name(tree, "k5") == "none");
  }
}

TEST_CASE("call tree: the launcher stands beyond any number of operators that are passed over") {
  constexpr std::int64_t deep = 50'000;
  TestTrace built;
  built.op("aten::mm", 0, 4 * deep);
  for (std::int64_t i = 1; i <= deep; ++i) {
    built.op("execute", i, 4 * deep - i).launch("cudaLaunchKernel", 2 * deep + i, 2 * deep + i, i);
    built.kernel("k", 10 * deep, 11 * deep, i);
  }
  built.op("execute", 20 * deep, 30 * deep)
      .launch("cudaLaunchKernel", 21 * deep, 29 * deep, deep + 1)
      .op("execute", 22 * deep, 28 * deep)
      .launch("cuLaunchKernel", 23 * deep, 24 * deep, deep + 2)
      .kernel("inside a runtime call", 40 * deep, 41 * deep, deep + 2);
  const Trace trace = built.load();
  const CallTree tree = CallTree::build(trace);
  std::size_t launched_by_mm = 0;
  for (const EventId event : trace.gpu_events()) {
    if (trace.name_text(event) == "k" && tree.name(tree.launcher(event)) == "aten::mm") ++launched_by_mm;
  }
  CHECK(launched_by_mm == deep);
  CHECK(launcher_name(tree, "inside a runtime call") == "cuLaunchKernel");
}

TEST_CASE("call tree: a leaf operator launches through runtime calls and Python frames only") {
  const Trace trace = TestTrace()
                          .op("outer", 0, 100_us)
                          .op("leaf", 10_us, 90_us)
                          .frame("frame", 15_us, 85_us)
                          .driver("cuLaunchKernel", 20_us, 22_us, 1)
                          .op("idle", 200_us, 300_us)
                          .kernel("k", 1000_us, 1001_us, 1)
                          .load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.is_leaf_operator(node_named(tree, "leaf")));
  CHECK_FALSE(tree.is_leaf_operator(node_named(tree, "outer")));
  CHECK_FALSE(tree.is_leaf_operator(node_named(tree, "idle")));
  CHECK_FALSE(tree.is_leaf_operator(node_named(tree, "frame")));
}

TEST_CASE("call tree: a leaf operator's launch is at most ten levels below it") {
  for (const int frames : {9, 10}) {
    CAPTURE(frames);
    TestTrace events;
    events.op("op", 0, 100_us);
    for (int i = 0; i < frames; ++i) events.frame("f", 1_us + i, 90_us - i);
    events.launch("cudaLaunchKernel", 20_us, 22_us, 1).kernel("k", 1000_us, 1001_us, 1);
    const Trace trace = events.load();
    const CallTree tree = CallTree::build(trace);
    CHECK(tree.is_leaf_operator(node_named(tree, "op")) == (frames == 9));  // the launch is one level more
  }
}

TEST_CASE("call tree: modules are Python frames with a label and a number") {
  const Trace trace = TestTrace()
                          .frame("nn.Module: Linear_12", 0, 100_us)
                          .frame("forward", 10_us, 90_us)
                          .op("aten::mm", 20_us, 80_us)
                          .op("nn.Module: no frame", 200_us, 210_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  const NodeId module = node_named(tree, "nn.Module: Linear_12");
  CHECK(tree.is_module(module));
  CHECK(tree.module_label(module) == "nn.Module: Linear");
  CHECK(tree.module_of(node_named(tree, "aten::mm")) == module);
  CHECK(tree.module_of(module) == module);
  CHECK_FALSE(tree.is_module(node_named(tree, "forward")));
  CHECK(tree.module_of(node_named(tree, "nn.Module: no frame")) == no_node);
  CHECK(module_label_of("nn.Module: Block_1_2") == "nn.Module: Block_1");
  CHECK(module_label_of("nn.Module: Block_") == "nn.Module: Block_");
  CHECK(module_label_of("nn.Module: Conv2") == "nn.Module: Conv2");
  CHECK(module_label_of("12") == "12");
  CHECK(module_label_of("").empty());
}

TEST_CASE("call tree: launches are counted once, and those without kernels apart") {
  const Trace trace = TestTrace()
                          .launch("cudaLaunchKernel", 0, 10_us, 1)
                          .launch("cudaLaunchKernel", 20_us, 30_us, 2)
                          .launch("cudaGraphLaunch", 40_us, 50_us, 3)
                          .launch("cudaGraphLaunch", 60_us, 70_us, 4)
                          .launch("cudaMemcpyAsync", 80_us, 90_us, 5)
                          .launch("cudaMemcpyAsync", 92_us, 95_us, 6)  // without work it may be a copy on the host
                          .launch("cudaDeviceSynchronize", 97_us, 99_us, 0)
                          .kernel("k1", 100_us, 110_us, 1)
                          .kernel("k3", 120_us, 130_us, 3)
                          .copy("c5", 140_us, 150_us, 5)
                          .load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.launches() == LaunchCounts{5, 2, 0, 2, 1});
  CHECK(tree.has_launches());
  CHECK(tree.diagnostics().count(tree_diagnostics::launch_without_kernel) == 1);
  CHECK(tree.diagnostics().count(tree_diagnostics::graph_launch_without_kernels) == 1);
}

TEST_CASE("call tree: an empty trace has an empty tree") {
  const Trace trace = TestTrace().load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.size() == 0);
  CHECK(tree.linked_gpu_events().empty());
  CHECK(tree.diagnostics().count(tree_diagnostics::no_gpu_events) == 1);
}

TEST_CASE("call tree: in every recorded trace each linked GPU event belongs to one launch, and roots hold all") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const Trace trace = shared_trace(name);
    const CallTree tree = CallTree::build(trace);
    std::size_t in_roots = 0;
    std::size_t in_launches = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const auto node = id_at<NodeId>(i);
      if (tree.parent(node) == no_node) in_roots += tree.gpu_events(node).size();
      for (const EventId event : tree.gpu_events(node)) {
        if (tree.launch(event) == node) ++in_launches;
      }
      NodeId child = tree.first_child(node);
      if (child == no_node) continue;
      NodeId end = child;
      for (; child != no_node; child = tree.next_sibling(child)) end = tree.subtree_end(child);
      REQUIRE(end == tree.subtree_end(node));
    }
    CHECK(in_roots == tree.linked_gpu_events().size());
    CHECK(in_launches == tree.linked_gpu_events().size());
    std::size_t linked = 0;
    for (const EventId event : trace.gpu_events()) linked += tree.link(event).launch != no_event ? 1U : 0U;
    CHECK(linked == tree.linked_gpu_events().size());
  }
}

TEST_CASE("call tree: recorded traces have the launchers that were counted in them, with and without Python") {
  struct Case {
    std::string_view trace;
    std::size_t launchers;
  };
  // Counted independently over GPU work that has a start arrow, communication left out.
  const Case cases[] = {
      {"mi300/gaunernst_bert-small-uncased__1016001.json.gz", 61},
      {"mi300/resnet_act_checkpoint.json.gz", 1296},
      {"mi300/facebook_timesformer-base-finetuned-k400__1016002.json.gz", 445},
      {"mi210/gpu_only_trace/gpu_only_trace.json.gz", 562},
  };
  for (const Case& row : cases) {
    CAPTURE(std::string(row.trace));
    const Trace trace = shared_trace(row.trace);
    std::set<std::int64_t> arrows;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const auto event = id_at<EventId>(i);
      const bool is_start = trace.role(event) == Role::launch_arrow && trace.phase(event) == Phase::flow_start;
      if (is_start) arrows.insert(trace.arrow_id(event));
    }
    for (const bool with_python : {true, false}) {
      const CallTree tree = CallTree::build(trace, {.with_python = with_python});
      std::set<NodeId> launchers;
      for (const EventId event : tree.linked_gpu_events()) {
        const bool has_arrow = arrows.contains(trace.integer(event, Argument::correlation).value_or(0));
        const bool is_communication = names::classify_kernel(trace.name_text(event)).is_communication();
        if (has_arrow && !is_communication) launchers.insert(tree.launcher(event));
      }
      CHECK(launchers.size() == row.launchers);
    }
  }
}
}  // namespace kinetoscope
