#include "core/perf_model/literals.hpp"

#include <string_view>

#include <doctest/doctest.h>

namespace kinetoscope::perf_model {

TEST_CASE("literals: each kind is read as what it is, and nothing else is") {
  CHECK(truth_in("True") == true);
  CHECK(truth_in(" false ") == false);
  CHECK(truth_in("1") == true);
  CHECK_FALSE(truth_in("").has_value());
  CHECK_FALSE(truth_in("0.5").has_value());
  CHECK(whole_number_in("-1") == -1);
  CHECK_FALSE(whole_number_in("1.").has_value());
  CHECK_FALSE(whole_number_in("99999999999999999999").has_value());
  CHECK(number_in("0.") == 0.0);
  CHECK(number_in("1.0000000000000001e-05") == 1.0000000000000001e-05);
  CHECK_FALSE(number_in("inf").has_value());
  CHECK_FALSE(number_in("__import__('os')").has_value());
}

TEST_CASE("literals: lists have all their items, or are none") {
  CHECK(whole_numbers_in("[1, 1]") == std::vector<std::int64_t>{1, 1});
  CHECK(whole_numbers_in("(3,)") == std::vector<std::int64_t>{3});
  CHECK(whole_numbers_in("[]") == std::vector<std::int64_t>{});
  CHECK(whole_numbers_in("7") == std::vector<std::int64_t>{7});
  CHECK_FALSE(whole_numbers_in("[1, x]").has_value());
  CHECK_FALSE(whole_numbers_in("[1").has_value());
  CHECK_FALSE(whole_numbers_in("").has_value());
  CHECK(numbers_in("[2., 2.]") == std::vector<double>{2, 2});
  CHECK(truths_in("[True, True, False]") == std::vector<bool>{true, true, false});
  CHECK_FALSE(truths_in("[True, None]").has_value());
  CHECK(is_list("[0]"));
  CHECK_FALSE(is_list("0"));
}
}  // namespace kinetoscope::perf_model
