#include "core/base/glob.hpp"

#include <string>

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("glob: * stands for any characters, ? for one, everything else for itself") {
  struct Case {
    std::string_view text;
    std::string_view pattern;
    bool matches;
  };
  const Case cases[] = {
      {"", "", true},
      {"", "*", true},
      {"", "?", false},
      {"abc", "abc", true},
      {"abc", "ABC", false},
      {"abc", "a?c", true},
      {"abc", "ab", false},
      {"ab", "abc", false},
      {"abc", "*", true},
      {"abc", "a*", true},
      {"abc", "*c", true},
      {"abc", "*b", false},
      {"abcabd", "*ab?", true},  // the first ab is not at the end
      {"aXbXc", "a*X*c", true},
      {"mississippi", "m*iss*pi", true},
      {"step[DECODE bs=4]", "step[DECODE*]", true},  // brackets are plain characters
      {"\xc3\xa9t\xc3\xa9", "?t?", true},            // é is one character
      {"abc", "a**c", true},
      {"a*c", "a*c", true},
  };
  for (const Case& row : cases) {
    CAPTURE(std::string(row.text));
    CAPTURE(std::string(row.pattern));
    CHECK(matches_glob(row.text, row.pattern) == row.matches);
  }
}

TEST_CASE("glob: many stars do not make it exponential") {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  pattern += 'b';
  CHECK_FALSE(matches_glob(std::string(10'000, 'a'), pattern));
}
}  // namespace kinetoscope
