#include "core/io/csv_writer.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::io {
namespace {

std::string row(std::vector<Cell> cells) {
  std::string out;
  append_csv_row(out, std::span<const Cell>(cells));
  return out;
}
}  // namespace

TEST_CASE("csv: each kind of cell has the text that pandas writes") {
  CHECK(row({Cell(), true, false, std::int64_t{-3}, INT64_MAX, 12.5, 1e-5, 3.0, std::string("aten::mm")}) ==
        ",True,False,-3,9223372036854775807,12.5,1e-05,3.0,aten::mm\n");
}

TEST_CASE("csv: only what needs quotes has them, and quotes inside are doubled") {
  CHECK(row({std::string("a,b")}) == "\"a,b\"\n");
  CHECK(row({std::string("say \"it\"")}) == "\"say \"\"it\"\"\"\n");
  CHECK(row({std::string("two\nlines")}) == "\"two\nlines\"\n");
  CHECK(row({std::string("return\r")}) == "\"return\r\"\n");
  CHECK(row({std::string(" a 'b'; c\t")}) == " a 'b'; c\t\n");
  CHECK(row({std::string("=SUM(A1)"), std::string("-1")}) == "=SUM(A1),-1\n");
}

TEST_CASE("csv: a row of one missing field is no blank line") {
  CHECK(row({Cell()}) == "\"\"\n");
  CHECK(row({std::string()}) == "\"\"\n");
  CHECK(row({Cell(), Cell()}) == ",\n");
}

TEST_CASE("csv: a file is valid UTF-8 whatever a name holds") {
  CHECK(row({std::string("\xff"
                         "a,\xc3")}) ==
        "\"\xef\xbf\xbd"
        "a,\xef\xbf\xbd\"\n");
  CHECK(row({std::string("µs")}) == "µs\n");
}

TEST_CASE("csv: headings are fields") {
  const std::vector<std::string_view> headings = {"type", "time ms", "a,b"};
  std::string out = "before";
  append_csv_row(out, headings);
  CHECK(out == "beforetype,time ms,\"a,b\"\n");
}
}  // namespace kinetoscope::io
