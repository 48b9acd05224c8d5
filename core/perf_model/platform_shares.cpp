#include "core/perf_model/platform_shares.hpp"

#include <fmt/format.h>

namespace kinetoscope::perf_model {
namespace {

void keep_lower(std::optional<Figure>& kept, const std::optional<Figure>& other) {
  if (!kept) return;
  if (!other) {
    kept.reset();
  } else if (other->value < kept->value) {
    kept = other;
  }
}

void keep_lower(ComputeRate& kept, const ComputeRate* other) {
  if (other == nullptr) {
    kept = {};
    return;
  }
  keep_lower(kept.peak, other->peak);
  keep_lower(kept.measured, other->measured);
  kept.has_no_path = kept.has_no_path && other->has_no_path;
  if (kept.per_clock_and_unit != other->per_clock_and_unit) kept.per_clock_and_unit.reset();
}

void keep_lower(Platform& kept, const Platform& other) {
  kept.name += " or " + other.name;
  if (other.mem_bw_gbps.value < kept.mem_bw_gbps.value) kept.mem_bw_gbps = other.mem_bw_gbps;
  keep_lower(kept.mem_bw_achievable_gbps, other.mem_bw_achievable_gbps);
  keep_lower(kept.memory_gb, other.memory_gb);
  keep_lower(kept.units, other.units);
  keep_lower(kept.clock_mhz, other.clock_mhz);
  keep_lower(kept.clock_tensor_mhz, other.clock_tensor_mhz);
  keep_lower(kept.link_gbps_per_direction, other.link_gbps_per_direction);
  keep_lower(kept.last_level_cache_bytes, other.last_level_cache_bytes);
  for (auto& [spec, rate] : kept.compute) {
    const auto found = other.compute.find(spec);
    keep_lower(rate, found == other.compute.end() ? nullptr : &found->second);
  }
  std::erase_if(kept.compute, [](const auto& entry) { return entry.second == ComputeRate{}; });
}

Figure share_of(Figure figure, double share) {
  figure.value *= share;
  figure.status = FigureStatus::unverified;
  figure.conditions += fmt::format("{}{:.4g} of the whole device", figure.conditions.empty() ? "" : "; ", share);
  return figure;
}
}  // namespace

Platform lowest_of(const std::vector<const Platform*>& platforms) {
  Platform out = *platforms.front();
  for (std::size_t i = 1; i < platforms.size(); ++i) keep_lower(out, *platforms[i]);
  if (platforms.size() > 1) {
    out.about.clear();
    out.detect = {};
  }
  return out;
}

Platform part_of(const Platform& whole, double compute_share, double memory_share, std::string name) {
  Platform out = whole;
  out.name = std::move(name);
  out.mem_bw_gbps = share_of(whole.mem_bw_gbps, memory_share);
  out.mem_bw_achievable_gbps.reset();
  if (whole.memory_gb) out.memory_gb = share_of(*whole.memory_gb, memory_share);
  if (whole.units) out.units = share_of(*whole.units, compute_share);
  out.link_gbps_per_direction.reset();
  for (auto& [spec, rate] : out.compute) {
    if (rate.peak) rate.peak = share_of(*rate.peak, compute_share);
    rate.measured.reset();
  }
  out.detect = {};
  return out;
}
}  // namespace kinetoscope::perf_model
