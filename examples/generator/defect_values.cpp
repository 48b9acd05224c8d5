// F04, F05, F12: bare infinities, superfluous commas, integers beyond 64 bits. The core stays as it is; what is added
// lies behind it, so its figures follow by hand.
#include "examples/generator/defect_case.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

/// The core and a copy at 265-269 us that the call at 245 us launched: busy 84, span 119, idle 35 us.
SmallTrace with_copy(std::string more_args) {
  SmallTrace trace = SmallTrace::core();
  trace.call("hipMemcpyWithStream", 245 * us, 6 * us, 1003);
  trace.gpu({.name = "Memcpy HtoD (Host -> Device)",
             .start_ns = 265 * us,
             .duration_ns = 4 * us,
             .correlation = 1003,
             .category = "gpu_memcpy",
             .work = Work::memcpy,
             .more_args = std::move(more_args)});
  trace.arrow_start(1003, 245 * us);
  return trace.arrow_end(1003, 265 * us);
}

/// How a copy's call counts among launches is not this kind's question.
json without_launches(json expected) {
  expected.erase("launches");
  expected.erase("launches_without_kernel");
  return expected;
}

void add_nonfinite(std::vector<DefectCase>& cases) {
  const auto in_args = [&](std::string variant, std::string more_args, int count) {
    const SmallTrace trace = with_copy(std::move(more_args));
    cases.push_back(
        {"F04", std::move(variant), trace.text(), "", without_launches(trace.expected({{"nonfinite_number", count}}))});
  };
  in_args("inf", R"args(, "bytes": 200, "memory bandwidth (GB/s)": inf)args", 1);
  in_args("-inf and nan", R"args(, "bytes": nan, "memory bandwidth (GB/s)": -inf)args", 2);
  in_args("NaN and -Infinity", R"args(, "bytes": NaN, "memory bandwidth (GB/s)": -Infinity)args", 2);
  in_args("Infinity without spaces around it", R"args(,"memory bandwidth (GB/s)":Infinity,"bytes":8)args", 1);
  in_args("inside an array", R"(, "samples": [1, nan, 2.5, inf])", 2);
  in_args("inside a nested object", R"(, "occupancy": {"achieved": NaN, "theoretical": 0.5})", 1);
  in_args("the words inside a text are text", R"(, "note": "inf, nan, NaN and -Infinity")", 0);
  // Without a duration a kernel is counted and not timed.
  SmallTrace untimed = SmallTrace::core();
  untimed.mm(300 * us, 1004, {.name = "gemm_unknown", .start_ns = 340 * us, .duration = "NaN", .is_timed = false});
  cases.push_back({"F04", "as a duration", untimed.text(), "", untimed.expected({{"nonfinite_number", 1}})});
}

void add_commas(std::vector<DefectCase>& cases) {
  const SmallTrace trace = SmallTrace::core();
  const std::string text = trace.text();
  const auto changed = [&](std::string variant, std::string bytes, int count) {
    cases.push_back({"F05", std::move(variant), std::move(bytes), "", trace.expected({{"trailing_comma", count}})});
  };
  changed("before the end of the events", replaced(text, "\n]", ",]"), 1);
  changed("before the end of the events, on a line of its own", replaced(text, "\n]", "\n  ,\n]"), 1);
  changed("behind the last of args", replaced(text, R"("External id": 1}})", R"("External id": 1,}})"), 1);
  changed("behind the last key of an event", replaced(text, R"("bp": "e"})", R"("bp": "e", })"), 1);
  changed("inside an array of args", replaced(text, "[[64, 32], [32, 16]]", "[[64, 32], [32, 16],]"), 1);
  changed("two between events", replaced(text, "},\n{", "},,\n{"), 1);
  changed("behind the last key of the root", replaced(text, "]}\n", "],}\n"), 1);
  changed("before the first event", replaced(text, "[\n{", "[,{"), 1);
  changed("three places",
          replaced(replaced(replaced(text, "\n]", ",]"), "},\n{", "},,\n{"), R"("bp": "e"})", R"("bp": "e",})"), 3);
}

/// The core and a collective at 300-380 us on stream 13: busy 160, span 230, idle 70, communication 80 us.
SmallTrace with_collective(std::string more_args) {
  SmallTrace trace = SmallTrace::core();
  trace.launch("hipExtLaunchKernel", 290 * us, 1003);
  trace.gpu(
      {.name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
       .start_ns = 300 * us,
       .duration_ns = 80 * us,
       .correlation = 1003,
       .work = Work::communication,
       .stream = 13,
       .more_args = R"(, "Collective name": "allreduce", "dtype": "BFloat16", "Group size": 8, "In msg nelems": 1024)" +
                    std::move(more_args)});
  trace.arrow_start(1003, 290 * us);
  return trace.arrow_end(1003, 300 * us, 0, 13);
}

void add_wide_integers(std::vector<DefectCase>& cases) {
  const auto wide = [&](std::string variant, const std::string& key, const std::string& value, int count) {
    const SmallTrace trace = with_collective(", \"" + key + "\": " + value);
    json diagnostics = json::object();
    if (count > 0) diagnostics["wide_integer"] = count;
    json expected = trace.expected(std::move(diagnostics));
    expected["kernels"] = {{trace.slices.back().name, {{"method", "correlation"}, {key, value}}}};
    cases.push_back({"F12", std::move(variant), trace.text(), "", std::move(expected)});
  };
  wide("unsigned, above 2^63", "Comms Id", "13835058055282163713", 1);
  wide("2^64 - 1", "Comms Id", "18446744073709551615", 1);
  wide("2^63, the first that is too wide", "Comms Id", "9223372036854775808", 1);
  wide("2^63 - 1 fits", "Comms Id", "9223372036854775807", 0);
  wide("beyond 64 bits", "Comms Id", "36893488147419103232", 1);
  wide("below -2^63", "Src Rank", "-9223372036854775809", 1);
  wide("a hundred digits", "Seq", std::string(100, '7'), 1);
}
}  // namespace

std::vector<DefectCase> value_defects() {
  std::vector<DefectCase> cases;
  add_nonfinite(cases);
  add_commas(cases);
  add_wide_integers(cases);
  return cases;
}
}  // namespace kinetoscope::examples
