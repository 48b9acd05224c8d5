#include "core/names/element_sizes.hpp"

#include <doctest/doctest.h>

namespace kinetoscope::names {

TEST_CASE("element sizes: are those of PyTorch's types, and absent for any other name") {
  CHECK(element_bytes("Float") == 4);
  CHECK(element_bytes("BFloat16") == 2);
  CHECK(element_bytes("Long") == 8);
  CHECK(element_bytes("Float8_e4m3fn") == 1);
  CHECK_FALSE(element_bytes("float").has_value());
  CHECK_FALSE(element_bytes("").has_value());
}
}  // namespace kinetoscope::names
