// F06 and F07: documents that end early. What ends between events is unterminated; what ends inside one is cut, and the
// complete events before it count. The core's ten events lie in order of file, so what is left follows from the place.
#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

void add_unterminated(std::vector<DefectCase>& cases) {
  const SmallTrace trace = SmallTrace::core();
  const std::string array = replaced(trace.array_text(), "\n]\n", "");
  const auto ends = [&](std::string variant, std::string bytes) {
    json expected = trace.expected({{"unterminated_root", 1}});
    expected["partial_offset"] = "present";
    cases.push_back({"F06", std::move(variant), std::move(bytes), "", std::move(expected)});
  };
  ends("array root, behind a comma", array + ",\n");
  ends("array root, behind the last event", array);
  ends("object root, behind the last event", trace.open_text());
  ends("object root, behind a comma and blanks", trace.open_text() + ",   \n\n");
  ends("the events are closed, the root is not", trace.open_text() + "\n]");
  ends("between two keys of the metadata behind the events", trace.open_text() + "\n], \"displayTimeUnit\": \"ms\", ");
}

/// The core's text up to and with the first `until` behind event `from`; events before that one are complete.
struct Cut {
  std::string_view variant;
  std::size_t event = 0;    ///< the event that is cut, by index
  std::string_view behind;  ///< the cut is right behind this text of it
};

/// The first `events` of the core. Its slices are those of the kernel rows 2 and 7, its launches rows 1 and 6.
json expected_of_first(std::size_t events, std::size_t offset) {
  SmallTrace trace = SmallTrace::core();
  trace.events.resize(events);
  trace.slices.resize(events > 7 ? 2 : events > 2 ? 1 : 0);
  trace.launches = events > 6 ? 2 : events > 1 ? 1 : 0;
  trace.launches_without_kernel = trace.launches - std::ssize(trace.slices);
  json diagnostics = {{"truncated_json", 1}};
  if (trace.slices.empty()) {
    diagnostics["no_gpu_events"] = 1;  // says it for every launch at once
  } else if (trace.launches_without_kernel > 0) {
    diagnostics["launch_without_kernel"] = trace.launches_without_kernel;
  }
  json expected = trace.expected(std::move(diagnostics));
  expected["partial_offset"] = offset;
  return expected;
}

void add_truncated(std::vector<DefectCase>& cases) {
  SmallTrace trace = SmallTrace::core();
  trace.events[8] = replaced(trace.events[8], R"("ac2g", "name")", R"("ac2g", "note": "a\\b\u00e9 é", "name")");
  const std::vector<Cut> cuts = {
      {"inside a text", 9, R"("cat": "ac)"},
      {"inside a number", 9, R"("ts": 20)"},
      {"behind a comma", 9, R"("pid": 0,)"},
      {"behind a colon", 9, R"("tid":)"},
      {"behind the opening brace", 9, "{"},
      {"inside args", 7, R"("args": {"device": 0)"},
      {"inside an array of args", 5, R"("Input Dims": [[64, 32], [3)"},
      {"behind the backslash of an escape", 8, R"("a\)"},
      {"inside a unicode escape", 8, R"(\u00)"},
      {"inside a character of two bytes", 8, "\xc3"},
      {"between a launch and its kernel", 2, R"("ph": "X")"},
  };
  for (const Cut& cut : cuts) {
    SmallTrace before = trace;
    before.events.resize(cut.event);
    const std::string& event = trace.events[cut.event];
    const std::size_t kept = event.find(cut.behind) + cut.behind.size();
    const std::string bytes = before.open_text() + (cut.event > 0 ? ",\n" : "") + event.substr(0, kept);
    cases.push_back({"F07", std::string(cut.variant), bytes, "", expected_of_first(cut.event, bytes.size())});
  }
  // Nothing of these can be used.
  const std::string text = trace.text();
  cases.push_back({"F07", "in the first event", text.substr(0, text.find("cpu_op")), "", {{"error", "any"}}});
  cases.push_back(
      {"F07", "in the metadata before the events", text.substr(0, text.find("Instinct")), "", {{"error", "any"}}});
  cases.push_back({"F07", "in the word traceEvents", text.substr(0, text.find("Events")), "", {{"error", "any"}}});
}
}  // namespace

std::vector<DefectCase> cut_defects() {
  std::vector<DefectCase> cases;
  add_unterminated(cases);
  add_truncated(cases);
  return cases;
}
}  // namespace kinetoscope::examples
