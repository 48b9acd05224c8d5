#include "core/analysis/unmodelled_work.hpp"

#include <doctest/doctest.h>

namespace kinetoscope::analysis {

TEST_CASE("unmodelled work: one entry a name, the longest first, equals by name, operators before kernels") {
  UnmodelledSums sums;
  sums.add(3, false, "mine::scan", 20, "not_modelled");
  sums.add(7, true, "scan_kernel", 25, "no call launched it");
  sums.add(3, false, "mine::scan", 5, "argument_not_recorded");
  sums.add(3, true, "mine::scan", 25, "no call launched it");  // a kernel's number, and its name
  sums.add(4, false, "mine::hidden", 0, "not_modelled");       // no time of its own
  const UnmodelledWork work = sums.longest(100);
  CHECK(work.names == 3);
  REQUIRE(work.operators.size() == 3);
  CHECK(work.operators[0] == UnmodelledOperator{"mine::scan", false, 25, 0.25, "not_modelled"});
  CHECK(work.operators[1] == UnmodelledOperator{"mine::scan", true, 25, 0.25, "no call launched it"});
  CHECK(work.operators[2] == UnmodelledOperator{"scan_kernel", true, 25, 0.25, "no call launched it"});
}

TEST_CASE("unmodelled work: only the longest are listed, and how many there are is told") {
  UnmodelledSums sums;
  for (std::uint32_t i = 1; i <= 12; ++i) sums.add(i, false, "operator", i, "not_modelled");
  const UnmodelledWork work = sums.longest(78);
  CHECK(work.names == 12);
  REQUIRE(work.operators.size() == most_unmodelled_operators);
  CHECK(work.operators.front().counted_ns == 12);
  CHECK(work.operators.back().counted_ns == 3);
}
}  // namespace kinetoscope::analysis
