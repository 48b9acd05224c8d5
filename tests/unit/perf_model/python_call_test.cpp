#include "core/perf_model/python_call.hpp"

#include <string>

#include <doctest/doctest.h>

namespace kinetoscope::perf_model {

TEST_CASE("python call: entries are read by key, and lists by their members") {
  const std::string_view source = "f(a={'k': [4096, 64], \"l\": ()}, b=h.I, # , no\n c=g(d=1), -1e-05, 'x)', ) rest";
  const PythonCall call = read_python_call(source, 2);
  REQUIRE(call.is_whole);
  CHECK(source.substr(call.end) == " rest");
  const std::vector<PythonEntry> entries = python_entries(call.tokens);
  REQUIRE(entries.size() == 5);
  const auto dictionary = members_of(value_of(entries, "a"));
  REQUIRE(dictionary.has_value());
  const auto list = members_of(value_of(*dictionary, "k"));
  REQUIRE(list.has_value());
  REQUIRE(list->size() == 2);
  CHECK(count_of((*list)[0].value) == 4096);
  CHECK(count_of((*list)[1].value) == 64);
  CHECK(members_of(value_of(*dictionary, "l")).value().empty());
  CHECK(value_of(entries, "b").front().text == "h.I");
  CHECK_FALSE(members_of(value_of(entries, "c")).has_value());  // a call is no list
  CHECK_FALSE(count_of(entries[3].value).has_value());
  CHECK(text_of(entries[4].value) == "x)");
  CHECK(value_of(entries, "d").empty());  // of an inner call
}

TEST_CASE("python call: what is no literal, bracket or name ends the reading there") {
  for (const std::string_view source : {"a=1 + 2)", "a=f'x', b='open", "a='two\nlines')", "a='''x''')", "a=[1})", "a=]",
                                        "a=lambda x: x * 2)", "a", "", "a=(1", "a='\\", "\xff)"}) {
    CAPTURE(source);
    const PythonCall call = read_python_call(source, 0);
    CHECK_FALSE(call.is_whole);
    CHECK(call.end <= source.size());
  }
}

TEST_CASE("python call: depth that a file chooses costs memory, no stack") {
  constexpr std::size_t depth = 1'000'000;
  const std::string source = std::string(depth, '[') + std::string(depth, ']') + ")";
  const PythonCall call = read_python_call(source, 0);
  REQUIRE(call.is_whole);
  CHECK(call.tokens.front().length == 2 * depth);
  CHECK(members_of(call.tokens).value().size() == 1);
  CHECK_FALSE(read_python_call(std::string(depth, '{'), 0).is_whole);
}
}  // namespace kinetoscope::perf_model
