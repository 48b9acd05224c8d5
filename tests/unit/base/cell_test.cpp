#include "core/base/cell.hpp"

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("cell: an unknown value is a missing cell, never a zero") {
  CHECK(cell_of(Known<double>(Reason::elided)) == Cell());
  CHECK(cell_of(Known<double>(0.0)) == Cell(0.0));
  CHECK(cell_of(Known<std::int64_t>(7)) == Cell(std::int64_t{7}));
}

TEST_CASE("cell: a nanosecond is the double nearest to its decimal text") {
  CHECK(microseconds(std::int64_t{1}) == 0.001);
  CHECK(microseconds(std::int64_t{123'456'789'012'345}) == 123'456'789'012.345);
  CHECK(milliseconds(std::int64_t{1}) == 0.000001);
  CHECK(milliseconds(std::int64_t{10'771'683}) == 10.771683);
}
}  // namespace kinetoscope
