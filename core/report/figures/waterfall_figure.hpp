#pragma once

// The loss waterfall as SVG: horizontal bars from 100 % of peak down to what was achieved, each loss a floating bar
// that begins where the one above it ended, with its label, its percent and its time.
//
// 100 % is the first bar of kind total. Nothing is computed but shares of it and where bars end: that rows add up is
// the caller's promise, and a result that does not stand where the losses end shows as a gap. A gain goes to the right;
// bars beyond 100 % or below 0 extend the axis. Deterministic; O(rows).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/wide_sum.hpp"

namespace kinetoscope::report {

enum class BarKind : std::uint8_t {
  total,   ///< from 0 on
  loss,    ///< from where the bar above ended, downwards
  gain,    ///< from there upwards
  result,  ///< from 0 on: what is left
};

struct WaterfallBar {
  std::string label;
  WideSum time_ns = 0;
  BarKind kind = BarKind::loss;
  std::string detail{};  ///< more in the tooltip; may be empty
  friend bool operator==(const WaterfallBar&, const WaterfallBar&) = default;
};

struct WaterfallChart {
  std::string title;
  std::string caption;  ///< the denominators: "of 989.5 TFLOP/s dense bf16 over 12.3 ms"
  std::vector<WaterfallBar> bars;
  std::vector<std::string> notes{};
  friend bool operator==(const WaterfallChart&, const WaterfallChart&) = default;
};

/// More bars than that are drawn as one between the first and the last, which says how many they are.
inline constexpr std::size_t most_waterfall_bars = 24;

[[nodiscard]] std::string waterfall_figure(const WaterfallChart& chart);
}  // namespace kinetoscope::report
