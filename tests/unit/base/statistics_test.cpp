#include "core/base/statistics.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("statistics: of whole numbers") {
  std::vector<std::int64_t> values = {4, 1, 7, 4};
  const Statistics found = statistics_of(values);
  CHECK(found.count == 4);
  CHECK(found.sum == 16);
  CHECK(found.min == 1);
  CHECK(found.max == 7);
  CHECK(found.mean == 4);
  CHECK(found.median == 4);
  CHECK(found.population_deviation == doctest::Approx(2.1213203435596424));  // sqrt(18 / 4)
  CHECK(*found.sample_deviation == doctest::Approx(2.449489742783178));      // sqrt(18 / 3)
}

TEST_CASE("statistics: no sum overflows, so a mean lies between the bounds") {
  std::vector<std::int64_t> values(5, INT64_MAX);
  values.push_back(INT64_MAX - 2);
  const Statistics found = statistics_of(values);
  CHECK(found.sum == WideSum{6} * INT64_MAX - 2);
  CHECK(found.mean == doctest::Approx(9.223372036854775807e18).epsilon(1e-15));
  CHECK(found.population_deviation < 1e4);  // of numbers that doubles cannot tell apart
}

TEST_CASE("wide sums: are 64 bits where they fit, else unknown, and have shares all the same") {
  CHECK(narrowed(INT64_MAX) == INT64_MAX);
  CHECK(narrowed(WideSum{INT64_MAX} + 1) == Reason::out_of_range);
  CHECK(narrowed(WideSum{INT64_MIN} - 1) == Reason::out_of_range);
  CHECK(percentage_of(WideSum{INT64_MAX} * 2, WideSum{INT64_MAX} * 8) == 25.0);
  CHECK(percentage_of(0, 0) == Reason::not_applicable);
}
}  // namespace kinetoscope
