#include "core/analysis/call_context.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// A module's forward calls linear, which calls mm and add; mm launches two kernels, add one. Then its backward.
Trace linear_layer() {
  return TestTrace()
      .frame("train.py(3): step", 0, 200_us)                                                 // 0
      .frame("nn.Module: Linear_0", 5_us, 150_us)                                            // 1
      .op("aten::linear", 10_us, 140_us, R"("Sequence number": 4, "Input Dims": [[2, 3]])")  // 2
      .op("aten::mm", 20_us, 80_us)                                                          // 3
      .launch("cudaLaunchKernel", 30_us, 35_us, 1)                                           // 4
      .launch("cudaLaunchKernel", 40_us, 45_us, 2)                                           // 5
      .op("aten::add", 90_us, 120_us)                                                        // 6
      .launch("cudaLaunchKernel", 95_us, 99_us, 3)                                           // 7
      .kernel("split", 50_us, 60_us, 1)                                                      // 8
      .kernel("gemm", 60_us, 110_us, 2, R"("grid": [4, 1, 1])")                              // 9
      .kernel("add_kernel", 112_us, 120_us, 3)                                               // 10
      .kernel("stray", 150_us, 152_us, 77)                                                   // 11: no launch
      .thread(2)
      .op("autograd::engine::evaluate_function: AddmmBackward0", 300_us, 320_us, R"("Sequence number": 4)")  // 12
      .load();
}

struct Contexts {
  explicit Contexts(const Trace& trace) : tree(CallTree::build(trace)), steps(Steps::find(tree)) {}
  [[nodiscard]] CallContext of(std::uint32_t event, const CallContextLimits& limits = {}) const {
    return call_context(tree, steps, EventId{event}, limits);
  }
  [[nodiscard]] CallInstances named(std::string_view pattern) const {
    return call_instances(tree, select({}, tree, steps.steps()), pattern);
  }
  CallTree tree;
  Steps steps;
};

std::vector<std::string> names_of(const std::vector<CallSummary>& calls) {
  std::vector<std::string> out;
  for (const CallSummary& call : calls) out.push_back(call.name);
  return out;
}
using Texts = std::vector<std::string>;
}  // namespace

TEST_CASE("call context: a kernel says who launched it, how that is known, and what is around the launch") {
  const Trace trace = linear_layer();
  const CallContext context = Contexts(trace).of(9);
  CHECK(context.subject.gpu_ns == 50'000);
  REQUIRE(context.launch.has_value());
  CHECK(context.launch->method == LinkMethod::correlation);
  CHECK(context.launch->cause == UnlinkedCause::none);
  CHECK(context.launch->launch.value().event == EventId{5});
  CHECK(context.launch->launching_operator.value().name == "aten::mm");
  CHECK(context.launch->delay_ns == 20_us);  // launched at 40, ran at 60
  CHECK(names_of(context.ancestors) == Texts{"cudaLaunchKernel", "aten::mm", "aten::linear"});
  CHECK(context.modules == Texts{"Linear_0"});
  CHECK(context.python_stack == Texts{"nn.Module: Linear_0", "train.py(3): step"});
  CHECK(names_of(context.siblings.calls) == Texts{"split"});
  CHECK_FALSE(context.kernels.has_value());
}

TEST_CASE("call context: neighbours on the stream have gaps from end to start, unlinked ones count") {
  const Trace trace = linear_layer();
  const CallContext context = Contexts(trace).of(10);
  CHECK(context.previous.value().name == "gemm");
  CHECK(context.neighbours.previous.value().gap_ns == 2_us);  // 110 to 112
  CHECK(context.next.value().name == "stray");
  CHECK(context.neighbours.next.value().gap_ns == 30_us);  // 120 to 150
  CHECK_FALSE(Contexts(trace).of(8).previous.has_value());
}

TEST_CASE("call context: an operator has its kernels, children and siblings ranked by GPU time") {
  const Trace trace = linear_layer();
  const CallContext linear = Contexts(trace).of(2);
  REQUIRE(linear.kernels.has_value());
  CHECK(linear.kernels->longest.total == 3);
  CHECK(linear.kernels->kernel_sum_ns == 68'000);  // 10 + 50 + 8
  CHECK(linear.kernels->busy_ns == 68'000);
  CHECK(names_of(linear.kernels->longest.calls) == Texts{"gemm", "split", "add_kernel"});
  CHECK(names_of(linear.children.calls) == Texts{"aten::mm", "aten::add"});
  CHECK(linear.children.calls.at(0).gpu_ns == 60'000);
  CHECK(linear.ancestors_total == 0);
  CHECK_FALSE(linear.launch.has_value());
  const CallContext add = Contexts(trace).of(6);
  CHECK(names_of(add.siblings.calls) == Texts{"aten::mm"});
}

TEST_CASE("call context: forward and backward calls name one another, also from inside") {
  const Trace trace = linear_layer();
  const Contexts contexts(trace);
  const CallContext inside = contexts.of(3);
  REQUIRE(inside.counterparts.size() == 1);
  CHECK(inside.counterparts[0].linked == EventId{2});
  CHECK(inside.counterparts[0].is_backward);
  CHECK(inside.counterparts[0].call.event == EventId{12});
  const CallContext backward = contexts.of(12);
  REQUIRE(backward.counterparts.size() == 1);
  CHECK_FALSE(backward.counterparts[0].is_backward);
  CHECK(backward.counterparts[0].call.name == "aten::linear");
}

TEST_CASE("call context: arguments are as they were recorded, and long ones are cut between characters") {
  const Trace trace = linear_layer();
  const CallContext context = Contexts(trace).of(2);
  const std::vector<RecordedArgument> expected = {{"Sequence number", "4", true, false},
                                                  {"Input Dims", "[[2,3]]", true, false}};
  CHECK(context.arguments == expected);
  CHECK(recorded_arguments(trace, EventId{2}, 3).at(1) == RecordedArgument{"Input Dims", "[[2", false, true});
  const Trace accented = TestTrace().op("op", 0, 1, R"("kernel_file": "aé")").load();  // é takes two bytes
  CHECK(recorded_arguments(accented, EventId{0}, 2).at(0) == RecordedArgument{"kernel_file", "a", false, true});
}

TEST_CASE("call context: work that nobody launched says why") {
  const Trace trace = linear_layer();
  const CallContext context = Contexts(trace).of(11);
  REQUIRE(context.launch.has_value());
  CHECK(context.launch->method == LinkMethod::none);
  CHECK(context.launch->cause == UnlinkedCause::launch_not_recorded);
  CHECK_FALSE(context.launch->launch.has_value());
  CHECK(context.ancestors.empty());
}

TEST_CASE("call context: a name stands for the instance with the most GPU time") {
  const Trace trace = TestTrace()
                          .op("aten::mm", 0, 10_us)
                          .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                          .op("aten::mm", 20_us, 30_us)
                          .launch("cudaLaunchKernel", 21_us, 22_us, 2)
                          .op("aten::mm", 40_us, 90_us)  // no GPU work
                          .kernel("k", 5_us, 6_us, 1)
                          .kernel("k", 25_us, 29_us, 2)
                          .load();
  const CallInstances found = Contexts(trace).named("aten::mm");
  CHECK(found.count == 3);
  CHECK(found.distinct_names == 1);
  CHECK(found.longest == EventId{2});
  CHECK(Contexts(trace).named("*").distinct_names == 3);
  CHECK(Contexts(trace).named("nothing").longest == no_event);
}

TEST_CASE("call context: lists are cut to their limits and say how long they are") {
  const Trace trace = linear_layer();
  const CallContext context = Contexts(trace).of(9, {.ancestors = 1, .frames = 1, .ranked = 0});
  CHECK(names_of(context.ancestors) == Texts{"cudaLaunchKernel"});
  CHECK(context.ancestors_total == 3);
  CHECK(context.python_stack.size() == 1);
  CHECK(context.frames_total == 2);
  CHECK(context.siblings.calls.empty());
  CHECK(context.siblings.total == 1);
}

TEST_CASE("call context: events that are neither calls nor GPU work are refused, and so are those that are not there") {
  const Trace trace = TestTrace().annotation("mark", 0, 10).load();
  const Contexts contexts(trace);
  CHECK_THROWS_AS(static_cast<void>(contexts.of(0)), Error);
  CHECK_THROWS_AS(static_cast<void>(contexts.of(1)), Error);
}

TEST_CASE("call context: on every recorded trace, children have no more GPU time than their parent, nor last longer") {
  for (const std::string& trace_name : shared_trace_names()) {
    INFO(trace_name);
    const SceneParts& parts = recorded_parts(trace_name, false);
    const CallTree& tree = *parts.tree;
    const Steps steps = Steps::find(tree);
    for (const std::string_view pattern : {"aten::*", "*gemm*", "nn.Module*", "*Launch*"}) {
      const CallInstances found = call_instances(tree, select({}, tree, steps.steps()), pattern);
      if (found.count == 0) continue;
      const CallContext context = call_context(tree, steps, found.longest, {.ranked = SIZE_MAX});
      WideSum children_ns = 0;
      for (const CallSummary& child : context.children.calls) {
        children_ns += child.gpu_ns;
        CHECK(child.duration_ns.value_or(0) <= context.subject.duration_ns.value_or(INT64_MAX));
      }
      CHECK(children_ns <= context.subject.gpu_ns);
      if (!context.kernels) continue;
      CHECK(context.kernels->kernel_sum_ns == context.subject.gpu_ns);
      CHECK(context.kernels->busy_ns <= context.kernels->kernel_sum_ns);
    }
  }
}
}  // namespace kinetoscope::analysis
