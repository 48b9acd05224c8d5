// F13 to F18: negative times, kernels without time, unfinished and overlong work, ends that cross by nanoseconds.
#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

constexpr std::string_view gemm = "Cijk_Alik_Bljk_BBS_BH_MT64x64";

/// The core's two operators, launches and kernels, all shifted by `shift_ns`.
SmallTrace shifted_core(std::int64_t shift_ns) {
  SmallTrace trace;
  trace.mm(100 * us + shift_ns, 1001,
           {.name = std::string(gemm), .start_ns = 150 * us + shift_ns, .duration_ns = 30 * us});
  return trace.mm(130 * us + shift_ns, 1002,
                  {.name = std::string(gemm), .start_ns = 200 * us + shift_ns, .duration_ns = 50 * us});
}

/// Signed time is time: figures do not change with a shift.
void add_negative_times(std::vector<DefectCase>& cases) {
  const auto shifted = [&](std::string variant, std::int64_t shift_ns) {
    const SmallTrace trace = shifted_core(shift_ns);
    cases.push_back({"F13", std::move(variant), trace.text(), "", trace.expected({{"negative_timestamp", "present"}})});
  };
  shifted("the second kernel starts at 0", -200 * us);
  shifted("everything before the base", -1'000 * us);
  shifted("0 inside the second kernel", -220 * us);
  shifted("fractions: -0.5 us", -150 * us - 500);
  shifted("a day before the base", -86'400'000'000 * us);
  shifted("only the host's first call", -100 * us - 1);
}

void add_zero_times(std::vector<DefectCase>& cases) {
  const GpuRow untimed{.name = std::string(gemm), .start = "0.0", .duration = "0.0", .is_timed = false};
  const auto put = [&](std::string variant, const SmallTrace& trace, int count) {
    cases.push_back({"F14", std::move(variant), trace.text(), "", trace.expected({{"zero_timestamp_kernel", count}})});
  };
  put("two of four", SmallTrace::core().mm(160 * us, 1003, untimed).mm(190 * us, 1004, untimed), 2);
  GpuRow integers = untimed;
  integers.start = integers.duration = "0";
  put("as integers", SmallTrace::core().mm(160 * us, 1003, integers), 1);
  GpuRow decimals = untimed;
  decimals.start = decimals.duration = "0.000";
  put("with three decimals", SmallTrace::core().mm(160 * us, 1003, decimals), 1);
  put("all of them", SmallTrace().mm(100 * us, 1001, untimed).mm(130 * us, 1002, untimed), 2);
  GpuRow far = untimed;
  far.stream = 13;
  put("on a stream that has nothing else", SmallTrace::core().mm(160 * us, 1003, far), 1);
  put("first in the file",
      SmallTrace()
          .mm(90 * us, 1000, untimed)
          .mm(100 * us, 1001, {.name = std::string(gemm), .start_ns = 150 * us, .duration_ns = 30 * us}),
      1);
}

void add_negative_durations(std::vector<DefectCase>& cases) {
  const auto kernel = [&](std::string variant, std::string duration, std::string category, Work work) {
    SmallTrace trace = SmallTrace::core();
    trace.mm(310 * us, 1009,
             {.name = "unfinished",
              .start_ns = 320 * us,
              .category = std::move(category),
              .work = work,
              .duration = std::move(duration),
              .is_timed = false});
    cases.push_back({"F15", std::move(variant), trace.text(), "", trace.expected({{"negative_duration", 1}})});
  };
  kernel("a kernel of -5 us", "-5", "kernel", Work::computation);
  kernel("a kernel of -1 ns", "-0.001", "kernel", Work::computation);
  kernel("a fill", "-1", "gpu_memset", Work::computation);
  kernel("an end of 0: minus the start", "-320.000", "kernel", Work::computation);
  const auto host = [&](std::string variant, std::string_view category, std::string_view duration) {
    SmallTrace trace = SmallTrace::core();
    trace.add(
        fmt::format(R"({{"ph": "X", "cat": "{}", "name": "unfinished", "pid": 100, "tid": 10, "ts": 310, "dur": {}}})",
                    category, duration));
    cases.push_back({"F15", std::move(variant), trace.text(), "", trace.expected({{"negative_duration", 1}})});
  };
  host("an operator of -1 us", "cpu_op", "-1");
  host("an annotation", "user_annotation", "-1.000");
  host("a Python frame", "python_function", "-12.5");
}

/// Work is suspect when later work of its hardware stream lies wholly inside it. Times stay as they are.
void add_overlong(std::vector<DefectCase>& cases) {
  struct Row {
    std::int64_t start_us;
    std::int64_t duration_us;
    std::int64_t stream;
    std::string_view more_args;
  };
  const auto put = [&](std::string variant, const std::vector<Row>& rows, int suspects) {
    SmallTrace trace;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i);
      trace.mm((100 + 10 * place) * us, 1001 + place,
               {.name = fmt::format("kernel_{}", i + 1),
                .start_ns = rows[i].start_us * us,
                .duration_ns = rows[i].duration_us * us,
                .stream = rows[i].stream,
                .more_args = std::string(rows[i].more_args)});
    }
    json diagnostics = json::object();
    if (suspects > 0) diagnostics["suspect_duration"] = suspects;
    cases.push_back({"F16", std::move(variant), trace.text(), "", trace.expected(std::move(diagnostics))});
  };
  put("one over three", {{150, 1'600'000, 7, ""}, {200, 50, 7, ""}, {260, 40, 7, ""}, {310, 20, 7, ""}}, 1);
  put("two, one inside the other", {{150, 1'000, 7, ""}, {200, 400, 7, ""}, {260, 40, 7, ""}}, 2);
  put("another stream's work inside is no sign", {{150, 1'000, 7, ""}, {200, 50, 13, ""}}, 0);
  put("a partial overlap is no sign", {{150, 60, 7, ""}, {200, 50, 7, ""}}, 0);
  put("the last one is long", {{150, 30, 7, ""}, {200, 1'600'000, 7, ""}}, 0);
  put("lanes apart, one hardware stream",
      {{150, 1'000, 101, R"(, "original_stream": 7)"}, {200, 50, 102, R"(, "original_stream": 7)"}}, 1);
  put("later in time, earlier in the file", {{200, 50, 7, ""}, {150, 1'000, 7, ""}}, 1);
}

/// Below a chain of frames, each of which ends `late_ns` after its caller, every call stays where it is.
void add_late_ends(std::vector<DefectCase>& cases) {
  constexpr std::int64_t base_ns = 6'345'831'150'000'000;
  const auto chain = [&](std::string variant, int frames, std::int64_t late_ns) {
    SmallTrace trace;
    json ancestors = {"hipLaunchKernel", "aten::mm"};
    for (int depth = 0; depth < frames; ++depth) {
      const std::int64_t inset_ns = 100 * us * depth;
      trace.frame(fmt::format("runner.py({}): level_{}", depth + 10, depth), base_ns + inset_ns,
                  2'000 * us - inset_ns + depth * late_ns);
      ancestors.insert(ancestors.begin() + 2, fmt::format("runner.py({}): level_{}", depth + 10, depth));
    }
    trace.mm(base_ns + 1'000 * us, 1001,
             {.name = "gemm", .start_ns = base_ns + 1'060 * us + 500, .duration_ns = 30'250});
    json expected = trace.expected(json::object());
    expected["kernels"] = {{"gemm", {{"method", "correlation"}, {"ancestors", ancestors}}}};
    cases.push_back({"F17", std::move(variant), trace.text(), "", std::move(expected)});
  };
  chain("1 ns", 2, 1);
  chain("999 ns", 2, 999);
  chain("1 ns at each of five levels", 5, 1);
  chain("300 ns at each of three levels", 3, 300);
  chain("ends that agree", 3, 0);
}

/// A holds B and C; C starts `gap_ns` after B ends, at an epoch of sixteen digits.
void add_epoch_times(std::vector<DefectCase>& cases) {
  constexpr std::int64_t epoch_ns = 1'732'107'141'551'429'079;
  const auto siblings = [&](std::string variant, std::int64_t gap_ns, int calls) {
    SmallTrace trace;
    json parents = {{"A", nullptr}};
    trace.op("A", epoch_ns, 34'670'882'955);
    std::int64_t start_ns = epoch_ns + 1'445'637'603;
    for (int i = 0; i < calls; ++i) {
      const std::string name(1, static_cast<char>('B' + i));
      trace.op(name, start_ns, 476'375'838 + i);
      parents[name] = "A";
      start_ns += 476'375'838 + i + gap_ns;
    }
    json expected = {{"events", trace.events.size()}, {"host_parents", parents}, {"gpu", figures_json({})}};
    cases.push_back({"F18", std::move(variant), trace.text(), "", std::move(expected)});
  };
  siblings("49 ns apart", 49, 2);
  siblings("1 ns apart", 1, 2);
  siblings("touching", 0, 2);
  siblings("eight, 1 ns apart", 1, 8);
  siblings("eight, touching", 0, 8);
}
}  // namespace

std::vector<DefectCase> time_defects() {
  std::vector<DefectCase> cases;
  add_negative_times(cases);
  add_zero_times(cases);
  add_negative_durations(cases);
  add_overlong(cases);
  add_late_ends(cases);
  add_epoch_times(cases);
  return cases;
}
}  // namespace kinetoscope::examples
