#include "core/tree/recompute.hpp"

#include <doctest/doctest.h>

#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {

TEST_CASE("recompute: only what lies below the frame is marked, on the autograd thread too") {
  const Trace trace = TestTrace()
                          .thread(2)
                          .op("autograd::engine::evaluate_function", 0, 100_us)
                          .frame("torch/utils/checkpoint.py(1102): recompute_fn", 10_us, 50_us)
                          .op("aten::conv2d", 20_us, 40_us)
                          .launch("cudaLaunchKernel", 21_us, 22_us, 1)
                          .op("aten::conv2d_backward", 60_us, 90_us)
                          .launch("cudaLaunchKernel", 61_us, 62_us, 2)
                          .kernel("again", 30_us, 40_us, 1)
                          .kernel("backward", 70_us, 80_us, 2)
                          .kernel("from_nowhere", 90_us, 95_us, 99)
                          .load();
  const CallTree tree = CallTree::build(trace);
  const RecomputeMarks marks(tree);
  CHECK(marks.has_any());
  CHECK(marks.contains(node_named(tree, "torch/utils/checkpoint.py(1102): recompute_fn")));
  CHECK(marks.contains(node_named(tree, "aten::conv2d")));
  CHECK_FALSE(marks.contains(node_named(tree, "aten::conv2d_backward")));
  CHECK_FALSE(marks.contains(node_named(tree, "autograd::engine::evaluate_function")));
  CHECK(marks.contains_gpu(event_named(trace, "again")));
  CHECK_FALSE(marks.contains_gpu(event_named(trace, "backward")));
  CHECK_FALSE(marks.contains_gpu(event_named(trace, "from_nowhere")));
}

TEST_CASE("recompute: frames inside one another and side by side are all marked") {
  const Trace trace = TestTrace()
                          .frame("torch/utils/checkpoint.py(1): recompute_fn", 0, 10_us)
                          .frame("torch/utils/checkpoint.py(1): recompute_fn", 1_us, 9_us)
                          .frame("torch/utils/checkpoint.py(1): recompute_fn", 10_us, 20_us)
                          .op("inside", 11_us, 12_us)
                          .op("behind", 21_us, 22_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  const RecomputeMarks marks(tree);
  CHECK(marks.contains(node_named(tree, "inside")));
  CHECK_FALSE(marks.contains(node_named(tree, "behind")));
}

TEST_CASE("recompute: a trace without such frames has no marks") {
  const Trace trace = TestTrace().op("aten::mm", 0, 10_us).load();
  const CallTree tree = CallTree::build(trace);
  CHECK_FALSE(RecomputeMarks(tree).has_any());
  CHECK_FALSE(RecomputeMarks(tree).contains(node_named(tree, "aten::mm")));
}
}  // namespace kinetoscope
