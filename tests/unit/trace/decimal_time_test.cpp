#include "core/trace/decimal_time.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/trace/trace.hpp"

namespace kinetoscope {

TEST_CASE("decimal time: microseconds become nanoseconds exactly, at any length") {
  using Status = DecimalTime::Status;
  struct Case {
    std::string_view text;
    std::int64_t ns = 0;
    Status status = Status::exact;
  };
  // By hand: microseconds times 1000; beyond three decimals half to even.
  const std::vector<Case> cases = {
      {"0", 0},
      {"-0", 0},
      {"105", 105'000},
      {"2241346192852.157", 2'241'346'192'852'157},
      {"1732107141551429.001", 1'732'107'141'551'429'001},
      {"-50.000", -50'000},
      {"0.001", 1},
      {"12.5", 12'500},
      {"12.5000", 12'500},
      {"1e3", 1'000'000},
      {"1.5E-2", 15},
      {"1e-4", 0, Status::rounded},
      {"0.0005", 0, Status::rounded},  // half, to even 0
      {"0.0015", 2, Status::rounded},  // half, to even 2
      {"0.00050001", 1, Status::rounded},
      {"9.9999", 10'000, Status::rounded},
      {"-0.0015", -2, Status::rounded},
      {"4611686018427387.903", largest_time_ns},  // 2^62 - 1 ns
      {"-4611686018427387.903", -largest_time_ns},
      {"4611686018427387.904", 0, Status::out_of_range},
      {"4611686018427387.9035", 0, Status::out_of_range},  // rounded, it would be
      {"4611686018427387.9034", largest_time_ns, Status::rounded},
      {"1e300", 0, Status::out_of_range},
      {"0e999999999999", 0},
      {"1e-999999999999", 0, Status::rounded},
      {"", 0, Status::not_a_number},
      {"-", 0, Status::not_a_number},
      {"1.", 0, Status::not_a_number},
      {".5", 0, Status::not_a_number},
      {"12a", 0, Status::not_a_number},
      {"123456789a12.345", 0, Status::not_a_number},
      {"1234567890123.4x5", 0, Status::not_a_number},
      {"1e", 0, Status::not_a_number},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const DecimalTime found = parse_microseconds(c.text);
    CHECK(found.status == c.status);
    if (c.status == Status::exact || c.status == Status::rounded) CHECK(found.ns == c.ns);
  }
}
}  // namespace kinetoscope
