#include "core/base/radix_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>

#include <doctest/doctest.h>

namespace kinetoscope {
namespace {
struct Item {
  std::uint64_t key = 0;
  std::uint32_t place = 0;
  friend bool operator==(const Item&, const Item&) = default;
};

std::uint64_t key_of(const Item& item) { return item.key; }

/// Against the library's stable sort, for keys below `limit` in the middle of an array whose edges must stay.
void check_against_library(std::uint64_t limit, std::size_t size) {
  std::mt19937_64 random(size);
  HugeArray<Item> items;
  for (std::uint32_t i = 0; i < size; ++i) items.push_back({limit == 0 ? random() : random() % limit, i});
  HugeArray<Item> expected = items;
  HugeArray<Item> scratch;
  const std::size_t edge = size / 10;
  radix_sort(items.begin() + edge, items.end() - edge, scratch, key_of);
  std::stable_sort(expected.begin() + edge, expected.end() - edge,
                   [](const Item& left, const Item& right) { return left.key < right.key; });
  CHECK(std::equal(items.begin(), items.end(), expected.begin(), expected.end()));
}
}  // namespace

TEST_CASE("radix sort: agrees with a stable sort, in an odd and an even number of passes") {
  for (const std::uint64_t limit :
       {std::uint64_t{2}, std::uint64_t{200}, std::uint64_t{60'000}, std::uint64_t{10'000'000}, std::uint64_t{0}}) {
    for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 2, 100, 5000})
      check_against_library(limit, size);
  }
}

TEST_CASE("radix sort: what is in order stays as it is, without scratch memory") {
  HugeArray<Item> items;
  for (std::uint32_t i = 0; i < 1000; ++i) items.push_back({i / 3, i});
  const HugeArray<Item> before = items;
  HugeArray<Item> scratch;
  radix_sort(items.begin(), items.end(), scratch, key_of);
  CHECK(std::equal(items.begin(), items.end(), before.begin(), before.end()));
  CHECK(scratch.empty());
}
}  // namespace kinetoscope
