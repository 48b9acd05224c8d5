#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/io/diagnostics.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/tree/diagnostics.hpp"
#include "examples/generator/defect_case.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

/// Every kind of problem that the cases speak of, so that a code that is renamed is noticed here.
bool is_declared(std::string_view code) {
  constexpr std::array declared = {io_diagnostics::invalid_escape_repaired.code,
                                   io_diagnostics::raw_control_characters.code,
                                   io_diagnostics::invalid_utf8_replaced.code,
                                   io_diagnostics::nonfinite_number.code,
                                   io_diagnostics::trailing_comma.code,
                                   io_diagnostics::truncated_gzip.code,
                                   trace_diagnostics::truncated_json.code,
                                   trace_diagnostics::unterminated_root.code,
                                   trace_diagnostics::wide_integer.code,
                                   trace_diagnostics::negative_timestamp.code,
                                   trace_diagnostics::negative_duration.code,
                                   trace_diagnostics::zero_timestamp_kernel.code,
                                   trace_diagnostics::suspect_duration.code,
                                   trace_diagnostics::rank_unknown.code,
                                   trace_diagnostics::elided_metadata.code,
                                   trace_diagnostics::shapes_unavailable.code,
                                   tree_diagnostics::correlation_collision.code,
                                   tree_diagnostics::ambiguous_correlation.code,
                                   tree_diagnostics::unlinked_kernel.code,
                                   tree_diagnostics::linked_without_flow.code,
                                   tree_diagnostics::linked_by_flow.code,
                                   tree_diagnostics::linked_by_external_id.code,
                                   tree_diagnostics::flow_target_missing.code,
                                   tree_diagnostics::launch_without_kernel.code,
                                   tree_diagnostics::graph_launch_without_kernels.code,
                                   tree_diagnostics::graph_replayed_kernels.code,
                                   tree_diagnostics::no_gpu_events.code,
                                   tree_diagnostics::graph_capture_trace.code,
                                   tree_diagnostics::step_annotation_mismatch.code};
  return std::find(declared.begin(), declared.end(), code) != declared.end();
}

/// Of all cases with this id, the one with this variant.
DefectCase find(std::string_view id, std::string_view variant) {
  for (DefectCase& defect : defect_cases()) {
    if (defect.id == id && defect.variant == variant) return std::move(defect);
  }
  FAIL("there is no such case");
  return {};
}
}  // namespace

TEST_CASE("defect cases: each kind from F01 to F38 has at least five variants, all different") {
  std::map<std::string, int> counts;
  std::set<std::pair<std::string, std::string>> seen;
  for (const DefectCase& defect : defect_cases()) {
    ++counts[defect.id];
    CHECK(seen.insert({defect.id, defect.variant}).second);
  }
  for (int kind = 1; kind <= 38; ++kind) {
    const std::string id = fmt::format("F{:02}", kind);
    CAPTURE(id);
    CHECK(counts[id] >= 5);
  }
  CHECK(counts.size() == 38);
}

TEST_CASE("defect cases: every code that a case expects is declared") {
  for (const DefectCase& defect : defect_cases()) {
    const json codes = defect.expected.value("diagnostics", json::object());
    for (const auto& entry : codes.items()) {
      const std::string& code = entry.key();
      CAPTURE(code);
      CHECK(is_declared(code));
    }
  }
}

TEST_CASE("defect cases: busy and idle time are the span, wherever figures are expected") {
  for (const DefectCase& defect : defect_cases()) {
    if (!defect.expected.contains("gpu")) continue;
    CAPTURE(defect.id);
    CAPTURE(defect.variant);
    const json& gpu = defect.expected.at("gpu");
    CHECK(gpu.at("busy_ns").get<std::int64_t>() + gpu.at("idle_ns").get<std::int64_t>() ==
          gpu.at("span_ns").get<std::int64_t>());
  }
}

TEST_CASE(
    "defect cases: texts that are damaged in their values only are JSON once the damage is undone, others are JSON") {
  // Kinds whose files are whole JSON as they stand.
  const std::set<std::string> whole = {"F12", "F13", "F14", "F15", "F16", "F17", "F18", "F19", "F20",
                                       "F21", "F22", "F23", "F24", "F25", "F26", "F27", "F28", "F29",
                                       "F30", "F31", "F32", "F33", "F34", "F35", "F36", "F37", "F38"};
  for (const DefectCase& defect : defect_cases()) {
    CAPTURE(defect.id);
    CAPTURE(defect.variant);
    if (whole.contains(defect.id)) {
      const json document = json::parse(defect.bytes, nullptr, false);
      CHECK(!document.is_discarded());
      if (defect.expected.contains("events")) CHECK(document.at("traceEvents").size() == defect.expected.at("events"));
    }
    const bool is_broken_text =
        defect.id == "F01" || defect.id == "F02" || defect.id == "F03" || defect.id == "F05" || defect.id == "F07";
    const bool is_harmless = defect.variant.find(" no control") != std::string::npos;
    if (is_broken_text && !is_harmless) CHECK(json::parse(defect.bytes, nullptr, false).is_discarded());
  }
}

TEST_CASE("defect cases: figures are those that the reports give") {
  // field reports, section 4: the same construction, so the same figures; here in nanoseconds.
  const json core = find("F38", "none at all").expected.at("gpu");
  CHECK(core.at("busy_ns") == 80'000);
  CHECK(core.at("span_ns") == 100'000);
  CHECK(core.at("idle_ns") == 20'000);
  const json collectives = find("F24", "NCCL of old and new, and a custom reduce").expected.at("gpu");
  CHECK(collectives.at("computation_ns") == 100'000);
  CHECK(collectives.at("communication_ns") == 220'000);
  CHECK(collectives.at("exposed_communication_ns") == 170'000);
  CHECK(collectives.at("busy_ns") == 270'000);
  CHECK(collectives.at("span_ns") == 330'000);
  const json merged = find("F19", "two ranks").expected.at("gpu");
  CHECK(merged.at("kernel_sum_ns") == 65'000);
  CHECK(merged.at("busy_ns") == 45'000);
  const json late = find("F17", "1 ns").expected.at("gpu");
  CHECK(late.at("busy_ns") == 30'250);
  const json names = find("F23", "runtimes' names").expected.at("gpu");
  CHECK(names.at("busy_ns") == 240'000);
  CHECK(names.at("span_ns") == 490'000);
  const json overlong = find("F16", "one over three").expected.at("gpu");
  CHECK(overlong.at("busy_ns") == 1'600'000'000);
  CHECK(overlong.at("idle_ns") == 0);
  const json replay = find("F21", "HIP").expected.at("gpu");
  CHECK(replay.at("busy_ns") == 340'000);
}

TEST_CASE("defect cases: a cut file is used up to its end") {
  const DefectCase cut = find("F07", "inside a number");
  CHECK(cut.expected.at("partial_offset") == cut.bytes.size());
  CHECK(cut.expected.at("events") == 9);
  // Cut behind the second event, before the first kernel: a launch without kernel is left.
  const DefectCase early = find("F07", "between a launch and its kernel");
  CHECK(early.expected.at("events") == 2);
  CHECK(early.expected.at("launches_without_kernel") == 1);
  CHECK(early.expected.at("gpu").at("events") == 0);
}
}  // namespace kinetoscope::examples
