// F30, F31, F36, F37: steps as serving engines announce them, steps whose GPU annotation covers other work than they
// launched, operators inside operators, and traces of captures.
#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

struct Announced {
  std::string_view name;
  std::string_view phase;  ///< empty when idle
  std::int64_t kernel_us;  ///< 0: nothing is launched
};

/// Steps of 1 ms, one behind the other; each launches at most one kernel, 20 us behind its start.
void add_step_names(std::vector<DefectCase>& cases) {
  const auto announced = [&](std::string variant, const std::vector<Announced>& steps) {
    SmallTrace trace;
    json expected_steps = json::array();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i);
      const std::int64_t start_ns = (100 + 1'000 * place) * us;
      const std::int64_t duration_ns = steps[i].kernel_us * us;
      trace.annotation(steps[i].name, start_ns, 1'000 * us);
      if (duration_ns > 0) {
        trace.launch("hipLaunchKernel", start_ns + 10 * us, 101 + place);
        trace.gpu({.name = "decode_kernel",
                   .start_ns = start_ns + 20 * us,
                   .duration_ns = duration_ns,
                   .correlation = 101 + place});
        trace.arrow_start(101 + place, start_ns + 10 * us).arrow_end(101 + place, start_ns + 20 * us);
      }
      expected_steps.push_back({{"name", steps[i].name},
                                {"gpu_events", duration_ns > 0 ? 1 : 0},
                                {"busy_ns", duration_ns},
                                {"phase", steps[i].phase.empty() ? json(nullptr) : json(steps[i].phase)}});
    }
    json expected = trace.expected(json::object());
    expected["steps"] = std::move(expected_steps);
    cases.push_back({"F30", std::move(variant), trace.text(), "", std::move(expected)});
  };
  announced("SGLang", {{"step[EXTEND bs=4 toks=16384]", "prefill_only", 900},
                       {"step[DECODE bs=64]", "decode_only", 120},
                       {"step[MIXED bs=62]", "prefilldecode", 300},
                       {"step[IDLE]", "", 0}});
  announced("SGLang with sums", {{"step[MIXED bs=5 c=2 g=3 c_sq=6144 c_sk=7144 c_sqsq=20971520 c_sqsk=23019520 g_sq=3 "
                                  "g_sk=6144 g_sqsq=3 g_sqsk=6144]",
                                  "prefilldecode", 400},
                                 {"step[DECODE bs=3 g_sq=3 g_sk=6144 g_sqsq=3 sqsq=3 sqsk=6144]", "decode_only", 90}});
  announced("vLLM", {{"execute_context_2(512)_generation_0(0)", "prefill_only", 700},
                     {"execute_context_1(128)_generation_3(3)", "prefilldecode", 250},
                     {"execute_context_0(0)_generation_4(4)", "decode_only", 80},
                     {"execute_context_0(0)_generation_0(0)", "", 0}});
  announced(
      "vLLM with sums",
      {{"execute_512_context_2(sq512sk512sqsq131072sqsk131072)_generation_0(sq0sk0sqsq0sqsk0)", "prefill_only", 650},
       {"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)", "decode_only", 75}});
  announced("ATOM", {{"prefill[bs=2 tok=512 ctx=0]", "prefill_only", 500},
                     {"decode[bs=117/128 tok=117 p=0 d=117]", "decode_only", 60}});
}

/// Step 22 launches two kernels, 150-180 and 400-470 us, the second from the backward thread. By launch it is busy 100
/// us; its GPU annotation covers what lies in it.
void add_step_mismatches(std::vector<DefectCase>& cases) {
  const auto annotated = [&](std::string variant, std::int64_t start_us, std::int64_t duration_us,
                             std::int64_t covered_us, bool other_process_thread) {
    SmallTrace trace;
    trace.annotation("ProfilerStep#22", 100 * us, 400 * us);
    if (duration_us > 0) {
      trace.add(fmt::format(
          R"({{"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#22", "pid": 0, "tid": 7, "ts": {}, "dur": {}, "args": {{"External id": 50}}}})",
          start_us, duration_us));
    }
    trace.mm(110 * us, 1001, {.name = "gemm_forward", .start_ns = 150 * us, .duration_ns = 30 * us});
    if (other_process_thread) trace.thread = 11;
    trace.op("autograd::engine::evaluate_function: MmBackward0", 200 * us, 60 * us);
    trace.mm(210 * us, 1003, {.name = "gemm_backward", .start_ns = 400 * us, .duration_ns = 70 * us});
    const bool is_mismatch = duration_us > 0 && covered_us != 100;
    json expected = trace.expected(is_mismatch ? json{{"step_annotation_mismatch", 1}} : json::object());
    json step = {{"name", "ProfilerStep#22"}, {"gpu_events", 2}, {"busy_ns", 100 * us}};
    if (duration_us > 0) step["gpu_annotation_busy_ns"] = covered_us * us;
    expected["steps"] = json::array({step});
    cases.push_back({"F31", std::move(variant), trace.text(), "", std::move(expected)});
  };
  annotated("the first kernel only", 150, 30, 30, true);
  annotated("the last kernel only", 400, 70, 70, true);
  annotated("neither kernel", 190, 100, 0, true);
  annotated("both kernels: no mismatch", 150, 320, 100, true);
  annotated("no GPU annotation: no mismatch", 0, 0, 0, true);
  annotated("one thread, the first kernel only", 150, 30, 30, false);
}

/// One kernel of 25 us below a chain of operators: it belongs to the innermost.
void add_nested_ops(std::vector<DefectCase>& cases) {
  struct Level {
    std::string_view name;
    bool is_frame;
  };
  const auto nested = [&](std::string variant, const std::vector<Level>& outside_in) {
    SmallTrace trace;
    json ancestors = json::array();
    std::string_view launcher;
    for (std::size_t i = 0; i < outside_in.size(); ++i) {
      const std::int64_t inset_ns = 2 * us * static_cast<std::int64_t>(i);
      const Level& level = outside_in[i];
      if (level.is_frame) {
        trace.frame(level.name, 100 * us + inset_ns, 60 * us - 2 * inset_ns);
      } else {
        trace.op(level.name, 100 * us + inset_ns, 60 * us - 2 * inset_ns);
        launcher = level.name;
      }
      ancestors.insert(ancestors.begin(), std::string(level.name));
    }
    ancestors.insert(ancestors.begin(), "hipModuleLaunchKernel");
    trace.launch("hipModuleLaunchKernel", 126 * us, 1001);
    trace.gpu({.name = "quant_kernel", .start_ns = 200 * us, .duration_ns = 25 * us, .correlation = 1001});
    trace.arrow_start(1001, 126 * us).arrow_end(1001, 200 * us);
    json expected = trace.expected(json::object());
    expected["kernels"] = {
        {"quant_kernel", {{"method", "correlation"}, {"launcher", launcher}, {"ancestors", ancestors}}}};
    cases.push_back({"F36", std::move(variant), trace.text(), "", std::move(expected)});
  };
  nested("three operators and a wrapper's frame", {{"vllm::rocm_aiter_group_fp8_quant", false},
                                                   {"aiter::per_group_quant_hip", false},
                                                   {"aiter::dynamic_per_token_scaled_quant", false},
                                                   {"aiter/jit/core.py(812): custom_wrapper", true}});
  nested("three operators", {{"aten::softmax", false}, {"aten::_softmax", false}, {"aten::_softmax_out", false}});
  nested("a frame between operators",
         {{"aten::linear", false}, {"torch/_ops.py(1): __call__", true}, {"aten::addmm", false}});
  nested("frames around one operator",
         {{"serve.py(3): main", true}, {"layer.py(9): forward", true}, {"aten::mm", false}});
  nested("backward: the innermost, not the autograd node",
         {{"autograd::engine::evaluate_function: ConvolutionBackward0", false},
          {"ConvolutionBackward0", false},
          {"aten::convolution_backward", false}});
}

/// Launches between the begin and the end of a capture: none runs.
void add_captures(std::vector<DefectCase>& cases) {
  struct Capture {
    std::string_view variant;
    std::string_view annotation;
    std::string_view prefix;  ///< of the runtime's names
    bool has_begin;
    int captures;
  };
  const std::vector<Capture> captures = {
      {"annotated by the engine", "_capture_graph bs=104", "hip", false, 1},
      {"vLLM, full graph", "capture_32_FULL", "hip", true, 1},
      {"SGLang, CUDA", "capture_32_DECODE", "cuda", true, 1},
      {"no annotation", "", "cuda", true, 1},
      {"piecewise: six captures", "capture_8192_PIECEWISE", "hip", true, 6},
  };
  for (const Capture& capture : captures) {
    SmallTrace trace;
    if (!capture.annotation.empty()) trace.annotation(capture.annotation, 50 * us, 600 * us * capture.captures);
    const auto name = [&](std::string_view rest) { return std::string(capture.prefix) + std::string(rest); };
    for (int i = 0; i < capture.captures; ++i) {
      const std::int64_t start_ns = (60 + 500 * i) * us;
      if (capture.has_begin) trace.call(name("StreamBeginCapture"), start_ns, 3 * us, 1000 + 10 * i);
      trace.op("aten::mm", start_ns + 40 * us, 20 * us).launch(name("LaunchKernel"), start_ns + 45 * us, 1001 + 10 * i);
      trace.op("aten::add", start_ns + 70 * us, 20 * us)
          .launch(name("LaunchKernel"), start_ns + 75 * us, 1002 + 10 * i);
      trace.call(name("StreamEndCapture"), start_ns + 240 * us, 10 * us, 1003 + 10 * i);
      trace.call(name("GraphInstantiate"), start_ns + 260 * us, 80 * us, 1004 + 10 * i);
    }
    json expected = {
        {"events", trace.events.size()},
        {"kind", "graph_capture"},
        {"gpu", figures_json({})},
        {"linked", 0},
        {"diagnostics",
         {{"graph_capture_trace", "present"}, {"no_gpu_events", "any"}, {"launch_without_kernel", "any"}}}};
    cases.push_back({"F37", std::string(capture.variant), trace.text(), "", std::move(expected)});
  }
}
}  // namespace

std::vector<DefectCase> step_defects() {
  std::vector<DefectCase> cases;
  add_step_names(cases);
  add_step_mismatches(cases);
  add_nested_ops(cases);
  add_captures(cases);
  return cases;
}
}  // namespace kinetoscope::examples
