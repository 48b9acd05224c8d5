// F08 to F11: gzip of several members, of nothing, cut; an array at the root.
#include <fmt/format.h>

#include "examples/generator/compression.hpp"
#include "examples/generator/defect_case.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;
using namespace std::string_literals;

/// Concatenated members are one stream: the core, without a word.
void add_members(std::vector<DefectCase>& cases) {
  const SmallTrace trace = SmallTrace::core();
  const std::string text = trace.text();
  const auto whole = [&](std::string variant, std::string bytes) {
    cases.push_back({"F08", std::move(variant), std::move(bytes), "", trace.expected(json::object())});
  };
  const auto split_at = [&](std::size_t place) { return gzip(text.substr(0, place)) + gzip(text.substr(place)); };
  whole("split between events", split_at(text.find("},\n{") + 2));
  whole("split inside a text", split_at(text.find("Cijk") + 2));
  whole("split inside a number", split_at(text.find("1001") + 2));
  whole("split in the metadata", split_at(text.find("MI300X")));
  whole("an empty member between", gzip(text.substr(0, 900)) + gzip("") + gzip(text.substr(900)));
  whole("an empty member first and last", gzip("") + gzip(text) + gzip(""));
  std::string each;
  for (std::size_t i = 0; i < 64; ++i) each += gzip(text.substr(i, 1));
  whole("64 members of one byte, then the rest", each + gzip(text.substr(64)));
}

void add_empty(std::vector<DefectCase>& cases) {
  const auto refused = [&](std::string variant, std::string bytes, std::string_view code) {
    cases.push_back({"F09", std::move(variant), std::move(bytes), "", {{"error", code}}});
  };
  refused("gzip of nothing", gzip(""), "empty_input");
  refused("no byte at all", "", "empty_input");
  refused("two members of nothing", gzip("") + gzip(""), "empty_input");
  // One stored block of length 0, then CRC 0 and size 0 (RFC 1951 3.2.4, RFC 1952 2.3.1).
  refused("a stored block of nothing", "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\0\0\xff\xff\0\0\0\0\0\0\0\0"s, "empty_input");
  refused("a name in the header, and nothing", "\x1f\x8b\x08\x08\0\0\0\0\0\x03trace.json\0\x03\0\0\0\0\0\0\0\0\0"s,
          "empty_input");
  // Block type 3 does not exist.
  refused("a first block of no known type", "\x1f\x8b\x08\0\0\0\0\0\0\x03\x07\xff\xff\xff\xff\xff\xff\xff\xff"s, "any");
}

/// The first `events` of the core, when the document ends right behind them, or inside the next one.
json expected_of_first(std::size_t events) {
  SmallTrace trace = SmallTrace::core();
  trace.events.resize(events);
  trace.slices.resize(events > 7 ? 2 : events > 2 ? 1 : 0);
  trace.launches = events > 6 ? 2 : 1;
  trace.launches_without_kernel = trace.launches - std::ssize(trace.slices);
  json diagnostics = {{"truncated_gzip", 1}};
  if (trace.launches_without_kernel > 0) diagnostics["launch_without_kernel"] = trace.launches_without_kernel;
  json expected = trace.expected(std::move(diagnostics));
  expected["partial_offset"] = "present";
  return expected;
}

/// Cuts at flushes, so that any inflater yields the same bytes.
void add_cut_gzip(std::vector<DefectCase>& cases) {
  const SmallTrace trace = SmallTrace::core();
  const std::string text = trace.text();
  const std::string whole = gzip(text);
  const auto cut = [&](std::string variant, std::string bytes, std::size_t events) {
    cases.push_back({"F10", std::move(variant), std::move(bytes), "", expected_of_first(events)});
  };
  const auto end_of = [&](std::size_t events) {
    SmallTrace first = trace;
    first.events.resize(events);
    return first.open_text().size();
  };
  cut("behind the sixth event", gzip_cut_after(text, end_of(6)), 6);
  cut("inside the seventh event", gzip_cut_after(text, end_of(6) + 60), 6);
  cut("inside the kernel of the eighth", gzip_cut_after(text, end_of(7) + 100), 7);
  cut("in the checksum", whole.substr(0, whole.size() - 6), 10);
  cut("before the checksum", whole.substr(0, whole.size() - 8), 10);
  const std::string second = gzip_cut_after(text.substr(end_of(3)), end_of(6) - end_of(3));
  cut("in the second member", gzip(text.substr(0, end_of(3))) + second, 6);
  // How much an inflater yields of a block that is cut, at least some events, is its own affair.
  json some = {{"diagnostics", {{"truncated_gzip", 1}, {"launch_without_kernel", "any"}, {"no_gpu_events", "any"}}},
               {"partial_offset", "present"}};
  cases.push_back({"F10", "inside the only block", whole.substr(0, whole.size() - 40), "", some});
  cases.push_back({"F10", "behind the header", whole.substr(0, 10), "", {{"error", "any"}}});
  cases.push_back({"F10", "inside the header", whole.substr(0, 6), "", {{"error", "any"}}});
}

/// Three host calls of 54 + 7 + 5 us, as a CPU-only profiler of old wrote them.
void add_array_roots(std::vector<DefectCase>& cases) {
  const json cpu_only = {{"events", 3},
                         {"kind", "cpu_only"},
                         {"rank", nullptr},
                         {"names", {"aten::mul", "aten::add"}},
                         {"gpu", figures_json({})},
                         {"diagnostics", {{"no_gpu_events", 1}}}};
  const auto calls = [](std::string_view pid, std::string_view tid, std::string_view more) {
    const auto call = [&](std::string_view name, std::string_view ts, std::string_view dur) {
      return fmt::format(R"({{"name": "{}", "ph": "X", "ts": {}, "dur": {}, "tid": {}, "pid": {}{}}})", name, ts, dur,
                         tid, pid, more);
    };
    return "[" + call("aten::mul", "633", "54") + ", " + call("aten::mul", "725", "7") + ", " +
           call("aten::add", "757", "5") + "]";
  };
  cases.push_back({"F11", "text pid", calls(R"("CPU functions")", "1", R"(, "args": {})"), "", cpu_only});
  cases.push_back({"F11", "text pid and text tid", calls(R"("CPU functions")", R"("main thread")", R"(, "args": {})"),
                   "", cpu_only});
  cases.push_back({"F11", "no args", calls("1", "1", ""), "", cpu_only});
  cases.push_back({"F11", "with categories", calls("1", "1", R"(, "cat": "cpu_op")"), "", cpu_only});
  cases.push_back({"F11", "blanks and lines around the root", "\n\n   " + calls("1", "1", "") + "\n\n", "", cpu_only});
  const SmallTrace trace = SmallTrace::core();
  json expected = trace.expected(json::object());
  expected["rank"] = nullptr;
  cases.push_back({"F11", "with GPU work", trace.array_text(), "", std::move(expected)});
}
}  // namespace

std::vector<DefectCase> container_defects() {
  std::vector<DefectCase> cases;
  add_members(cases);
  add_empty(cases);
  add_cut_gzip(cases);
  add_array_roots(cases);
  return cases;
}
}  // namespace kinetoscope::examples
