#include "core/base/integer_column.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/ids.hpp"

namespace kinetoscope {
namespace {
using Column = IntegerColumn<EventId>;

constexpr std::uint64_t largest_narrow = UINT32_MAX;
}  // namespace

TEST_CASE("integer column: values of 32 bits take four bytes, and no value is lost when one is wider") {
  Column column;
  for (std::uint32_t i = 0; i < 1000; i += 2) column.set(id_at<EventId>(i), largest_narrow - i);
  const std::size_t narrow_bytes = column.allocated_bytes();
  CHECK(narrow_bytes < 500 * 4 + 16 * 16 + 1);
  column.set(id_at<EventId>(1001), largest_narrow + 1);
  CHECK(column.size() == 501);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const auto expected = i % 2 == 0 ? std::optional<std::uint64_t>(largest_narrow - i) : std::nullopt;
    CHECK(column.find(id_at<EventId>(i)) == expected);
  }
  CHECK(column.find(id_at<EventId>(1001)) == largest_narrow + 1);
  CHECK(column.find(id_at<EventId>(1'000'000)) == std::nullopt);
  CHECK(column.allocated_bytes() > narrow_bytes);
}

TEST_CASE("integer column: the last value given for a key stays, across the change of width too") {
  Column column;
  column.set(id_at<EventId>(3), 1);
  column.set(id_at<EventId>(3), 2);
  CHECK(column.find(id_at<EventId>(3)) == 2);
  column.set(id_at<EventId>(3), UINT64_MAX);
  CHECK(column.find(id_at<EventId>(3)) == UINT64_MAX);
  column.set(id_at<EventId>(3), 4);
  CHECK(column.find(id_at<EventId>(3)) == 4);
  CHECK(column.size() == 1);
}

TEST_CASE("integer column: one without values says so") {
  const Column column;
  CHECK(column.empty());
  CHECK(column.find(id_at<EventId>(0)) == std::nullopt);
}
}  // namespace kinetoscope
