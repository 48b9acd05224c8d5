#include "core/analysis/call_stacks.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/growth.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

FullCallStack stack_of(const Trace& trace, std::string_view name) {
  const CallTree tree = CallTree::build(trace);
  const NodeId node = node_named(tree, name);
  return CallStacks(tree).full(node, tree.gpu_events(node));
}
}  // namespace

TEST_CASE("call stacks: modules stand around an operator, the nearest first, with their numbers") {
  const Trace trace = TestTrace()
                          .frame("nn.Module: Model_0", 0, 100_us)
                          .frame("model.py(3): forward", 1_us, 99_us)
                          .frame("nn.Module: Linear_12", 2_us, 98_us)
                          .op("aten::linear", 3_us, 97_us)
                          .op("aten::addmm", 4_us, 96_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  const CallStacks stacks(tree);
  const NodeId node = node_named(tree, "aten::addmm");
  CHECK(stacks.modules_text(node) == "['aten::addmm', 'nn.Module: Linear_12', 'nn.Module: Model_0']");
  CHECK(stacks.module_of(node) == node_named(tree, "nn.Module: Linear_12"));
}

TEST_CASE("call stacks: without modules only the operator stands there") {
  const Trace trace = TestTrace().op("aten::mm", 0, 10_us).load();
  const CallTree tree = CallTree::build(trace);
  CHECK(CallStacks(tree).modules_text(node_named(tree, "aten::mm")) == "['aten::mm']");
  CHECK(CallStacks(tree).module_of(node_named(tree, "aten::mm")) == no_node);
}

// The three vectors of perf_report 6.4.
TEST_CASE("call stacks: the entry point is the frame below that bears the operator's name") {
  const FullCallStack stack = stack_of(TestTrace()
                                           .frame("src/user_code.py(10): my_func", 0, 100_us)
                                           .op("aten::addmm", 1_us, 99_us)
                                           .frame("torch/functional.py(5): addmm", 2_us, 98_us)
                                           .launch("cudaLaunchKernel", 3_us, 4_us, 1)
                                           .kernel("gemm", 10_us, 20_us, 1)
                                           .load(),
                                       "aten::addmm");
  CHECK(stack.entry_point == "torch/functional.py(5): addmm");
  CHECK(stack.text == "['src/user_code.py(10): my_func', 'aten::addmm', 'torch/functional.py(5): addmm', 'gemm']");
}

TEST_CASE("call stacks: else it is the nearest frame around that does more than pass the call on") {
  const FullCallStack stack = stack_of(TestTrace()
                                           .frame("src/user_code.py(10): forward", 0, 100_us)
                                           .frame("torch/nn/modules/module.py(5): _call_impl", 1_us, 99_us)
                                           .op("aten::addmm", 2_us, 98_us)
                                           .launch("cudaLaunchKernel", 3_us, 4_us, 1)
                                           .kernel("gemm", 10_us, 20_us, 1)
                                           .load(),
                                       "aten::addmm");
  CHECK(stack.entry_point == "src/user_code.py(10): forward");
}

TEST_CASE("call stacks: where only wrappers stand around, there is no entry point") {
  const FullCallStack stack = stack_of(TestTrace()
                                           .frame("torch/nn/modules/module.py(5): _call_impl", 0, 100_us)
                                           .op("aten::addmm", 1_us, 99_us)
                                           .launch("cudaLaunchKernel", 3_us, 4_us, 1)
                                           .kernel("gemm", 10_us, 20_us, 1)
                                           .load(),
                                       "aten::addmm");
  CHECK(stack.entry_point == "Not found");
}

TEST_CASE("call stacks: kernels share what they have in common, then each has its own way once") {
  const FullCallStack stack = stack_of(TestTrace()
                                           .frame("nn.Module: Block_3", 0, 100_us)
                                           .op("my::op", 1_us, 99_us)
                                           .launch("cudaLaunchKernel", 3_us, 4_us, 1)
                                           .launch("cudaLaunchKernel", 5_us, 6_us, 2)
                                           .launch("cudaLaunchKernel", 7_us, 8_us, 3)
                                           .kernel("one", 10_us, 20_us, 1)
                                           .kernel("two", 20_us, 30_us, 2)
                                           .kernel("one", 30_us, 40_us, 3)
                                           .load(),
                                       "my::op");
  CHECK(stack.text == "['nn.Module: Block', 'my::op', ['one'], ['two']]");
}

TEST_CASE("call stacks: show the innermost frames of a stack that is too deep to read") {
  constexpr std::int64_t depth = 5'000;
  TestTrace trace;
  for (std::int64_t i = 0; i < depth; ++i) trace.op("aten::deep", i * 10, 1'000'000 - i * 10);
  trace.op("aten::mm", depth * 10, depth * 10 + 10).launch("cudaLaunchKernel", depth * 10 + 1, depth * 10 + 2, 1);
  trace.kernel("gemm", 2'000'000, 2'100'000, 1);
  const std::string text = stack_of(trace.load(), "aten::mm").text;
  std::size_t frames = 0;
  for (std::size_t at = text.find("aten::deep"); at != std::string::npos; at = text.find("aten::deep", at + 1))
    ++frames;
  CHECK(frames == most_stack_frames);
  CHECK(text.starts_with("['...', 'aten::deep'"));
  CHECK(text.ends_with("'aten::mm', 'gemm']"));
}

TEST_CASE("call stacks: say where they are cut: modules outward, frames to a kernel, ways to kernels") {
  constexpr std::int64_t depth = 600;
  constexpr std::int64_t all = 1'000'000;
  TestTrace modules;
  for (std::int64_t i = 0; i < depth; ++i) modules.frame("nn.Module: M_" + std::to_string(i), i * 10, all - i * 10);
  const Trace in_modules = modules.op("aten::mm", depth * 10, depth * 10 + 5).load();
  const CallTree tree = CallTree::build(in_modules);
  const std::string text = CallStacks(tree).modules_text(node_named(tree, "aten::mm"));
  CHECK(text.starts_with("['aten::mm', 'nn.Module: M_599', "));
  CHECK(text.ends_with("'nn.Module: M_89', '...']"));  // 511 modules

  TestTrace frames;
  frames.op("my::op", 0, all);
  for (std::int64_t i = 1; i <= depth; ++i) frames.frame("src/deep.py(1): f", i * 10, all - i * 10);
  frames.launch("cudaLaunchKernel", depth * 10 + 10, depth * 10 + 15, 1).kernel("k", all, all + 10, 1);
  CHECK(stack_of(frames.load(), "my::op").text.starts_with("['my::op', '...', 'src/deep.py(1): f', 'src/deep.py"));

  TestTrace ways;
  ways.op("my::op", 0, all);
  const auto count = static_cast<std::int64_t>(most_stack_ways) + 1;
  for (std::int64_t i = 1; i <= count; ++i) ways.launch("cudaLaunchKernel", i * 10, i * 10 + 5, i);
  for (std::int64_t i = 1; i < count; ++i) ways.kernel("k" + std::to_string(i), all + i, all + i + 1, i);
  TestTrace within = ways;
  within.kernel("k1", 2 * all, 2 * all + 1, count);
  CHECK(stack_of(within.load(), "my::op").text.ends_with("['k512']]"));
  ways.kernel("one more", 2 * all, 2 * all + 1, count);
  CHECK(stack_of(ways.load(), "my::op").text.ends_with("['k512'], ['...']]"));
}

TEST_CASE("call stacks: ways that read the same are one, whichever calls they lead through") {
  TestTrace trace;
  trace.op("my::op", 0, 1'000);
  for (std::int64_t i = 1; i <= 3; ++i) {
    trace.frame(i == 2 ? "src/b.py(1): g" : "src/a.py(1): f_" + std::to_string(i), i * 100, i * 100 + 50);
    trace.launch("cudaLaunchKernel", i * 100 + 10, i * 100 + 20, i);
  }
  for (std::int64_t i = 1; i <= 3; ++i) trace.kernel("k", 2'000 + i * 10, 2'005 + i * 10, i);
  CHECK(stack_of(trace.load(), "my::op").text == "['my::op', ['src/a.py(1): f', 'k'], ['src/b.py(1): g', 'k']]");
}

TEST_CASE("call stacks: many launches below a deep stack walk it once, not once each") {
  const auto make = [](std::int64_t depth) {
    constexpr std::int64_t launches = 20'000;
    constexpr std::int64_t all = launches * 100;
    TestTrace trace;
    trace.op("my::op", 0, all);
    for (std::int64_t i = 1; i <= depth; ++i) trace.frame("src/deep.py(1): f", i * 10, all - i * 10);
    for (std::int64_t i = 1; i <= launches; ++i) {
      trace.launch("cudaLaunchKernel", depth * 10 + i * 10, depth * 10 + i * 10 + 5, i);
    }
    for (std::int64_t i = 1; i <= launches; ++i) trace.kernel("k", all + i * 10, all + i * 10 + 5, i);
    return TableScene(trace.load());
  };
  const auto work = [](const TableScene& scene) {
    const NodeId node = node_named(*scene.tree, "my::op");
    CHECK(CallStacks(*scene.tree).full(node, scene.tree->gpu_events(node)).text.ends_with("'k']"));
  };
  // Once each, eight times the depth would be eight times the work.
  CHECK(growth_of(60, make, work) < 4);
}
}  // namespace kinetoscope::analysis
