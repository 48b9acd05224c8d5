// F32 and F33: the unit of display, which times ignore, and the base by which two files share a clock.
#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

void add_display_units(std::vector<DefectCase>& cases) {
  const auto unit = [&](std::string variant, std::string_view before, std::string_view behind) {
    SmallTrace trace = SmallTrace::core();
    trace.header += before;
    trace.trailer = behind;
    cases.push_back({"F32", std::move(variant), trace.text(), "", trace.expected(json::object())});
  };
  unit("ns before the events", R"(, "displayTimeUnit": "ns")", "");
  unit("ns behind the events", "", R"(, "displayTimeUnit": "ns")");
  unit("ms", R"(, "displayTimeUnit": "ms")", "");
  unit("a unit that nobody knows", R"(, "displayTimeUnit": "fortnight")", "");
  unit("no text", R"(, "displayTimeUnit": 9)", "");
  unit("both, and they differ", R"(, "displayTimeUnit": "ns")", R"(, "displayTimeUnit": "ms")");
}

/// One rank's file: a kernel 50.5 us behind its operator.
SmallTrace rank_file(std::int64_t rank, std::int64_t op_us, std::string_view base) {
  SmallTrace trace;
  trace.header = fmt::format(R"("schemaVersion": 1, "distributedInfo": {{"rank": {}, "world_size": 2}}{})", rank, base);
  return trace.mm(op_us * us, 1001, {.name = "gemm", .start_ns = op_us * us + 50'500, .duration_ns = 30 * us});
}

/// Kernels start at base + start. The second base is 70 us later, its kernel 60 us earlier by its own clock: 10 us
/// apart.
void add_bases(std::vector<DefectCase>& cases) {
  constexpr std::string_view first_base = R"(, "baseTimeNanoseconds": 1700000000000000000)";
  constexpr std::string_view second_base = R"(, "baseTimeNanoseconds": 1700000000000070000)";
  const auto pair = [&](std::string variant, const SmallTrace& first, const SmallTrace& second, json difference_ns) {
    json expected = first.expected(json::object());
    expected["rank"] = 0;
    expected["pair"] = {{"start_difference_ns", std::move(difference_ns)}};
    cases.push_back({"F33", std::move(variant), first.text(), second.text(), std::move(expected)});
  };
  pair("bases 70 us apart", rank_file(0, 100, first_base), rank_file(1, 40, second_base), 10'000);
  pair("the same base", rank_file(0, 100, first_base), rank_file(1, 120, first_base), 20'000);
  pair("the second starts earlier", rank_file(0, 100, second_base), rank_file(1, 100, first_base), -70'000);
  SmallTrace behind = rank_file(1, 40, "");
  behind.trailer = second_base;
  pair("the second's base behind its events", rank_file(0, 100, first_base), behind, 10'000);
  pair("no base in the second", rank_file(0, 100, first_base), rank_file(1, 40, ""), nullptr);
  pair("no base in either", rank_file(0, 100, ""), rank_file(1, 40, ""), nullptr);
}
}  // namespace

std::vector<DefectCase> clock_defects() {
  std::vector<DefectCase> cases;
  add_display_units(cases);
  add_bases(cases);
  return cases;
}
}  // namespace kinetoscope::examples
