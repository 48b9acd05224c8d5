#include "core/base/interval_set.hpp"

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("interval set: communication is exposed where no computation hides it") {
  const IntervalSet communication({{0, 100}});
  const IntervalSet computation({{90, 120}, {10, 40}});
  CHECK(without(communication, computation) == IntervalSet({{0, 10}, {40, 90}}));
  CHECK(without(communication, computation).total_ns() == 60);  // 100 - 30 - 10
}

TEST_CASE("interval set: touching and overlapping intervals are one, empty ones are none") {
  CHECK(IntervalSet({{15, 20}, {10, 15}, {12, 13}, {30, 30}, {40, 35}}) == IntervalSet({{10, 20}}));
}

TEST_CASE("interval set: subtraction follows the definition") {
  struct Case {
    std::vector<Interval> cover;
    std::vector<Interval> work;
    std::vector<Interval> left;
  };
  // cover; work; what is left: by hand from the definition on half-open intervals.
  const std::vector<Case> cases = {
      {{}, {{10, 20}}, {{10, 20}}},
      {{{15, 16}}, {{10, 20}}, {{10, 15}, {16, 20}}},
      {{{15, 16}, {16, 18}}, {{10, 20}}, {{10, 15}, {18, 20}}},
      {{{9, 12}}, {{10, 20}}, {{12, 20}}},
      {{{15, 22}}, {{10, 20}}, {{10, 15}}},
      {{{10, 20}}, {{10, 20}}, {}},
      {{{0, 30}}, {{10, 20}}, {}},
      {{{15, 35}}, {{10, 20}, {30, 40}}, {{10, 15}, {35, 40}}},
  };
  for (const Case& c : cases) {
    const IntervalSet work(c.work);
    const IntervalSet left = without(work, IntervalSet(c.cover));
    CAPTURE(c.work.front().begin_ns);
    CHECK(left == IntervalSet(c.left));
    CHECK(left.total_ns() + overlap(work, IntervalSet(c.cover)).total_ns() == work.total_ns());
  }
}

TEST_CASE("interval set: united sets have each instant once, touching ones are one") {
  const IntervalSet one({{0, 10}, {40, 50}});
  const IntervalSet other({{5, 20}, {50, 60}});
  CHECK(united(one, other) == IntervalSet({{0, 20}, {40, 60}}));
  CHECK(united(one, IntervalSet()) == one);
}
}  // namespace kinetoscope
