#include "core/tree/capture_windows.hpp"

#include <doctest/doctest.h>

#include "core/tree/call_tree.hpp"
#include "core/tree/diagnostics.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

bool is_captured(const Trace& trace, std::string_view name) {
  const RuntimeCallTable calls(trace);
  return CaptureWindows(trace, calls).contains(event_named(trace, name));
}
}  // namespace

TEST_CASE("capture windows: a thread captures from the end of the begin call to the begin of the end call") {
  const Trace trace = TestTrace()
                          .op("before", 5_us, 8_us)
                          .launch("cudaStreamBeginCapture", 10_us, 20_us, 0)
                          .driver("during the begin call", 12_us, 18_us, 0)
                          .op("inside", 20_us, 30_us)
                          .launch("cudaStreamEndCapture", 50_us, 60_us, 0)
                          .op("behind", 60_us, 70_us)
                          .thread(2)
                          .op("other thread", 30_us, 40_us)
                          .load();
  CHECK(is_captured(trace, "inside"));
  CHECK_FALSE(is_captured(trace, "before"));
  CHECK_FALSE(is_captured(trace, "during the begin call"));
  CHECK_FALSE(is_captured(trace, "behind"));
  CHECK_FALSE(is_captured(trace, "other thread"));
}

TEST_CASE("capture windows: a capture may begin before the trace, or end behind it") {
  const Trace trace = TestTrace()
                          .op("first", 0, 10_us)
                          .launch("hipStreamEndCapture", 50_us, 60_us, 0)
                          .op("between", 70_us, 80_us)
                          .launch("hipStreamBeginCapture", 90_us, 95_us, 0)
                          .op("last", 100_us, 110_us)
                          .load();
  CHECK(is_captured(trace, "first"));
  CHECK_FALSE(is_captured(trace, "between"));
  CHECK(is_captured(trace, "last"));
}

TEST_CASE("capture windows: launches into a capture are no launches without a kernel") {
  const Trace trace = TestTrace()
                          .launch("cudaStreamBeginCapture", 0, 1_us, 0)
                          .launch("cudaLaunchKernel", 10_us, 20_us, 3)
                          .launch("cudaLaunchKernel", 30_us, 40_us, 4)
                          .launch("cudaStreamEndCapture", 50_us, 51_us, 0)
                          .launch("cudaLaunchKernel", 60_us, 70_us, 5)
                          .load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.launches().total == 3);
  CHECK(tree.launches().captured == 2);
  CHECK(tree.launches().without_kernel == 1);
  CHECK(tree.diagnostics().count(tree_diagnostics::graph_capture_trace) == 1);
}

TEST_CASE("capture windows: a trace without captures has none") {
  const Trace trace = TestTrace().launch("cudaLaunchKernel", 0, 1_us, 1).load();
  const RuntimeCallTable calls(trace);
  CHECK_FALSE(CaptureWindows(trace, calls).has_any());
}
}  // namespace kinetoscope
