#pragma once

// How long a call has to take at least on a platform: its arithmetic at the ceiling of its compute unit, its bytes at
// the bandwidth of device memory, what crosses to other devices at that of the links, the longest of these.
//
//   compute time = FLOPs / (ceiling of the compute spec in TFLOP/s x 10^12)
//   memory time  = bytes moved / (bandwidth in GB/s x 10^9)
//   link time    = bytes each way / (links' bandwidth each way in GB/s x 10^9)
//
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52 (4), 2009. The ceiling is the measured figure where there
// is one, else the dense peak; bandwidth is always the peak (decision 9). A call without arithmetic is bound by memory.
// Where one of the times is not known, the others are the roofline, which is said to be a lower bound.
// Cost: a look-up in a map of some fifteen names.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/names/spelled.hpp"
#include "core/perf_model/estimate.hpp"
#include "core/perf_model/platform.hpp"

namespace kinetoscope::perf_model {

enum class Bound : std::uint8_t { compute, memory, link };
/// As users of the tables know them.
inline constexpr std::array bounds = {
    names::Spelled{Bound::compute, "COMPUTE_BOUND"},
    names::Spelled{Bound::memory, "MEMORY_BOUND"},
    names::Spelled{Bound::link, "LINK_BOUND"},
};
static_assert(names::follows_enum(bounds, Bound::link));
[[nodiscard]] constexpr std::string_view spelling_of(Bound bound) noexcept {
  return bounds[static_cast<std::size_t>(bound)].spelling;
}

struct Roofline {
  std::optional<double> compute_ns;
  std::optional<double> memory_ns;
  std::optional<double> link_ns;  ///< of collectives only
  /// The longest. Absent where none is known, and where the call has neither FLOPs nor bytes to hold it against.
  std::optional<double> time_ns;
  std::optional<Bound> bound;   ///< the first of compute, memory and link where several are as long
  bool is_lower_bound = false;  ///< one of the times is not known
  bool fits_cache = false;      ///< all its bytes fit the last-level cache: it may be faster than device memory
  double ceiling_tflops = 0;    ///< that compute_ns is held against; 0 without
  std::string answered_by;      ///< the compute spec that the ceiling is of; empty without arithmetic
  std::string reason;           ///< why a time is missing, a clause; empty where nothing is
  friend bool operator==(const Roofline&, const Roofline&) = default;
};

[[nodiscard]] Roofline roofline_of(const Estimate& estimate, const Platform& platform,
                                   Fp32Products products = Fp32Products::exact);

/// How a kernel computes products of fp32 operands, by its name: NVIDIA's libraries name TF32, or the shape of the
/// instruction that takes it (s1688).
[[nodiscard]] Fp32Products fp32_products_of(std::string_view kernel_name) noexcept;
}  // namespace kinetoscope::perf_model
