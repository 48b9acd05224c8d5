#include "core/perf_model/value_sizes.hpp"

#include <doctest/doctest.h>

namespace kinetoscope::perf_model {

TEST_CASE("value sizes: floating-point values have the size of their type, 4-bit ones half a byte") {
  CHECK(bytes_per_value("c10::BFloat16") == 2);
  CHECK(bytes_per_value("c10::Half") == 2);
  CHECK(bytes_per_value("Float16") == 2);
  CHECK(bytes_per_value("float") == 4);
  CHECK(bytes_per_value("Float32") == 4);
  CHECK(bytes_per_value("c10::Float8_e4m3fnuz") == 1);
  CHECK(bytes_per_value("c10::Float8_e5m2") == 1);
  CHECK(bytes_per_value("FP8") == 1);
  CHECK(bytes_per_value("c10::Float4_e2m1fn_x2") == 0.5);  // a byte holds two
  CHECK(bytes_per_value("FP4") == 0.5);
}

TEST_CASE("value sizes: integers, which carry packed values, and unknown names say nothing") {
  for (const char* name : {"unsigned char", "signed char", "int", "long int", "bool", "c10::Float8_e8m0fnu", "", "x"}) {
    CAPTURE(name);
    CHECK_FALSE(bytes_per_value(name).has_value());
  }
}
}  // namespace kinetoscope::perf_model
