#include "examples/generator/json_text.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "examples/generator/compression.hpp"

namespace kinetoscope::examples {

TEST_CASE("JSON text: times are exact decimals") {
  CHECK(microseconds(0) == "0.000");
  CHECK(microseconds(2'345'678'901'234'567) == "2345678901234.567");
  CHECK(microseconds(-50) == "-0.050");
  CHECK(microseconds(-1'000) == "-1.000");
  CHECK(microseconds(INT64_MIN) == "-9223372036854775.808");  // -2^63 ns
}

TEST_CASE("JSON text: quotes, backslashes and control characters are escaped") {
  CHECK(json_string("a\"b\\c\n\t\x01") == R"("a\"b\\c\n\t\u0001")");
}

TEST_CASE("JSON text: a list of more than 30 is written in part") {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < 30; ++rank) ranks.push_back(rank);
  CHECK(elided_list_of(ranks).find("...") == std::string::npos);
  for (std::int64_t rank = 30; rank < 64; ++rank) ranks.push_back(rank);
  CHECK(
      elided_list_of(ranks) ==
      "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, "
      "..., 63]");
}

TEST_CASE("compression: a member round-trips, and one that is cut is refused") {
  const std::string text = "traces compress well, traces compress well";
  const std::string bytes = gzip(text);
  CHECK(bytes.substr(0, 10) == std::string("\x1f\x8b\x08\0\0\0\0\0\x02\x03", 10));  // deflate, no flags, no time
  CHECK(gunzip(bytes) == text);
  CHECK_THROWS_AS(static_cast<void>(gunzip(gzip_cut_after(text, 20))), Error);
}
}  // namespace kinetoscope::examples
