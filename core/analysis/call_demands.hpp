#pragma once

// What each call asks of a platform: its FLOPs by unit, its bytes, the peak that its matrix arithmetic is held against,
// and how long it has to take. The peaks that were asked for are listed, with where they come from, so that whoever
// prints a utilisation can print its denominators.
//
// A peak is the dense figure of the vendor's data sheet. Where only a measurement is known, that is taken, and the row
// says so. Worked out once for each estimate and way of fp32 products: some thousand for a million calls. Counts are
// whole numbers, so that sums are exact in any order.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/perf_model/platform.hpp"
#include "core/perf_model/roofline.hpp"
#include "core/analysis/call_estimates.hpp"
#include "core/analysis/call_products.hpp"
#include "core/analysis/loss_waterfall.hpp"
#include "core/analysis/operator_work.hpp"

namespace kinetoscope::analysis {

/// What matrix arithmetic is held against.
struct DensePeak {
  std::string spec;                          ///< the compute spec of the operands: matrix_fp32
  std::string answered_by;                   ///< the spec whose figure answers it: matrix_tf32
  std::optional<perf_model::Figure> tflops;  ///< with its kind, status and source
  bool is_estimated = false;                 ///< by a rate of other operands
  std::vector<std::string> notes;            ///< sentences without full stop
  std::string reason;                        ///< why there is no figure, a clause
  friend bool operator==(const DensePeak&, const DensePeak&) = default;
};

struct CallDemand {
  static constexpr std::uint32_t no_peak = 0xffff'ffff;
  WideSum matrix_flops = 0;
  WideSum vector_flops = 0;
  std::optional<WideSum> bytes_moved;
  std::uint32_t peak = no_peak;    ///< of CallDemands::peaks(); no_peak without matrix arithmetic of a known type
  bool has_peak_figure = false;    ///< and its figure is known
  std::optional<IdealTime> ideal;  ///< absent without a roofline
  std::string reason;              ///< why it is absent, a clause
  friend bool operator==(const CallDemand&, const CallDemand&) = default;
};

class CallDemands {
 public:
  /// All must outlive this.
  CallDemands(const Trace& trace, const OperatorWork& work, const CallEstimates& estimates,
              const perf_model::Platform& platform);

  /// Of the call at this place of the work. Valid as long as this.
  [[nodiscard]] const CallDemand& of(std::size_t call);
  /// In order of first question.
  [[nodiscard]] std::span<const DensePeak> peaks() const noexcept { return peaks_; }

 private:
  [[nodiscard]] CallDemand demand_of(const perf_model::Estimate& estimate, perf_model::Fp32Products products);
  [[nodiscard]] std::uint32_t peak_of(const std::string& spec, perf_model::Fp32Products products);

  const OperatorWork* work_;
  const CallEstimates* estimates_;
  const perf_model::Platform* platform_;
  CallProducts products_;
  CallDemand without_model_;
  std::deque<CallDemand> demands_;
  std::vector<const CallDemand*> by_estimate_;  // two for each, by products of fp32; nullptr before the first question
  std::vector<DensePeak> peaks_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> peak_numbers_;  // by spec and what answers it
};
}  // namespace kinetoscope::analysis
