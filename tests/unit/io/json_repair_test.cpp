#include "core/io/json_repair.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/io/diagnostics.hpp"
#include "core/io/event_cutter.hpp"

namespace kinetoscope::io {
namespace {

struct Case {
  std::string event;
  std::string repaired;
  const DiagnosticKind* kind = nullptr;
  std::uint64_t count = 0;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.event);
    const auto repair = repair_event(c.event);
    REQUIRE(repair);
    CHECK(repair->text == c.repaired);
    CHECK(nlohmann::json::accept(repair->text));
    const std::vector<Diagnostic> found = repair->diagnostics.sorted();
    REQUIRE(found.size() == 1);
    CHECK(found.front().code == c.kind->code);
    CHECK(found.front().count == c.count);
    CHECK(event_length(c.event + ",") == c.event.size());
  }
}
}  // namespace

TEST_CASE("json repair: one invalid escape makes every backslash of its string a letter") {
  const DiagnosticKind* kind = &io_diagnostics::invalid_escape_repaired;
  check({
      {R"({"n":"torch\nn\modules\module.py(1): _call"})", R"({"n":"torch\\nn\\modules\\module.py(1): _call"})", kind,
       1},
      {R"({"n":"C:\dir\","m":"a\nb"})", R"({"n":"C:\\dir\\","m":"a\nb"})", kind, 1},
      {R"({"n":"\u12g4","m":"\x"})", R"({"n":"\\u12g4","m":"\\x"})", kind, 2},
      {R"({"C:\dir":1})", R"({"C:\\dir":1})", kind, 1},
      {R"({"n":"\d \"q\" \\"})", R"({"n":"\\d \\\"q\\\" \\\\"})", kind, 1},
  });
}

TEST_CASE("json repair: raw control characters are kept, as escapes") {
  check({{std::string("{\"n\":\"a\x01") + "b\n\tc\"}", R"({"n":"a\u0001b\u000a\u0009c"})",
          &io_diagnostics::raw_control_characters, 3},
         {std::string("{\"n\":\"\0\"}", 9), R"({"n":"\u0000"})", &io_diagnostics::raw_control_characters, 1}});
}

TEST_CASE("json repair: each maximal subpart of ill-formed UTF-8, and each half of a surrogate pair, is U+FFFD") {
  const DiagnosticKind* kind = &io_diagnostics::invalid_utf8_replaced;
  check({
      {"{\"n\":\"a\xff"
       "b\"}",
       "{\"n\":\"a\xef\xbf\xbd"
       "b\"}",
       kind, 1},
      {"{\"n\":\"\xf0\x9f\x98(\xe2\x82\"}", "{\"n\":\"\xef\xbf\xbd(\xef\xbf\xbd\"}", kind, 2},
      {"{\"n\":\"\xc0\x80\"}", "{\"n\":\"\xef\xbf\xbd\xef\xbf\xbd\"}", kind, 2},
      {R"({"n":"\ud83d and \udc00"})", "{\"n\":\"\xef\xbf\xbd and \xef\xbf\xbd\"}", kind, 2},
      {R"({"n":"\ud83d&ude00"})", "{\"n\":\"\xef\xbf\xbd&ude00\"}", kind, 1},
      {R"({"n":"\ud83d\ude00 \ud83d\u0041"})", "{\"n\":\"\\ud83d\\ude00 \xef\xbf\xbd\\u0041\"}", kind, 1},
  });
  const auto replacement_itself = repair_event("{\"n\":\"\xef\xbf\xbd\"}");
  REQUIRE(replacement_itself);
  CHECK(replacement_itself->diagnostics.empty());
}

TEST_CASE("json repair: infinities and not-a-numbers of any spelling are null") {
  const DiagnosticKind* kind = &io_diagnostics::nonfinite_number;
  check({
      {R"({"a":inf,"b":-inf,"c":NaN,"d":-nan,"e":Infinity,"f":-Infinity})",
       R"({"a":null,"b":null,"c":null,"d":null,"e":null,"f":null})", kind, 6},
      {R"({"a":[nan,-nan(ind),1.#INF,-1.#IND,1.#QNAN]})", R"({"a":[null,null,null,null,null]})", kind, 5},
      {R"({"a":1e309,"b":-1E+999999999999999999999})", R"({"a":null,"b":null})", kind, 2},
      {R"({"a":)" + std::string(400, '9') + "}", R"({"a":null})", kind, 1},
  });
  const std::string small = R"({"a":1e-999,"b":0.0001e-400,"c":1e308,"d":-1.7E+308})";
  const auto repair = repair_event(small);
  REQUIRE(repair);
  CHECK(repair->text == small);
}

TEST_CASE("json repair: words and numbers of other languages are read where their meaning is plain") {
  const DiagnosticKind* kind = &io_diagnostics::invalid_literal;
  check({
      {R"({"a":None,"b":True,"c":False,"d":undefined,"e":what})", R"({"a":null,"b":true,"c":false,"d":null,"e":null})",
       kind, 5},
      {R"({"a":[+1,007,-007,5.,.5,-.5,5.e3,+.5E-3,0x1f]})", R"({"a":[1,7,-7,5,0.5,-0.5,5e3,0.5e-3,null]})", kind, 9},
  });
}

TEST_CASE("json repair: commas too many are dropped") {
  const DiagnosticKind* kind = &io_diagnostics::trailing_comma;
  check({
      {R"({"a":1,})", R"({"a":1})", kind, 1},
      {R"({,"a":1,,"b":[1,,2,] , })", R"({"a":1,"b":[1,2]})", kind, 5},  // after { 1 1 2 ]
      {R"({"a":[,],"b":{,}})", R"({"a":[],"b":{}})", kind, 2},
  });
}

TEST_CASE("json repair: a quote without a backslash is text unless the structure goes on behind it") {
  const DiagnosticKind* kind = &io_diagnostics::unescaped_quotes;
  check({
      {R"({"n":"say "hi" now","ts":1})", R"({"n":"say \"hi\" now","ts":1})", kind, 1},
      {R"~({"n":"f("x", "y")","cat":"c"})~", R"~({"n":"f(\"x\", \"y\")","cat":"c"})~", kind, 1},
      {R"({"n":["a "b", c","d"e"]})", R"({"n":["a \"b\", c","d\"e"]})", kind, 2},
      {R"({"a "k" b":1})", R"({"a \"k\" b":1})", kind, 1},
  });
}

TEST_CASE("json repair: several defects are counted each, at the place of the first in the stream") {
  const auto repair = repair_event("{\"n\":\"C:\\d\x01\xff\",\"v\":nan,}", 1000);
  REQUIRE(repair);
  CHECK(repair->text == "{\"n\":\"C:\\\\d\\u0001\xef\xbf\xbd\",\"v\":null}");
  // {"n":" is 6 bytes: the string's text begins at 1006; C : \ d stand at 1006 to 1009, then the two bad bytes.
  std::vector<std::pair<std::string, std::uint64_t>> places;
  for (const Diagnostic& found : repair->diagnostics.sorted()) places.emplace_back(found.code, *found.first_offset);
  CHECK(places == std::vector<std::pair<std::string, std::uint64_t>>{{"invalid_escape_repaired", 1006},
                                                                     {"invalid_utf8_replaced", 1011},
                                                                     {"nonfinite_number", 1018},
                                                                     {"raw_control_characters", 1010},
                                                                     {"trailing_comma", 1021}});
}

TEST_CASE("json repair: what is valid stays as it is, but for white space") {
  const auto repair = repair_event("{ \"a\\n\\u0041\" : [ 1.50 , -0 , 1E+5 , \"\\\"\" , { } ] , \"b\" : true }\n");
  REQUIRE(repair);
  CHECK(repair->text == R"({"a\n\u0041":[1.50,-0,1E+5,"\"",{}],"b":true})");
  CHECK(repair->diagnostics.empty());
}

TEST_CASE("json repair: broken structure, a cut event and text behind it are refused") {
  for (const char* event :
       {R"({"ph":"X", tid": 0})", R"({"ph":"X","ts" 5})", R"({"ph":"X")", R"({"a":1} x)", "", "1", R"({"a":'b'})"}) {
    CAPTURE(event);
    CHECK(!repair_event(event));
  }
}
}  // namespace kinetoscope::io
