#include "core/base/python_literal.hpp"

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("python literal: a number is printed as repr() of a float prints it") {
  struct Case {
    double value;
    std::string text;
  };
  // Python 3: exponents below -4 or from 16 on; always a point or an exponent.
  const std::vector<Case> cases = {{0, "0.0"},
                                   {-0.0, "-0.0"},
                                   {1, "1.0"},
                                   {12.5, "12.5"},
                                   {0.1, "0.1"},
                                   {0.1 + 0.2, "0.30000000000000004"},
                                   {100.0 / 3, "33.333333333333336"},
                                   {1e-4, "0.0001"},
                                   {1e-5, "1e-05"},
                                   {1.5e-7, "1.5e-07"},
                                   {123456789012.345, "123456789012.345"},
                                   {1e15, "1000000000000000.0"},
                                   {9'007'199'254'740'993.0, "9007199254740992.0"},
                                   {1e16, "1e+16"},
                                   {1.2345678901234567e20, "1.2345678901234567e+20"},
                                   {1e100, "1e+100"},
                                   {std::numeric_limits<double>::denorm_min(), "5e-324"}};
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(python_number(one.value) == one.text);
  }
}

TEST_CASE("python literal: what is no number is None") {
  CHECK(python_number(std::numeric_limits<double>::infinity()) == "None");
  CHECK(python_number(std::numeric_limits<double>::quiet_NaN()) == "None");
}

TEST_CASE("python literal: quotes follow the text, controls are escapes") {
  CHECK(python_string("aten::mm") == "'aten::mm'");
  CHECK(python_string("it's") == R"("it's")");
  CHECK(python_string(R"(say "it")") == R"('say "it"')");
  CHECK(python_string(R"(it's "it")") == R"('it\'s "it"')");
  CHECK(python_string("a\\b\n\t\r\x01\x7f") == R"('a\\b\n\t\r\x01\x7f')");
  CHECK(python_string("\xc3\xa4") == "'\xc3\xa4'");
  CHECK(python_string("") == "''");
}

TEST_CASE("python literal: JSON lists are tuples, and one element has its comma") {
  CHECK(python_tuple("[]") == "()");
  CHECK(python_tuple("[5]") == "(5,)");
  CHECK(python_tuple("[[512,1], [], [3]]") == "((512, 1), (), (3,))");
  CHECK(python_tuple(R"(["float", "it's", true, null, 1.0, 1e3, -7])") ==
        R"(('float', "it's", True, None, 1.0, 1000.0, -7))");
  CHECK(python_tuple(R"({"a": [1], "b": {"c": false}})") == "{'a': (1,), 'b': {'c': False}}");
  CHECK(python_tuple("18446744073709551615") == "18446744073709551615");
}

TEST_CASE(
    "python literal: integers beyond 64 bits keep their digits, numbers with a fraction or exponent are doubles") {
  CHECK(python_tuple("18446744073709551616") == "18446744073709551616");  // 2^64
  CHECK(python_tuple("[-9223372036854775809]") == "(-9223372036854775809,)");
  CHECK(python_tuple("[340282366920938463463374607431768211455]") == "(340282366920938463463374607431768211455,)");
  CHECK(python_tuple("[18446744073709551616.0, 1e20, -1e20]") == "(1.8446744073709552e+19, 1e+20, -1e+20)");
}

TEST_CASE("python literal: what is no JSON is a text") {
  CHECK(python_tuple("[1, 2") == "'[1, 2'");
  CHECK(python_tuple("") == "''");
}

TEST_CASE("python literal: lists a million deep do not exhaust the stack") {
  constexpr std::size_t depth = 1'000'000;
  const std::string text = python_tuple(std::string(depth, '[') + std::string(depth, ']'));
  CHECK(text.size() == 2 * depth + (depth - 1));  // a comma in every list but the innermost, which is empty
}
}  // namespace kinetoscope
