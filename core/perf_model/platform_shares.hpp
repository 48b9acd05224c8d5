#pragma once

// Platforms made of others: the lower figures of several that cannot be told apart, and the share of one that a
// partition has.

#include <string>
#include <vector>

#include "core/perf_model/platform.hpp"

namespace kinetoscope::perf_model {

/// Each figure is the lowest of its kind; one that not all of them have is left out. Its name is "A or B". At least
/// one.
[[nodiscard]] Platform lowest_of(const std::vector<const Platform*>& platforms);

/// Compute and units by `compute_share`, memory and its bandwidth by `memory_share`. Measured figures and links are
/// left out: a part of a device was not measured.
[[nodiscard]] Platform part_of(const Platform& whole, double compute_share, double memory_share, std::string name);
}  // namespace kinetoscope::perf_model
