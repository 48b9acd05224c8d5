#pragma once

// What ran at the same time as a launcher's kernels, on other streams and for other operators (trace_model 11): two GPU
// events overlap when both ran for at least a microsecond, unless they are on one stream or have the same nearest
// operator; an unknown stream or operator counts as another.
//
// Hostile files overlap everything with everything. Beyond most_overlaps_compared nothing is said, rather than
// something wrong; within, what is kept of a launcher and of a row is bounded, what is not kept is counted. Cost: O(n
// log n) for n events, and the pairs compared; names of a launcher are sorted. 16 bytes a pair, while the tables are
// made.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/statistics.hpp"
#include "core/analysis/kernel_details.hpp"
#include "core/analysis/launchers.hpp"

namespace kinetoscope::analysis {

/// Pairs of events that ran at one time.
inline constexpr std::uint64_t most_overlaps_compared = 10'000'000;
/// A row names so many kernels beside its own; of more it says how many.
inline constexpr std::size_t most_overlapping_names = 64;
/// Of all rows' texts on what ran beside them.
inline constexpr std::size_t most_overlap_bytes = std::size_t{64} << 20;
/// A shorter overlap is none.
inline constexpr std::int64_t least_overlap_ns = 1000;

/// What of one name ran beside one launcher: kernels of the same name are averaged.
struct Overlapping {
  NameId name = no_name;
  EventId first = no_event;  ///< of them, which gives the stream
  std::int64_t mean_duration_ns = 0;
  double mean_share = 0;  ///< of the launcher's direct time during which one of them ran too, 0 to 1
};

/// What ran beside one launcher, or beside each of a row's.
struct OverlapNames {
  std::uint32_t set = 0;    ///< the same number for the same names
  std::uint32_t names = 0;  ///< different ones
};

/// By launcher. Nothing but not_compared where there were too many pairs.
struct KernelOverlaps {
  std::vector<OverlapNames> names;
  std::vector<double> shares;        ///< of its direct time during which anything ran beside it
  std::vector<std::uint32_t> first;  ///< and one behind the last
  std::vector<Overlapping> all;      ///< of one launcher each name once; of too many names none
  std::uint64_t not_compared = 0;    ///< pairs beyond the limit

  [[nodiscard]] std::span<const Overlapping> of(std::size_t launcher) const noexcept {
    return std::span(all).subspan(first[launcher], first[launcher + 1] - first[launcher]);
  }
};
[[nodiscard]] KernelOverlaps find_overlaps(const TableInput& input, const Launchers& launchers,
                                           std::uint64_t most_compared = most_overlaps_compared);

/// Of a row whose launchers have the same names beside them.
struct OverlapSummary {
  std::uint32_t names = 0;  ///< different ones that ran beside each launcher
  /// With shares; times are each launcher's mean. By total time, rising, then name. Empty where the names are too many.
  std::vector<KernelDetail> kernels;
  /// Of the launchers' shares; unknown where nothing ran beside them.
  Known<double> mean = Reason::not_applicable;
  Known<double> median = Reason::not_applicable;
  Known<double> deviation = Reason::not_applicable;  ///< divided by n - 1; 0 of one launcher
  Known<double> min = Reason::not_applicable;
  Known<double> max = Reason::not_applicable;
};
[[nodiscard]] OverlapSummary summarize_overlaps(const Trace& trace, const KernelOverlaps& overlaps,
                                                std::span<const std::uint32_t> launchers);
/// ['ncclDevKernel_AllReduce']; empty without any.
[[nodiscard]] std::string overlapping_names(std::span<const KernelDetail> kernels);
}  // namespace kinetoscope::analysis
