#pragma once

// Where the distance between a device's peak and what was achieved went, as rows of device time that add up exactly.
//
// A call with a roofline has c, the time that counts for it (counted_work.hpp); r, what its roofline takes, and p, what
// its matrix arithmetic takes at the dense data-sheet peak. p is at most r: where a ceiling is above the peak, r is p.
// r is cut to c where a call ran faster than its roofline (hidden by other work, served from a cache, or a model that
// claims too much), then p to r; such calls are counted. So 0 <= p <= r <= c, and c = p + (r - p) + (c - r): what is
// achieved, what is lost to the call's bound, what is lost in its kernels.
//
// Invariants: total_time = idle + exposed_communication + exposed_copies + unmodelled_work + recompute + memory_bound +
// vector_work + ceiling_below_peak + kernel_inefficiency + achieved, and achieved + above_roofline = at_peak, which is
// total_time x MFU. No row is negative: times that count are disjoint parts of the device's time, so idle, what they
// leave, is not; p and r are added up as whole femtoseconds, so the sum of all r is at most the sum of all c exactly;
// each sum is cut to whole nanoseconds, which makes no sum of parts larger, and kernel_inefficiency is what they leave;
// a sum of p that were cut is at most that of those that were not, and stays so in whole nanoseconds.

#include <array>
#include <cstdint>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"
#include "core/names/spelled.hpp"
#include "core/perf_model/roofline.hpp"

namespace kinetoscope::analysis {

/// In the order of rows.
enum class WaterfallPart : std::uint8_t {
  total_time,             ///< of the devices, from first start to last end, added up: 100 % of peak
  idle,                   ///< nothing ran
  exposed_communication,  ///< that no computation hides
  exposed_copies,         ///< that neither computation nor communication hides
  unmodelled_work,        ///< computation of calls without a roofline, and that no call owns
  recompute,              ///< modelled forward work done a second time
  memory_bound,           ///< r - p of calls that memory or the links bound
  vector_work,            ///< r of calls that the ordinary lanes bound
  ceiling_below_peak,     ///< r - p of matrix work whose measured ceiling is below the data sheet
  kernel_inefficiency,    ///< c - r of all: kernels slower than their roofline
  achieved,               ///< p of all
  above_roofline,         ///< what was cut from p: at the peak it would have taken longer than it counts
  at_peak,                ///< achieved + above_roofline: what the model FLOPs take at peak
};
inline constexpr std::array waterfall_parts = {
    names::Spelled{WaterfallPart::total_time, "total_time"},
    names::Spelled{WaterfallPart::idle, "idle"},
    names::Spelled{WaterfallPart::exposed_communication, "exposed_communication"},
    names::Spelled{WaterfallPart::exposed_copies, "exposed_copies"},
    names::Spelled{WaterfallPart::unmodelled_work, "unmodelled_work"},
    names::Spelled{WaterfallPart::recompute, "recompute"},
    names::Spelled{WaterfallPart::memory_bound, "memory_bound"},
    names::Spelled{WaterfallPart::vector_work, "vector_work"},
    names::Spelled{WaterfallPart::ceiling_below_peak, "ceiling_below_peak"},
    names::Spelled{WaterfallPart::kernel_inefficiency, "kernel_inefficiency"},
    names::Spelled{WaterfallPart::achieved, "achieved"},
    names::Spelled{WaterfallPart::above_roofline, "above_roofline"},
    names::Spelled{WaterfallPart::at_peak, "at_peak"},
};
static_assert(names::follows_enum(waterfall_parts, WaterfallPart::at_peak));
[[nodiscard]] constexpr std::string_view spelling_of(WaterfallPart part) noexcept {
  return waterfall_parts[static_cast<std::size_t>(part)].spelling;
}

struct WaterfallRow {
  WaterfallPart part = WaterfallPart::total_time;
  WideSum time_ns = 0;
  Known<double> share = Reason::not_applicable;  ///< of total_time; unknown where that is 0
  friend bool operator==(const WaterfallRow&, const WaterfallRow&) = default;
};

struct LossWaterfall {
  std::array<WaterfallRow, waterfall_parts.size()> rows;  ///< one a part, in their order
  std::uint64_t calls_above_roofline = 0;  ///< ran faster than their roofline; recomputed ones and copies are not asked
  WideSum above_roofline_excess_ns = 0;    ///< by how much, r - c of these

  [[nodiscard]] WideSum time_ns(WaterfallPart part) const noexcept {
    return rows[static_cast<std::size_t>(part)].time_ns;
  }
  friend bool operator==(const LossWaterfall&, const LossWaterfall&) = default;
};

inline constexpr WideSum femtoseconds_per_ns = 1'000'000;
/// A time or count that models claim, as a whole number from 0 to 10^28: 300,000 years in femtoseconds. 2^32 of them
/// can be added up.
[[nodiscard]] WideSum whole_count(double claimed) noexcept;

/// What a call is held against, before it is cut to the time that counts.
struct IdealTime {
  WideSum at_peak_fs = 0;                                          ///< p; 0 without matrix arithmetic
  WideSum roofline_fs = 0;                                         ///< r, at least p
  WaterfallPart beyond_peak = WaterfallPart::kernel_inefficiency;  ///< which row has r - p
  friend bool operator==(const IdealTime&, const IdealTime&) = default;
};
/// `roofline` has a time.
[[nodiscard]] IdealTime ideal_time(const perf_model::Roofline& roofline, perf_model::ComputeUnit unit,
                                   double at_peak_ns);

class LossSums {
 public:
  /// Time that counts and no model explains: exposed_communication, exposed_copies, unmodelled_work, recompute.
  void add(WaterfallPart part, WideSum counted_ns) { counted_ns_[static_cast<std::size_t>(part)] += counted_ns; }
  /// A modelled call that was no recomputation.
  void add_call(const IdealTime& ideal, WideSum counted_ns);
  /// `total_ns` is at least all that was added.
  [[nodiscard]] LossWaterfall finish(WideSum total_ns) const;

 private:
  std::array<WideSum, waterfall_parts.size()> counted_ns_{};
  std::array<WideSum, waterfall_parts.size()> ideal_fs_{};
  WideSum calls_ns_ = 0;
  WideSum excess_fs_ = 0;
  std::uint64_t calls_above_ = 0;
};
}  // namespace kinetoscope::analysis
