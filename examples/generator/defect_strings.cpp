// F01 to F03: strings with invalid escapes, raw control characters, invalid UTF-8. The core stays as it is; the damaged
// string is a Python frame's name or a text in args. What is counted: strings (F01), characters (F02), replacements
// (F03).
#include "examples/generator/defect_case.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

constexpr std::string_view place = "PLACE";  // stands in the file until the damaged bytes replace it

SmallTrace with_frame() { return SmallTrace::core().frame(place, 90 * us, 100 * us); }

SmallTrace with_arg() { return SmallTrace::core().op("aten::relu", 300 * us, 10 * us, R"(, "Note": "PLACE")"); }

/// A frame whose name is `raw` in the file and `name` when read.
DefectCase named_frame(std::string id, std::string variant, std::string_view raw, std::string_view name,
                       json diagnostics) {
  const SmallTrace trace = with_frame();
  json expected = trace.expected(std::move(diagnostics));
  expected["names"] = json::array({std::string(name)});
  return {std::move(id), std::move(variant), replaced(trace.text(), place, raw), "", std::move(expected)};
}

DefectCase text_in_args(std::string id, std::string variant, std::string_view raw, json diagnostics) {
  const SmallTrace trace = with_arg();
  return {std::move(id), std::move(variant), replaced(trace.text(), place, raw), "",
          trace.expected(std::move(diagnostics))};
}

/// Where one escape is invalid, every backslash of the string is literal: the name is the raw text.
void add_escapes(std::vector<DefectCase>& cases) {
  const json once = {{"invalid_escape_repaired", 1}};
  const auto literal = [&](std::string variant, std::string_view raw) {
    cases.push_back(named_frame("F01", std::move(variant), raw, raw, once));
  };
  literal("a valid and an invalid one", R"(torch\nn\modules\module.py(1532): _wrapped_call_impl)");
  literal("many in one string", R"(C:\Python311\Lib\site-packages\quant\_ops.py(7): pack)");
  literal("beside doubled backslashes", R"(C:\\shared\models\weights.py(3): load)");
  literal("u without four digits", R"(lib\utils\u12G4.py(3): run)");
  std::string longer;
  for (int i = 0; i < 600; ++i) longer += R"(dir\m)";
  literal("3,000 characters, over many window edges", longer);
  cases.push_back(text_in_args("F01", "in a text of args", R"(D:\data\xlarge)", once));
  const SmallTrace two = with_frame().frame("PLACE 2", 95 * us, 90 * us);
  json expected = two.expected({{"invalid_escape_repaired", 2}});
  expected["names"] = {R"(a\q.py(1): f)", R"(b\t\z.py(2): g)"};
  cases.push_back({"F01", "two strings of two events",
                   replaced(replaced(two.text(), "PLACE 2", R"(b\t\z.py(2): g)"), place, R"(a\q.py(1): f)"), "",
                   expected});
  SmallTrace key = SmallTrace::core().op("aten::relu", 300 * us, 10 * us, R"(, "PLACE": 1)");
  cases.push_back({"F01", "in a key of args", replaced(key.text(), place, R"(opt\level)"), "", key.expected(once)});
  SmallTrace trailer = SmallTrace::core();
  trailer.trailer = R"(, "traceName": "C:\logs\x.json")";
  cases.push_back({"F01", "in the metadata behind the events", trailer.text(), "", trailer.expected()});
}

/// Control characters stay in the name; DEL is none by JSON.
void add_control_characters(std::vector<DefectCase>& cases) {
  const auto kept = [&](std::string variant, std::string_view name, int count) {
    json diagnostics = json::object();
    if (count > 0) diagnostics["raw_control_characters"] = count;
    cases.push_back(named_frame("F02", std::move(variant), name, name, std::move(diagnostics)));
  };
  kept("U+0001 in a name", "|||S(1): \x01<module>", 1);
  kept("newline and tab in a name", "line one\nline two\ttab", 2);
  kept("a NUL", std::string_view("before\0after", 12), 1);
  kept("DEL is no control character of JSON", "rub\x7fout", 0);
  std::string all;
  for (char character = 1; character < 0x20; ++character) all += character;
  kept("all from U+0001 to U+001F", all, 31);
  kept("carriage return and newline at the end", "name\r\n", 2);
  cases.push_back(named_frame("F02", "beside valid escapes", "say \\\"hi\\\" \x02 \\u00e9", "say \"hi\" \x02 \xc3\xa9",
                              {{"raw_control_characters", 1}}));
  cases.push_back(named_frame("F02", "beside an invalid escape", "C:\\dir\x1b[0m", "C:\\dir\x1b[0m",
                              {{"raw_control_characters", 1}, {"invalid_escape_repaired", 1}}));
  cases.push_back(text_in_args("F02", "in a text of args", "one\ntwo\nthree", {{"raw_control_characters", 2}}));
}

/// One U+FFFD for each maximal subpart of an ill-formed sequence (the Unicode standard, chapter 3, table 3-8).
void add_utf8(std::vector<DefectCase>& cases) {
  struct Sequence {
    std::string_view variant;
    std::string_view raw;
    std::string_view name;
    int replacements;
  };
  constexpr std::string_view one = "config.py(0): \xef\xbf\xbd.";
  constexpr std::string_view two = "config.py(0): \xef\xbf\xbd\xef\xbf\xbd.";
  constexpr std::string_view three = "config.py(0): \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.";
  constexpr std::string_view four = "config.py(0): \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.";
  const std::vector<Sequence> sequences = {
      {"a continuation byte alone", "config.py(0): \x80.", one, 1},
      {"0xFF", "config.py(0): \xff.", one, 1},
      {"overlong slash: neither byte can begin", "config.py(0): \xc0\xaf.", two, 2},
      {"a surrogate: ED allows no A0, the rest stands alone", "config.py(0): \xed\xa0\x80.", three, 3},
      {"beyond U+10FFFF: F4 allows no 90", "config.py(0): \xf4\x90\x80\x80.", four, 4},
      {"three of four bytes, then text: one subpart", "config.py(0): \xf0\x9f\x98.", one, 1},
      {"a lead byte before a lead byte", "config.py(0): \xe2\xe2\x82.", two, 2},
      {"beside valid sequences", "caf\xc3\xa9 \xff \xf0\x9f\x98\x80", "caf\xc3\xa9 \xef\xbf\xbd \xf0\x9f\x98\x80", 1},
      {"cut at the end of the string", "torch \xe2\x82", "torch \xef\xbf\xbd", 1},
  };
  for (const Sequence& sequence : sequences) {
    cases.push_back(named_frame("F03", std::string(sequence.variant), sequence.raw, sequence.name,
                                {{"invalid_utf8_replaced", sequence.replacements}}));
  }
  cases.push_back(text_in_args("F03", "in a text of args", "bytes \xfe\xff", {{"invalid_utf8_replaced", 2}}));
}
}  // namespace

std::vector<DefectCase> string_defects() {
  std::vector<DefectCase> cases;
  add_escapes(cases);
  add_control_characters(cases);
  add_utf8(cases);
  return cases;
}
}  // namespace kinetoscope::examples
