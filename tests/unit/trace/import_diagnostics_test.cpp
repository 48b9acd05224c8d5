// Each problem of a document that is counted, provoked by the smallest document that has it.

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/io/memory_source.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/trace/importers/kineto.hpp"
#include "tests/support/loaded_trace.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

std::uint64_t count_of(const Trace& trace, std::string_view code) {
  for (const Diagnostic& found : trace.diagnostics().sorted()) {
    if (found.code == code) return found.count;
  }
  return 0;
}

const std::string operator_event =
    R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2})";
}  // namespace

TEST_CASE("import: each problem is counted under its code") {
  struct Case {
    std::string_view code;
    std::uint64_t count = 0;
    std::string text;
  };
  const std::string e = operator_event;
  const auto with = [](const std::string& fields) {
    return document(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, )" + fields + "}");
  };
  const std::vector<Case> cases = {
      {"broken_json", 1, document(e + R"(, {"ph": "X" "name": 1}, )" + e)},
      {"bytes_after_root", 1, document(e) + " {}"},
      {"nested_trace_events", 1, R"({"traceEvents": {"traceEvents": [)" + e + "]}}"},
      {"repeated_trace_events", 1, R"({"traceEvents": [)" + e + R"(], "traceEvents": [)" + e + "]}"},
      {"missing_comma", 0, R"({"traceEvents": [)" + e + R"(], "traceEvents": [)" + e + "]}"},
      {"unexpected_phase", 1, document(R"({"ph": "i", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1})")},
      {"unusable_value", 2, with(R"("ts": 5, "dur": 1, "args": {"correlation": "x", "device": 2.5})")},
      {"unusable_value", 1, with(R"("ts": 5, "dur": 1, "args": "none")")},
      {"not_an_event", 3, document(e + ", null, 5, [1]")},
      {"missing_comma", 1, document(e + " " + e)},
      {"trailing_comma", 2, document(e + ",," + e + ",")},
      {"invalid_metadata", 1, R"({"deviceProperties": [{"id" 0}], "traceEvents": [)" + e + "]}"},
      {"oversized_metadata", 1,
       R"({"big": ")" + std::string(std::size_t{17} << 20, 'x') + R"(", "traceEvents": [)" + e + "]}"},
      {"time_rounded", 2, with(R"("ts": 1.2345, "dur": 0.00051)")},
      {"time_out_of_range", 1, with(R"("ts": 1e300, "dur": 1)")},
      {"time_out_of_range", 1, with(R"("ts": 4611686018427387, "dur": 0.904)")},  // each fits, the end does not
      {"time_out_of_range", 0, with(R"("ts": 4611686018427387, "dur": 0.903)")},
      {"time_missing", 0, with(R"("ts": 4611686018427387, "dur": 0.904)")},
      {"text_number", 2, with(R"("ts": "12.5", "dur": "3")")},
      {"invalid_number", 1, with(R"("ts": "soon", "dur": 1)")},
      {"nonfinite_number", 1, with(R"("ts": NaN, "dur": 1)")},
      {"negative_timestamp", 1, with(R"("ts": -5, "dur": 1)")},
      {"negative_duration", 1, with(R"("ts": 5, "dur": -1)")},
      {"zero_timestamp_kernel", 1, with(R"("ts": 0, "dur": 0)")},
      {"wide_integer", 1, with(R"("ts": 5, "dur": 1, "args": {"Comms Id": 18446744073709551615})")},
      {"missing_collective_metadata", 1, with(R"("ts": 5, "dur": 1, "args": {"Collective name": "allreduce"})")},
      {"elided_metadata", 1, with(R"("ts": 5, "dur": 1, "args": {"Process Group Ranks": "[0, ..., 63]"})")},
      {"unknown_category", 1, document(R"({"ph": "X", "cat": "new_thing", "name": "a", "ts": 1, "dur": 1})")},
      {"category_missing", 1, document(R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1})")},
      {"unknown_metadata_event", 1, document(R"({"ph": "M", "name": "process_colour", "pid": 1, "tid": 0})")},
      {"begin_end_event", 2, document(R"({"ph": "B", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1},
                   {"ph": "E", "pid": 1, "tid": 1, "ts": 4})")},
      {"sampling_may_shift_durations", 1,
       document(R"({"ph": "C", "name": "DRAM BW", "pid": "GPU 0 Counters", "ts": 1, "args": {
    "" : 5}})")},
      {"shapes_unavailable", 1, document(R"({"ph": "X", "cat": "cpu_op", "name": "aten::stack", "ts": 1, "dur": 1,
                    "args": {"Input Dims": [[], []], "Input type": ["TensorList", "Scalar"]}})")},
      {"rank_unknown", 1, document(e)},
  };
  for (const Case& c : cases) {
    CAPTURE(c.code);
    CHECK(count_of(trace_of(c.text), c.code) == c.count);
  }
}

TEST_CASE("import: an event whose end does not fit is counted and not timed, one that ends at the last instant is") {
  const auto kernel = [](std::string_view duration) {
    const std::string fields =
        R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 4611686018427387)";
    return trace_of(document(fields + R"(, "dur": )" + std::string(duration) + "}"));
  };
  const Trace beyond = kernel("4611686018427387");
  CHECK(beyond.begin_ns(id_at<EventId>(0)) == 4'611'686'018'427'387'000);
  CHECK_FALSE(beyond.extent(id_at<EventId>(0)).has_value());
  CHECK(kernel("0.903").extent(id_at<EventId>(0)) == Interval{4'611'686'018'427'387'000, largest_time_ns});
}

TEST_CASE("import: a round million of events is suspected to be an exporter's limit") {
  std::string events;
  events.reserve(std::size_t{10} << 20);
  for (int i = 0; i < 1'000'000; ++i) events += i == 0 ? "{}" : ",{}";
  CHECK(count_of(trace_of(document(events)), "event_cap_suspected") == 1);
  CHECK(count_of(trace_of(document(events + ",{}")), "event_cap_suspected") == 0);
}

TEST_CASE("import: begin and end events of a thread make one call with a duration") {
  const Trace trace = trace_of(document(R"({"ph": "B", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 1},
    {"ph": "B", "cat": "cpu_op", "name": "inner", "pid": 1, "tid": 1, "ts": 2},
    {"ph": "E", "pid": 1, "tid": 1, "ts": 4}, {"ph": "E", "pid": 1, "tid": 1, "ts": 9})"));
  CHECK(trace.duration_ns(event_named(trace, "outer")) == 8000);  // 9 - 1 us
  CHECK(trace.duration_ns(event_named(trace, "inner")) == 2000);  // 4 - 2 us
}

TEST_CASE("import: an event longer than the limit ends the trace there, as the first one it is refused") {
  const std::string long_event = R"({"name": ")" + std::string(1000, 'x') + R"("})";
  for (const std::size_t window : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 20}) {
    CAPTURE(window);
    const ImportOptions options = {.window_bytes = window, .longest_event_bytes = 500, .reads_ahead = false};
    io::MemorySource later(document(operator_event + ",  " + long_event + "," + operator_event));
    const Trace trace = import_kineto(later, options);
    CHECK(trace.size() == 1);
    REQUIRE(trace.partial().has_value());
    CHECK(trace.partial()->reason == "oversized_event");
    CHECK(trace.partial()->offset == document("").size() - 2 + operator_event.size() + 3);
    CHECK(count_of(trace, "oversized_event") == 1);
    io::MemorySource first(document(long_event + "," + operator_event));
    try {
      static_cast<void>(import_kineto(first, options));
      FAIL("the trace was read");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::limit_reached);
    }
  }
}

TEST_CASE("import: what holds no event that can be used is refused") {
  for (const std::string text :
       {"", "  \n", "5", "{}", R"({"other": []})", R"({"traceEvents": [{"ph": "X")", "[", "hello"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(trace_of(text)), Error);
  }
  CHECK(trace_of(R"({"traceEvents": []})").size() == 0);  // whole, and empty
}

TEST_CASE("import: text whose brackets do not match is refused or used in part, and ends") {
  // Found by changing single bytes of compressed traces: the parser ran behind the text, the cutter stood still.
  for (const std::string text : {R"({"traceEvents":["":""""""""""""""""{""}""""{""""}},)",
                                 R"({"traceEvents":[{"":"","":1,"":1,""n":1}}""""e": 1}})", R"([{"":)", R"(["":])",
                                 R"([{"":}])", R"([}{])", R"([{}}])", R"([[]]])", R"(["",:])"}) {
    CAPTURE(text);
    try {
      const std::size_t events = trace_of(text).size();
      CHECK(events <= 4);
    } catch (const Error& error) {
      CHECK(kind_of(error.code()).exit_status == 3);
    }
  }
}

TEST_CASE("import: many short lists cost no more than one long one") {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += R"("traceEvents":[],)";
  const Trace trace = trace_of(text + R"("traceEvents":[)" + operator_event + "]}");
  CHECK(trace.size() == 1);
  CHECK(count_of(trace, "repeated_trace_events") == 200'000);
}

TEST_CASE("import: keys written with escapes are the keys they spell, in the document, in events and in arguments") {
  const Trace trace = trace_of(
      R"({"host\u005fname": "h", "odd\q": 1, "trace\u0045vents": [{"p\u0068": "X", "c\u0061t": "kernel", "na\u006de": "k",
          "\u0070id": 0, "tid": 7, "t\u0073": 5, "d\u0075r": 2, "\u0061rgs": {"corr\u0065lation": 9, "a\u006e\n": 1}, "x\u0079": 3}]})");
  REQUIRE(trace.size() == 1);
  const EventId event = event_named(trace, "k");
  CHECK(trace.role(event) == Role::kernel);
  CHECK(trace.begin_ns(event) == 5000);
  CHECK(trace.duration_ns(event) == 2000);
  CHECK(trace.integer(event, Argument::correlation) == 9);
  CHECK(trace.other_arguments(event) == R"({"an\n":1,"xy":3})");
  CHECK(trace.metadata().host_name == "h");
  REQUIRE(trace.metadata().entries.size() == 2);
  CHECK(trace.metadata().entries[0].key == "host_name");
  CHECK(trace.metadata().entries[1].key == R"(odd\q)");  // no escape of JSON's: as written
}

TEST_CASE("import: top-level members by the thousand are all kept, in order, with the list's comma too many counted") {
  std::string text = "{";
  for (int i = 0; i < 2500; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ',';
  text += R"("traceEvents":[)" + operator_event + ",]";
  for (int i = 2500; i < 5000; ++i) text += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
  for (const std::string end : {"}", ","}) {  // whole, and cut between members
    const Trace trace = trace_of(text + end);
    const std::vector<MetadataEntry>& entries = trace.metadata().entries;
    REQUIRE(entries.size() == 5000);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string number = std::to_string(i);
      if (entries[i].key != 'k' + number || entries[i].json != number) FAIL_CHECK("entry ", i, " is another");
    }
    CHECK(trace.size() == 1);
    CHECK(count_of(trace, "trailing_comma") == 1);
    CHECK(trace.partial().has_value() == (end == ","));
  }
}

TEST_CASE("import: unescaped quotes, odd in number, cost the event nothing and the rest of the file nothing") {
  std::string events;
  for (int i = 0; i < 2000; ++i) {
    events += i == 0 ? "" : ",\n";
    events += R"({"ph": "X", "cat": "cpu_op", "name": "a 5" disk)" + std::to_string(i) +
              R"(", "pid": 1, "tid": 1, "ts": )" + std::to_string(i) + R"(, "dur": 1})";
  }
  const Trace trace = trace_of(document(events));
  REQUIRE(trace.size() == 2000);
  CHECK(trace.name_text(id_at<EventId>(1999)) == "a 5\" disk1999");
  CHECK(count_of(trace, "unescaped_quotes") == 2000);
}
}  // namespace kinetoscope
