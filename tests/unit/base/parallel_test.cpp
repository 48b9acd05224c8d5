#include "core/base/parallel.hpp"

#include <stdexcept>
#include <string>
#include <thread>

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("parallel: both pieces have run when it returns, in two threads or in one") {
  for (const bool at_once : {false, true}) {
    CAPTURE(at_once);
    std::thread::id first;
    std::thread::id second;
    run_both(
        at_once, [&] { first = std::this_thread::get_id(); }, [&] { second = std::this_thread::get_id(); });
    CHECK(second == std::this_thread::get_id());
    CHECK((first == second) == !at_once);
  }
}

TEST_CASE("parallel: a failure of either piece reaches the caller") {
  for (const bool at_once : {false, true}) {
    CAPTURE(at_once);
    bool has_other_run = false;
    CHECK_THROWS_WITH_AS(run_both(
                             at_once, [] { throw std::runtime_error("first"); }, [&] { has_other_run = true; }),
                         "first", std::runtime_error);
    CHECK(has_other_run == at_once);
    CHECK_THROWS_WITH_AS(run_both(
                             at_once, [&] { has_other_run = true; }, [] { throw std::runtime_error("second"); }),
                         "second", std::runtime_error);
    CHECK(has_other_run);
    CHECK_THROWS_WITH_AS(
        run_both(
            at_once, [] { throw std::runtime_error("first"); }, [] { throw std::runtime_error("second"); }),
        "first", std::runtime_error);
  }
}
}  // namespace kinetoscope
