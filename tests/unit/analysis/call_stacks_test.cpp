#include "core/analysis/call_stacks.hpp"

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"

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
  CHECK(text.ends_with("'aten::mm', 'gemm']"));
}
}  // namespace kinetoscope::analysis
