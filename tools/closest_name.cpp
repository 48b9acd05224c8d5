#include "tools/closest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace kinetoscope::tools {
namespace {

constexpr std::size_t longest_compared = 64;

std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}
}  // namespace

std::string closest_name(std::string_view given, std::span<const std::string> names) {
  std::string closest;
  std::size_t fewest = longest_compared + 1;
  if (given.size() > longest_compared) return closest;
  for (const std::string& name : names) {
    const std::size_t count = edits(given, name);
    if (count >= fewest || 2 * count > std::max(given.size(), name.size())) continue;
    fewest = count;
    closest = name;
  }
  return closest;
}
}  // namespace kinetoscope::tools
