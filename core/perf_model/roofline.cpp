#include "core/perf_model/roofline.hpp"

#include "core/base/format.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr double flops_per_tflop = 1e12;
constexpr double bytes_per_gigabyte = 1e9;
constexpr double ns_per_second = 1e9;

void add_roofline_reason(Roofline& roofline, std::string_view reason) {
  if (!roofline.reason.empty()) roofline.reason += "; ";
  roofline.reason += reason;
}

std::string_view reason_without_figure(const Estimate& estimate) {
  return estimate.gap ? spelling_of(*estimate.gap) : "not_modelled";
}

void add_compute_time(Roofline& roofline, const Estimate& estimate, const Platform& platform, Fp32Products products) {
  if (!estimate.flops) return add_roofline_reason(roofline, reason_without_figure(estimate));
  if (*estimate.flops <= 0) return;
  const std::string spec = compute_spec(estimate.unit, estimate.precision);
  if (spec.empty()) return add_roofline_reason(roofline, "no compute spec for these types");
  const Ceiling ceiling = ceiling_of(platform, spec, products);
  if (!ceiling.figure) return add_roofline_reason(roofline, ceiling.reason);
  roofline.ceiling_tflops = ceiling.figure->value;
  roofline.answered_by = ceiling.answered_by;
  roofline.compute_ns = *estimate.flops / (ceiling.figure->value * flops_per_tflop) * ns_per_second;
}

void add_memory_time(Roofline& roofline, const Estimate& estimate, const Platform& platform) {
  if (!estimate.bytes_moved) return add_roofline_reason(roofline, reason_without_figure(estimate));
  if (*estimate.bytes_moved <= 0) return;
  roofline.memory_ns = *estimate.bytes_moved / (platform.mem_bw_gbps.value * bytes_per_gigabyte) * ns_per_second;
  const std::optional<Figure>& cache = platform.last_level_cache_bytes;
  roofline.fits_cache = cache && *estimate.bytes_moved < cache->value;
}

void add_link_time(Roofline& roofline, const Estimate& estimate, const Platform& platform) {
  if (!estimate.link_bytes || *estimate.link_bytes <= 0) return;
  const std::optional<Figure>& links = platform.link_gbps_per_direction;
  if (!links) return add_roofline_reason(roofline, "no bandwidth of links is known of " + printable(platform.name));
  roofline.link_ns = *estimate.link_bytes / (links->value * bytes_per_gigabyte) * ns_per_second;
}

void take_if_longer(Roofline& roofline, const std::optional<double>& time_ns, Bound bound) {
  if (!time_ns || (roofline.time_ns && *roofline.time_ns >= *time_ns)) return;
  roofline.time_ns = time_ns;
  roofline.bound = bound;
}
}  // namespace

Roofline roofline_of(const Estimate& estimate, const Platform& platform, Fp32Products products) {
  Roofline roofline;
  if (estimate.flops || estimate.bytes_moved) {
    add_compute_time(roofline, estimate, platform, products);
    add_memory_time(roofline, estimate, platform);
    add_link_time(roofline, estimate, platform);
  } else {
    add_roofline_reason(roofline, reason_without_figure(estimate));
  }
  take_if_longer(roofline, roofline.compute_ns, Bound::compute);
  take_if_longer(roofline, roofline.memory_ns, Bound::memory);
  take_if_longer(roofline, roofline.link_ns, Bound::link);
  roofline.is_lower_bound = roofline.time_ns && !roofline.reason.empty();
  return roofline;
}

Fp32Products fp32_products_of(std::string_view kernel_name) noexcept {
  for (const std::string_view mark : {"tf32", "TF32", "s1688"}) {
    if (kernel_name.find(mark) != std::string_view::npos) return Fp32Products::tf32;
  }
  return Fp32Products::exact;
}
}  // namespace kinetoscope::perf_model
