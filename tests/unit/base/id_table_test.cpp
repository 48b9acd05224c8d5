#include "core/base/id_table.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope {
namespace {
using Table = IdTable<std::uint32_t>;

/// Values are positions in `ids`.
Table table_of(const std::vector<std::int64_t>& ids) {
  HugeArray<Table::Entry> entries;
  for (std::uint32_t i = 0; i < ids.size(); ++i) entries.push_back({ids[i], i});
  HugeArray<Table::Entry> scratch;
  return {std::move(entries), scratch};
}

std::vector<std::uint32_t> values_of(const Table& table, std::int64_t id) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t at = table.first(id); at != Table::none; at = table.next(at)) values.push_back(table.value(at));
  return values;
}

/// Every id's values in the order in which they were given, and none for its neighbours that are absent.
void check_all(const std::vector<std::int64_t>& ids) {
  std::map<std::int64_t, std::vector<std::uint32_t>> expected;
  for (std::uint32_t i = 0; i < ids.size(); ++i) expected[ids[i]].push_back(i);
  const Table table = table_of(ids);
  for (const auto& [id, values] : expected) {
    CHECK(values_of(table, id) == values);
    if (id < INT64_MAX && !expected.contains(id + 1)) CHECK(table.first(id + 1) == Table::none);
    if (id > INT64_MIN && !expected.contains(id - 1)) CHECK(table.first(id - 1) == Table::none);
  }
}
}  // namespace

TEST_CASE("id table: one without values has none for any id") {
  const Table table = table_of({});
  CHECK(table.empty());
  for (const std::int64_t id : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    CHECK(table.first(id) == Table::none);
  }
}

TEST_CASE("id table: values of an id come in the order they were given") {
  check_all({7, 3, 7, 7, 3, 9});
  check_all({5});
  check_all({5, 5, 5});
}

TEST_CASE("id table: ids of both signs, and as far apart as they can be") {
  check_all({INT64_MAX, INT64_MIN, 0, -1, 1, INT64_MAX, INT64_MIN + 1});
  check_all({-3, -2, -1, 0, 1, 2, 3});
}

TEST_CASE("id table: dense, sparse and clustered ids") {
  std::vector<std::int64_t> dense;
  std::vector<std::int64_t> sparse;
  std::vector<std::int64_t> clustered{INT64_MAX};  // one far away: all others share a place of the directory
  for (std::int64_t i = 0; i < 3000; ++i) {
    dense.push_back((i * 7919) % 3000);
    sparse.push_back(i * 0x1'0000'0001 * (i % 2 == 0 ? 1 : -1));
    clustered.push_back((i * 31) % 1000);
  }
  check_all(dense);
  check_all(sparse);
  check_all(clustered);
}
}  // namespace kinetoscope
