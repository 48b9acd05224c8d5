#include "core/analysis/trace_kind.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/loaded_trace.hpp"

namespace kinetoscope::analysis {
namespace {

TraceKind kind_of(std::string events, std::string header = "") {
  const Trace trace = trace_of("{" + header + R"("traceEvents": [)" + std::move(events) + "]}");
  return kind_of_trace(CallTree::build(trace));
}
const std::string op = R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 9},)";
const std::string graph =
    R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 2, "dur": 2, "args": {"correlation": 5}},)";
const std::string launch =
    R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 2, "args": {"correlation": 5}},)";
const std::string kernel =
    R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 9, "dur": 2, "args": {"stream": 7, "correlation": 5}})";
const std::string begin_capture =
    R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamBeginCapture_v10000", "pid": 1, "tid": 1, "ts": 1, "dur": 0.5},)";
}  // namespace

TEST_CASE("trace kind: how GPU work was launched decides") {
  CHECK(kind_of(op + launch + kernel) == TraceKind::eager);
  CHECK(kind_of(op + graph + kernel) == TraceKind::graph_replay);
  CHECK(kind_of(op + graph + kernel, R"("cudaGraphInlineAnnotated": true, )") == TraceKind::graph_replay_annotated);
  CHECK(kind_of(launch + kernel) == TraceKind::gpu_only);
  CHECK(kind_of(kernel) == TraceKind::gpu_only);
  CHECK(kind_of(op + R"({"ph": "i", "name": "mark", "pid": 1, "tid": 1, "ts": 3})") == TraceKind::cpu_only);
}

TEST_CASE("trace kind: launches recorded into a graph and never run are a capture") {
  CHECK(kind_of(op + begin_capture + launch.substr(0, launch.size() - 1)) == TraceKind::capture);
}
}  // namespace kinetoscope::analysis
