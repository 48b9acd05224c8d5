#include "core/io/event_cutter.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::io {
namespace {

/// Whole events, valid and damaged inside a value. What follows in the file is added by the test.
const std::vector<std::string> complete_events = {
    R"({})",
    R"({"ph":"X","name":"aten::mm","ts":1.5,"dur":2,"args":{"Input Dims":[[2,3],[3,4]],"a":null,"b":true}})",
    R"({"name":"},{\"ph\":\"X\"","args":{"}":"]","k\"":"{"}})",
    R"({"name" : "a\\" , "x" : [ "b\"" , "c" , 1 , -2 , null , false , { } ] })",
    R"({"a,\"b":"\\\\","":""})",
    R"({"name":"C:\dir\file.py(12): f","ts":1})",
    R"({"name":"C:\dir\","ts":1})",
    R"({"name":"\d"})",
    R"({"name":"say "hi" now","ts":1})",
    R"~({"name":"f("x", "y")","cat":"cpu_op"})~",
    R"({"name":"a":b","ts":1})",
    R"({"args":["say "hi" now","b",NaN,],"c":inf,,})",
    R"({"name":"std::map<"k">"})",
    "{\"name\":\"tab\there\nand line\"}",
};
}  // namespace

TEST_CASE("event cutter: an event ends at its own closing brace, whatever stands in its strings") {
  for (const std::string& event : complete_events) {
    for (const char* tail : {"", ",{\"ph\":\"X\"}]}", "\n  ]", "}}]]\"\""}) {
      CAPTURE(event);
      CHECK(event_length(event + tail) == event.size());
    }
  }
}

TEST_CASE("event cutter: a beginning of an event is incomplete, never complete and never broken") {
  for (const std::string& event : complete_events) {
    for (std::size_t length = 0; length < event.size(); ++length) {
      CAPTURE(event.substr(0, length));
      CHECK(cut_event(event.substr(0, length)).result == CutResult::incomplete);
      CHECK(!event_length(event.substr(0, length)));
    }
  }
}

TEST_CASE("event cutter: a missing brace, bracket, colon, comma or quote is broken") {
  const std::string next = R"(,{"ph":"X","name":"b","ts":1}]})";
  const std::vector<std::string> events = {
      R"({"ph":"X", tid": 0,"name":"a"})",           // half-quoted key
      R"({"ph":"X", "tid: 0,"name":"a"})",           // the other half
      R"({"ph":"X","flag": 1, on": true})",          //
      R"({"ph":"X","ts" 5,"name":"a"})",             // no colon
      R"({"ph":"X" "ts":5})",                        // no comma
      R"({"ph":"X","ts":5 "dur":6})",                //
      R"({"ph":"X","name":"a, "ts":5})",             // no closing quote
      R"({"ph":"X","name":a","ts":5})",              // no opening quote
      R"({"ph":"X","args":{"a":1,"name":"b"})",      // no brace
      R"({"ph":"X","args":{"a":[1,2},"name":"b"})",  // no bracket
      R"({"ph":"X","ts":})",                         // no value
      R"({"ph":"X","ts":,"dur":1})",                 //
      R"({"ph"})",                                   // no value either
      R"({ph:"X"})",                                 // bare key
      R"({'ph':'X'})",                               // another quote
      R"({"ph":"X"])",                               // the wrong bracket
      R"(nothing)",
  };
  for (const std::string& event : events) {
    CAPTURE(event);
    CHECK(cut_event(event + next).result == CutResult::broken);
  }
}

TEST_CASE("event cutter: a thousand levels are cut, more are broken") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK(event_length(nested(1000)) == 2000);
  CHECK(cut_event(nested(1001)).result == CutResult::broken);
  CHECK(cut_event(std::string(1 << 20, '[')).result == CutResult::broken);
}

TEST_CASE("event cutter: quotes, white space and commas in bulk cost one pass") {
  // Quadratic work over these 4 MB would take minutes.
  const std::string spaces(1 << 21, ' ');
  std::string quotes;
  for (int i = 0; i < 1 << 20; ++i) quotes += "\" , ";
  CHECK(cut_event("{\"a\":\"" + quotes).result == CutResult::incomplete);
  CHECK(cut_event("{\"a\":\"x\"" + spaces + "," + spaces).result == CutResult::incomplete);
  CHECK(cut_event("{\"" + quotes).result == CutResult::broken);
}
}  // namespace kinetoscope::io
