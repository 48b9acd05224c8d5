// F26, F27, F34, F38: launches without kernels, no GPU work at all, kernels without correlation ids, no arrows.
#include <algorithm>

#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

/// Launches of which only the marked have a kernel.
void add_lost_kernels(std::vector<DefectCase>& cases) {
  const auto lost = [&](std::string variant, std::string_view launch, std::string_view category,
                        const std::vector<bool>& recorded) {
    SmallTrace trace;
    trace.launch_name = launch;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i);
      const std::int64_t start_ns = (100 + 30 * place) * us;
      trace.op("aten::mm", start_ns, 20 * us).launch(launch, start_ns + 5 * us, 1001 + place, category);
      if (recorded[i]) {
        trace.gpu(
            {.name = "gemm", .start_ns = start_ns + 50 * us, .duration_ns = 25 * us, .correlation = 1001 + place});
        trace.arrow_start(1001 + place, start_ns + 5 * us).arrow_end(1001 + place, start_ns + 50 * us);
      } else {
        ++trace.launches_without_kernel;
      }
    }
    const bool is_graph = launch.find("Graph") != std::string_view::npos;
    const char* code = is_graph ? "graph_launch_without_kernels" : "launch_without_kernel";
    json diagnostics = {{code, trace.launches_without_kernel}};
    if (is_graph) diagnostics["launch_without_kernel"] = "any";
    cases.push_back({"F26", std::move(variant), trace.text(), "", trace.expected(std::move(diagnostics))});
  };
  lost("three of four, at the end", "cudaLaunchKernel", "cuda_runtime", {true, false, false, false});
  lost("one, at the start", "hipLaunchKernel", "cuda_runtime", {false, true, true, true});
  lost("every second", "hipExtModuleLaunchKernel", "cuda_runtime", {true, false, true, false, true, false});
  lost("driver calls", "cuLaunchKernelEx", "cuda_driver", {true, false, false});
  lost("graph launches", "hipGraphLaunch", "cuda_runtime", {true, false, false, true, true});
}

/// Only host events. Whether a launch among them is also reported as one without kernel is not claimed.
void add_host_only(std::vector<DefectCase>& cases) {
  const auto host = [&](std::string variant, const SmallTrace& trace) {
    json expected = {{"events", trace.events.size()},
                     {"kind", "cpu_only"},
                     {"gpu", figures_json({})},
                     {"linked", 0},
                     {"diagnostics", {{"no_gpu_events", 1}, {"launch_without_kernel", "any"}}}};
    cases.push_back({"F27", std::move(variant), trace.text(), "", std::move(expected)});
  };
  host("operators", SmallTrace().op("aten::mm", 100 * us, 20 * us).op("aten::add", 130 * us, 20 * us));
  host("operators and a launch", SmallTrace()
                                     .op("aten::mm", 100 * us, 20 * us)
                                     .launch("cudaLaunchKernel", 105 * us, 1001)
                                     .op("aten::add", 130 * us, 20 * us));
  host("operators in Python frames",
       SmallTrace().frame("train.py(1): main", 90 * us, 100 * us).op("aten::mm", 100 * us, 20 * us));
  host("operators in a step",
       SmallTrace().annotation("ProfilerStep#3", 90 * us, 100 * us).op("aten::mm", 100 * us, 20 * us));
  host(
      "operators and memory",
      SmallTrace()
          .op("aten::empty", 100 * us, 20 * us)
          .add(
              R"({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 100, "tid": 10, "ts": 105, )"
              R"("args": {"Total Allocated": 1024, "Bytes": 1024, "Device Id": -1, "Device Type": 0, "Addr": 140000}})"));
}

/// Two operators of External ids 1 and 2, whose launches have the correlation ids 1001 and 1002, at 105 and 135 us.
SmallTrace two_launches() {
  SmallTrace trace;
  trace.op("aten::mm", 100 * us, 20 * us).launch("hipLaunchKernel", 105 * us, 1001);
  return trace.op("aten::mm", 130 * us, 20 * us).launch("hipLaunchKernel", 135 * us, 1002);
}

void add_missing_correlations(std::vector<DefectCase>& cases) {
  const GpuRow by_flow{.name = "gemm_by_flow", .start_ns = 150 * us, .duration_ns = 30 * us};
  const GpuRow by_id{.name = "gemm_by_ext", .start_ns = 200 * us, .duration_ns = 10 * us, .external_id = 2};
  const GpuRow orphan{.name = "orphan", .start_ns = 230 * us, .duration_ns = 10 * us, .is_linked = false};
  const auto put = [&](std::string variant, const SmallTrace& trace, json diagnostics, json kernels) {
    json expected = trace.expected(std::move(diagnostics));
    expected["kernels"] = std::move(kernels);
    cases.push_back({"F34", std::move(variant), trace.text(), "", std::move(expected)});
  };
  const json flow = {{"method", "flow"}};
  const json external_id = {{"method", "external_id"}};
  const json none = {{"method", "none"}};

  SmallTrace each =
      two_launches().gpu(by_flow).arrow_start(1001, 105 * us).arrow_end(1001, 150 * us).gpu(by_id).gpu(orphan);
  put("one by arrow, one by External id, one by nothing", each,
      {{"linked_by_flow", 1}, {"linked_by_external_id", 1}, {"unlinked_kernel", 1}},
      {{"gemm_by_flow", flow}, {"gemm_by_ext", external_id}, {"orphan", none}});

  GpuRow zero = by_flow;
  zero.correlation = 0;
  SmallTrace zeros = two_launches().gpu(zero).arrow_start(1001, 105 * us).arrow_end(1001, 150 * us).gpu(by_id);
  put("correlation 0 is no id", zeros, {{"linked_by_flow", 1}, {"linked_by_external_id", 1}},
      {{"gemm_by_flow", flow}, {"gemm_by_ext", external_id}});

  SmallTrace first = two_launches().gpu(by_id).gpu(orphan);
  first.launches_without_kernel = 1;
  put("the arrow is missing too", first,
      {{"linked_by_external_id", 1}, {"unlinked_kernel", 1}, {"launch_without_kernel", 1}},
      {{"gemm_by_ext", external_id}, {"orphan", none}});

  SmallTrace missing = two_launches().gpu(by_id).gpu(orphan).arrow_start(1001, 105 * us).arrow_end(1001, 151 * us);
  missing.launches_without_kernel = 1;
  put("an arrow that ends where nothing starts", missing,
      {{"linked_by_external_id", 1}, {"unlinked_kernel", 1}, {"flow_target_missing", 1}, {"launch_without_kernel", 1}},
      {{"gemm_by_ext", external_id}, {"orphan", none}});

  // Correlation wins over an External id that belongs to another operator.
  GpuRow both{
      .name = "gemm_by_both", .start_ns = 150 * us, .duration_ns = 30 * us, .correlation = 1001, .external_id = 2};
  SmallTrace unrelated = two_launches().gpu(both).arrow_start(1001, 105 * us).arrow_end(1001, 150 * us);
  unrelated.launches_without_kernel = 1;
  put("an unrelated External id", unrelated, {{"launch_without_kernel", 1}},
      {{"gemm_by_both", {{"method", "correlation"}}}});

  // Two arrows, both right, and no ids at all.
  GpuRow second{.name = "gemm_by_second_flow", .start_ns = 200 * us, .duration_ns = 10 * us};
  SmallTrace arrows = two_launches().gpu(by_flow).gpu(second).arrow_start(1001, 105 * us).arrow_end(1001, 150 * us);
  arrows.arrow_start(1002, 135 * us).arrow_end(1002, 200 * us);
  put("arrows only", arrows, {{"linked_by_flow", 2}}, {{"gemm_by_flow", flow}, {"gemm_by_second_flow", flow}});
}

/// The core with some arrows left out: correlation ids link what they name.
void add_missing_arrows(std::vector<DefectCase>& cases) {
  const auto without = [&](std::string variant, SmallTrace trace, const std::vector<std::size_t>& left_out,
                           json count) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) kept.push_back(trace.events[i]);
    }
    trace.events = std::move(kept);
    cases.push_back(
        {"F38", std::move(variant), trace.text(), "", trace.expected({{"linked_without_flow", std::move(count)}})});
  };
  // The core's rows: operator, launch, kernel, start and end of the arrow; twice.
  without("none at all", SmallTrace::core(), {3, 4, 8, 9}, 2);
  without("one of two", SmallTrace::core(), {8, 9}, 1);
  without("starts without ends", SmallTrace::core(), {4, 9}, 2);
  without("ends without starts", SmallTrace::core(), {3, 8}, 2);
  SmallTrace fill = SmallTrace::core();
  fill.mm(300 * us, 1003,
          {.name = "Memset (Device)", .start_ns = 350 * us, .duration_ns = 2 * us, .category = "gpu_memset"});
  without("a fill's", fill, {13, 14}, 1);
}
}  // namespace

std::vector<DefectCase> link_defects() {
  std::vector<DefectCase> cases;
  add_lost_kernels(cases);
  add_host_only(cases);
  add_missing_correlations(cases);
  add_missing_arrows(cases);
  return cases;
}
}  // namespace kinetoscope::examples
