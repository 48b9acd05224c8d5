// Fields of an event whose value is of a kind that its field cannot have: what the event then holds, and what is
// counted.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/io/diagnostics.hpp"
#include "core/trace/diagnostics.hpp"
#include "tests/support/loaded_trace.hpp"

namespace kinetoscope {
namespace {

const std::string replacement = "\xef\xbf\xbd";

/// A kernel with all fields, one of them given another value.
std::string kernel_with(const std::string& field, const std::string& value) {
  const std::vector<std::pair<std::string, std::string>> fields = {
      {"ph", R"("X")"}, {"cat", R"("kernel")"}, {"name", R"("k")"}, {"pid", "3"},  {"tid", "7"},
      {"ts", "5"},      {"dur", "1"},           {"id", "9"},        {"args", "{}"}};
  std::string event;
  for (const auto& [key, usual] : fields) {
    event += (event.empty() ? "{\"" : ", \"") + key + "\": " + (key == field ? value : usual);
  }
  return event + "}";
}

std::string part_text(const Trace& trace, const TrackPart& part) {
  return part.is_text() ? "\"" + std::string(trace.text(part.text)) + "\"" : std::to_string(part.number);
}

/// What the first event holds of a field.
std::string held(const Trace& trace, std::string_view field) {
  const auto event = id_at<EventId>(0);
  const auto time = [](std::int64_t ns) { return ns == unknown_time_ns ? "unknown" : std::to_string(ns); };
  if (field == "ph") return trace.phase(event) == Phase::missing ? "missing" : "there";
  if (field == "cat") return std::string(trace.category(event));
  if (field == "name") return std::string(trace.name_text(event));
  if (field == "ts") return time(trace.begin_ns(event));
  if (field == "dur") return time(trace.duration_ns(event));
  if (field == "pid") return part_text(trace, trace.track_info(trace.track(event)).pid);
  if (field == "tid") return part_text(trace, trace.track_info(trace.track(event)).tid);
  if (field == "id") return std::to_string(trace.arrow_id(event));
  return std::string(trace.other_arguments(event));
}

/// What is counted, without what any small trace has.
std::map<std::string, std::uint64_t> counted(const Trace& trace) {
  std::map<std::string, std::uint64_t> out;
  for (const Diagnostic& found : trace.diagnostics().sorted()) {
    if (found.code != "rank_unknown") out[std::string(found.code)] = found.count;
  }
  return out;
}
using Counted = std::map<std::string, std::uint64_t>;
}  // namespace

TEST_CASE("import: a value of a kind that its field cannot have is not used, never zero, and counted") {
  const Counted unusable = {{"unusable_value", 1}};
  const Counted no_phase = {{"phase_missing", 1}, {"unusable_value", 1}};
  const Counted no_category = {{"category_missing", 1}, {"unusable_value", 1}};
  const Counted no_number = {{"invalid_number", 1}};
  const Counted no_time = {{"time_missing", 1}};
  struct Case {
    std::string field;
    std::string value;
    std::string held;
    Counted counted;
  };
  std::vector<Case> cases = {
      {"ts", "null", "unknown", no_time},
      {"dur", "null", "unknown", no_time},
      {"ts", R"("abc")", "unknown", no_number},
      {"dur", R"("abc")", "unknown", no_number},
      {"dur", R"("")", "unknown", no_number},
      {"ts", R"("1.5")", "1500", {{"text_number", 1}}},
      {"ts", R"("1.5001")", "1500", {{"text_number", 1}, {"time_rounded", 1}}},
      {"ts", "NaN", "unknown", {{"nonfinite_number", 1}}},
      {"name", "NaN", "", {{"nonfinite_number", 1}}},
      {"pid", R"("GPU")", R"("GPU")", {}},
      {"pid", "1.5", R"("1.5")", unusable},
      {"id", R"("0x10")", "16", {}},
      {"id", R"("main")", "0", unusable},
      {"id", "9.0", "9", {}},
      {"id", "9.5", "0", unusable},
      {"ph", R"("")", "missing", {{"phase_missing", 1}}},
      {"args", "null", R"({"args":null})", {}},
      {"args", "[1]", R"({"args":[1]})", unusable},
      {"args", "5", R"({"args":5})", unusable},
      {"args", "true", R"({"args":true})", unusable},
      {"args", R"("none")", R"({"args":"none"})", unusable},
  };
  for (const std::string value : {"5", "true", "null", "[]", R"({"a":1})"}) {
    cases.push_back({"ph", value, "missing", no_phase});
    cases.push_back({"cat", value, "", no_category});
    cases.push_back({"name", value, "", unusable});
  }
  for (const std::string value : {"true", "null", "[]", R"({})"}) {
    cases.push_back({"pid", value, '"' + value + '"', unusable});
    cases.push_back({"tid", value, '"' + value + '"', unusable});
    cases.push_back({"id", value, "0", unusable});
    if (value == "null") continue;
    cases.push_back({"ts", value, "unknown", no_number});
    cases.push_back({"dur", value, "unknown", no_number});
  }
  for (const Case& c : cases) {
    CAPTURE(c.field);
    CAPTURE(c.value);
    const Trace trace = trace_of(document(kernel_with(c.field, c.value)));
    REQUIRE(trace.size() == 1);
    CHECK(held(trace, c.field) == c.held);
    CHECK(counted(trace) == c.counted);
  }
}

TEST_CASE("import: a field's value that cannot be used is kept beside the arguments") {
  const Trace trace = trace_of(document(kernel_with("name", R"({"a": [1]})")));
  CHECK(trace.other_arguments(id_at<EventId>(0)) == R"({"name":{"a":[1]}})");
}

TEST_CASE("import: a defect of a thread or category counts for each event that has it") {
  const std::string thread = kernel_with("tid", "[]");
  CHECK(counted(trace_of(document(thread + "," + thread + "," + kernel_with("ts", "6") + "," + thread))) ==
        Counted{{"unusable_value", 3}});
  const std::string category = kernel_with("cat", R"("\ud800")");
  CHECK(counted(trace_of(document(category + "," + category + "," + kernel_with("ts", "6") + "," + category))) ==
        Counted{{"invalid_utf8_replaced", 3}, {"unknown_category", 3}});
}

TEST_CASE("import: numbers that JSON does not know are read where their meaning is plain, and counted") {
  struct Case {
    std::string written;
    std::string begin;
    Counted counted;
  };
  const Counted repaired = {{"invalid_literal", 1}};
  const std::vector<Case> cases = {
      {"0", "0", {}},
      {"0.5", "500", {}},
      {"-0", "0", {}},
      {"-1.5", "-1500", {{"negative_timestamp", 1}}},
      {"1e3", "1000000", {}},
      {"007", "7000", repaired},
      {"00", "0", repaired},
      {"+7", "7000", repaired},
      {"+0.5", "500", repaired},
      {"-007", "-7000", {{"invalid_literal", 1}, {"negative_timestamp", 1}}},
      {"00.5", "500", repaired},
      {"7.", "7000", repaired},
      {"-7.", "-7000", {{"invalid_literal", 1}, {"negative_timestamp", 1}}},
      {".5", "500", repaired},
      {"7us", "unknown", {{"invalid_literal", 1}, {"time_missing", 1}}},
      {"1.2.3", "unknown", {{"invalid_number", 1}}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.written);
    const Trace trace = trace_of(document(kernel_with("ts", c.written)));
    CHECK(held(trace, "ts") == c.begin);
    CHECK(counted(trace) == c.counted);
  }
}

TEST_CASE("import: numbers of arguments that JSON does not know are read where their meaning is plain, and counted") {
  struct Case {
    std::string arguments;
    Counted counted;
    std::string other;
  };
  const std::vector<Case> cases = {
      {R"({"stream": 007})", {{"invalid_literal", 1}}, ""},
      {R"({"stream": "x"})", {{"unusable_value", 1}}, R"({"stream":"x"})"},
      {R"({"stream": 1.2.3})", {{"unusable_value", 1}, {"invalid_literal", 1}}, ""},
      {R"({"blocks per SM": "few"})", {{"unusable_value", 1}}, R"({"blocks per SM":"few"})"},
      {R"({"blocks per SM": true})", {{"unusable_value", 1}}, R"({"blocks per SM":true})"},
      {R"({"blocks per SM": [1]})", {{"unusable_value", 1}}, R"({"blocks per SM":[1]})"},
      {R"({"blocks per SM": 1.2.3})", {{"unusable_value", 1}, {"invalid_literal", 1}}, ""},
      {R"({"of mine": 1.2.3})", {{"invalid_literal", 1}}, ""},
      {R"({"of mine": 1-2})", {{"invalid_literal", 1}}, ""},
      {R"({"of mine": 1e999})", {{"nonfinite_number", 1}}, ""},
      {R"({"of mine": -1.5e+3, "too": 12345678901234567890})", {}, R"({"of mine":-1.5e+3,"too":12345678901234567890})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.arguments);
    const Trace trace = trace_of(document(kernel_with("args", c.arguments)));
    CHECK(counted(trace) == c.counted);
    CHECK(trace.other_arguments(id_at<EventId>(0)) == c.other);
  }
  const Trace trace = trace_of(document(kernel_with("args", cases[0].arguments)));
  CHECK(trace.integer(id_at<EventId>(0), Argument::stream) == 7);
}

TEST_CASE("import: half of a surrogate pair is U+FFFD wherever a text stands, and counted each time") {
  struct Case {
    std::string written;
    std::string text;
    std::uint64_t replaced = 0;
  };
  const std::vector<Case> cases = {
      {R"(a\ud800b)", "a" + replacement + "b", 1},
      {R"(a\udc00b)", "a" + replacement + "b", 1},
      {R"(\ud800\ud800)", replacement + replacement, 2},
      {R"(\ud800\n)", replacement + "\n", 1},
      {R"(\ud800)", replacement, 1},
      {R"(\ud800\ud83d\ude00)", replacement + "\xf0\x9f\x98\x80", 1},  // then a whole pair: U+1F600
      {R"(\ud83d\ude00)", "\xf0\x9f\x98\x80", 0},
      {R"(\ufffd)", replacement, 0},  // written so
  };
  for (const Case& c : cases) {
    CAPTURE(c.written);
    const std::string value = '"' + c.written + '"';
    const Counted expected = c.replaced == 0 ? Counted{} : Counted{{"invalid_utf8_replaced", c.replaced}};
    const Trace named = trace_of(document(kernel_with("name", value)));
    CHECK(named.name_text(id_at<EventId>(0)) == c.text);
    CHECK(counted(named) == expected);
    CHECK(held(trace_of(document(kernel_with("pid", value))), "pid") == '"' + c.text + '"');
    CHECK(counted(trace_of(document(kernel_with("pid", value)))) == expected);
    CHECK(counted(trace_of(document(kernel_with("args", R"({"Collective name": )" + value + "}")))) == [&] {
      Counted with_group = expected;
      with_group["missing_collective_metadata"] = 1;
      return with_group;
    }());
  }
  const std::string twice = kernel_with("name", R"("\ud800")");
  CHECK(counted(trace_of(document(twice + "," + twice))) == Counted{{"invalid_utf8_replaced", 2}});
}

TEST_CASE("import: what is kept beside the columns is JSON, half surrogate pairs or not") {
  const Trace trace = trace_of(document(kernel_with("args", R"({"of mine": "a\ud800", "\udc00": [ "\ud800" ]})")));
  CHECK(trace.other_arguments(id_at<EventId>(0)) ==
        R"({"of mine":"a)" + replacement + R"(",")" + replacement + R"(":[")" + replacement + R"("]})");
  CHECK(counted(trace) == Counted{{"invalid_utf8_replaced", 3}});
}

TEST_CASE("import: an event with neither name nor category is no call, and has a count of its own") {
  for (const std::string event : {R"({})", R"({"ph": "X", "ts": 1, "dur": 1})", R"({"ph": "B", "ts": 1})",
                                  R"({"name": ""})", R"({"ph": "X", "pid": "CUDA functions", "ts": 1, "dur": 1})"}) {
    CAPTURE(event);
    const Trace trace = trace_of(document(event));
    CHECK(trace.count(Role::unidentified) == 1);
    CHECK(trace.count(Role::operator_call) == 0);
    CHECK(trace.gpu_events().empty());
    CHECK(trace.diagnostics().count(trace_diagnostics::unidentified_event) == 1);
    CHECK(trace.diagnostics().count(trace_diagnostics::category_missing) == 0);
    CHECK(trace.diagnostics().count(trace_diagnostics::unknown_category) == 0);
    CHECK(trace.diagnostics().count(trace_diagnostics::phase_missing) == 0);
  }
  // With a name it is what exporters without categories wrote; an end needs neither.
  CHECK(trace_of(document(R"({"ph": "X", "name": "a", "ts": 1, "dur": 1})")).count(Role::operator_call) == 1);
  CHECK(trace_of(document(R"({"ph": "E", "ts": 1})")).count(Role::unidentified) == 0);
}

TEST_CASE("import: what is guessed of an event without phase or category is counted, whatever its phase") {
  const auto counts = [](const std::string& event) { return counted(trace_of(document(event))); };
  CHECK(counts(R"({"name": "a", "ts": 1, "dur": 1})") == Counted{{"category_missing", 1}, {"phase_missing", 1}});
  CHECK(counts(R"({"ph": "B", "name": "a", "ts": 1})") == Counted{{"begin_end_event", 1}, {"category_missing", 1}});
  CHECK(counts(R"({"cat": "cpu_op", "name": "a", "ts": 1, "dur": 1})") == Counted{{"phase_missing", 1}});
  CHECK(counts(R"({"ph": "i", "name": "a", "ts": 1})").empty());
}

TEST_CASE("import: a start or duration that is not there is counted where the phase needs it") {
  const auto missing = [](const std::string& event) {
    return trace_of(document(event)).diagnostics().count(trace_diagnostics::time_missing);
  };
  CHECK(missing(R"({"ph": "X", "cat": "cpu_op", "name": "a", "dur": 1})") == 1);
  CHECK(missing(R"({"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1})") == 1);
  CHECK(missing(R"({"ph": "X", "cat": "cpu_op", "name": "a"})") == 1);  // once an event
  CHECK(missing(R"({"ph": "s", "cat": "ac2g", "id": 1})") == 1);
  CHECK(missing(R"({"ph": "B", "cat": "cpu_op", "name": "a"})") == 1);
  CHECK(missing(R"({"ph": "s", "cat": "ac2g", "id": 1, "ts": 1})") == 0);  // an arrow's end has no duration
  CHECK(missing(R"({"ph": "M", "name": "process_name", "pid": 1})") == 0);
  CHECK(missing(R"({"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1e300, "dur": 1})") == 0);  // time_out_of_range
}
}  // namespace kinetoscope
