#include "core/perf_model/kernel_sizes.hpp"

#include <algorithm>

namespace kinetoscope::perf_model {

bool KernelSizes::set(std::string_view dimension, double size, Sizes& sizes) {
  constexpr double largest_exact_size = 9007199254740992.0;  // 2^53
  const auto* const found = std::ranges::find(dimensions, dimension);
  if (found == dimensions.end() || size < 1 || size > largest_exact_size) return false;
  sizes[static_cast<std::size_t>(found - dimensions.begin())] = size;
  return true;
}

std::optional<double> KernelSizes::of(std::string_view dimension) const {
  if (dimension == "r") {
    return has_parts() || exact_[3] || hints_[3] ? std::optional(rnumel()) : std::nullopt;
  }
  const auto* const found = std::ranges::find(dimensions, dimension);
  if (found == dimensions.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(found - dimensions.begin());
  return exact_[place] ? exact_[place] : hints_[place];
}

bool KernelSizes::is_empty() const {
  const auto is_absent = [](const std::optional<double>& size) { return !size; };
  return std::ranges::all_of(exact_, is_absent) && std::ranges::all_of(hints_, is_absent);
}

bool KernelSizes::is_exact() const {
  for (std::size_t place = 0; place < dimensions.size(); ++place) {
    if (dimensions[place] == "r" && has_parts()) continue;
    if (hints_[place] && !exact_[place]) return false;
  }
  return true;
}
}  // namespace kinetoscope::perf_model
