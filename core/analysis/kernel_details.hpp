#pragma once

// What kernels the launchers of one row ran: one entry for each position in the launch and name, so that launches of
// different lengths and of different kernels are all there, and the counts add up to the kernels of the row.
// As text: the list of dictionaries that TraceLens users' scripts read. Cost: O(n log n) for n events of the row.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/huge_array.hpp"
#include "core/base/statistics.hpp"
#include "core/analysis/launchers.hpp"
#include "core/analysis/stream_number.hpp"

namespace kinetoscope::analysis {

struct KernelDetail {
  std::string_view name;                ///< valid as long as the trace
  std::optional<std::int64_t> stream;   ///< stream_number() of the first such kernel
  std::uint32_t position = 0;           ///< in the launch, by start
  std::optional<double> overlap_share;  ///< of what ran beside kernels (kernel_overlaps.hpp) only
  Statistics time;                      ///< ns, of recorded durations; kernels without one count as 0
};

/// Makes the details of one row after the other, in the same memory.
class KernelDetailList {
 public:
  /// Both must outlive this.
  KernelDetailList(const Trace& trace, const Launchers& launchers) : trace_(&trace), launchers_(&launchers) {}

  /// Of the launchers at these places. By total time, rising, then name, stream and position.
  [[nodiscard]] std::vector<KernelDetail> of(std::span<const std::uint32_t> places);

 private:
  /// One kernel of one launch.
  struct Ran {
    std::uint32_t position = 0;
    NameId name = no_name;
    EventId event = no_event;
  };
  void collect(std::span<const std::uint32_t> places);

  const Trace* trace_;
  const Launchers* launchers_;
  HugeArray<Ran> ran_;
  HugeArray<Ran> scratch_;
  std::vector<std::int64_t> times_ns_;
};

/// [{'name': 'gemm', 'stream': 7, 'count': 4, 'total_duration_us': 8.0, ...}], and 'overlap_pct' before the count where
/// there is a share.
[[nodiscard]] std::string details_text(std::span<const KernelDetail> details);
/// [{'name': 'gemm', 'stream': 7, 'mean_duration_us': 2.0}]: names of at most 64 characters, two decimals. Empty of
/// none.
[[nodiscard]] std::string short_details_text(std::span<const KernelDetail> details);

/// `name`, or its first 64 characters and "...".
[[nodiscard]] std::string shortened_name(std::string_view name);
/// To two decimals as NumPy rounds: a hundredfold to the nearest whole number, halves to the even one.
[[nodiscard]] double rounded_to_hundredths(double value);
}  // namespace kinetoscope::analysis
