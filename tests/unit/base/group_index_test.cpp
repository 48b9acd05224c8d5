#include "core/base/group_index.hpp"

#include <string_view>

#include <doctest/doctest.h>

#include "core/base/dense_ids.hpp"

namespace kinetoscope {

TEST_CASE("group index: numbers keys in order of appearance, however many there are") {
  GroupIndex<2> groups;
  for (std::uint32_t i = 0; i < 10'000; ++i) REQUIRE(groups.of({i, 0xffff'ffff - i}) == i);
  for (std::uint32_t i = 0; i < 10'000; ++i) REQUIRE(groups.of({i, 0xffff'ffff - i}) == i);
  CHECK(groups.size() == 10'000);
  CHECK(groups.key(17) == GroupIndex<2>::Key{17, 0xffff'ffff - 17});
}

TEST_CASE("group index: the order of a key's ids counts") {
  GroupIndex<2> groups;
  CHECK(groups.of({1, 2}) == 0);
  CHECK(groups.of({2, 1}) == 1);
}

TEST_CASE("dense ids: equal values have one number, in order of appearance") {
  DenseIds<std::string_view> ids;
  CHECK(ids.of("b") == 0);
  CHECK(ids.of("a") == 1);
  CHECK(ids.of("b") == 0);
  CHECK(ids.value(1) == "a");
  CHECK(ids.size() == 2);
}
}  // namespace kinetoscope
