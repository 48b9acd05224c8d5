#include "core/base/huge_array.hpp"

#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("huge array: values stay as it grows from the heap into mappings") {
  HugeArray<std::uint64_t> values;
  constexpr std::uint64_t count = 3'000'000;  // 24 MB: several doublings beyond the 2 MiB from which mappings are used
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(i * 7);
  REQUIRE(values.size() == count);
  for (std::uint64_t i = 0; i < count; i += 1009) CHECK(values[i] == i * 7);
  CHECK(values.back() == (count - 1) * 7);
}

TEST_CASE("huge array: a copy shares nothing with its original, at any size") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{1'000'000}}) {
    CAPTURE(size);
    HugeArray<std::uint32_t> original(size, 5);
    HugeArray<std::uint32_t> copy = original;
    for (std::uint32_t& value : copy) value = 6;
    HugeArray<std::uint32_t> assigned;
    assigned = copy;
    copy.push_back(7);
    CHECK(original.size() == size);
    CHECK(copy.size() == size + 1);
    CHECK(assigned.size() == size);
    for (const std::uint32_t value : original) REQUIRE(value == 5);
    for (const std::uint32_t value : assigned) REQUIRE(value == 6);
  }
}

TEST_CASE("huge array: moving leaves the values where they are") {
  HugeArray<std::uint32_t> source(1'000'000, 3);
  const std::uint32_t* const where = source.begin();
  const HugeArray<std::uint32_t> target = std::move(source);
  CHECK(target.begin() == where);
  CHECK(target.size() == 1'000'000);
}

TEST_CASE("huge array: giving back the tail keeps the values, and it can grow again") {
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{10}, std::uint64_t{10'000}, std::uint64_t{300'001}}) {
    CAPTURE(count);
    HugeArray<std::uint64_t> values;
    for (std::uint64_t i = 0; i < count; ++i) values.push_back(i);
    values.trim();
    for (std::uint64_t i = count; i < count + 50'000; ++i) values.push_back(i);
    REQUIRE(values.size() == count + 50'000);
    bool are_kept = true;
    for (std::uint64_t i = 0; i < values.size(); ++i) are_kept = are_kept && values[i] == i;
    CHECK(are_kept);
  }
}
}  // namespace kinetoscope
