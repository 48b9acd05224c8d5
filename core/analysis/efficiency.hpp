#pragma once

// How much of what a platform can do its devices did, by step and overall.
//
//   MFU = time that the model FLOPs take at dense peak / device time
//   HFU = the same with recomputed FLOPs
//   MBU = bytes moved / (device time x peak bandwidth)
//
// Model FLOPs are those of matrix work that a model knows, each product once: what activation checkpointing does again
// is in HFU only (Chowdhery et al., "PaLM", 2022, appendix B). With one precision MFU is FLOPs / (time x peak); with
// several each is held against its own peak. Peaks are dense data-sheet figures (call_demands.hpp), and every one that
// was divided by stands in `peaks`. Arithmetic of the ordinary lanes is counted and in neither. MBU counts recomputed
// bytes, which memory moved too: bytes over time and peak bandwidth, as for MFU.
//
// Device time is from the first start to the last end of each device's work, added up; each device is measured by
// itself, so that none hides another. A step's time ends where the next step's work begins, if that directly follows
// and begins after the step's own work ended: idle time between steps counts. Steps may overlap, on several streams, so
// their times do not add up; their work does: the work of all steps and outside_steps is that of the whole, exactly.
// A call, and all that it launched, belongs to the step of its first event. The population is the tables' (decision 4).
// Calls of which no event was timed are in no figure. Cost: O(n log n) for n events.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"
#include "core/tree/steps.hpp"
#include "core/perf_model/platform.hpp"
#include "core/analysis/call_demands.hpp"
#include "core/analysis/loss_waterfall.hpp"
#include "core/analysis/operator_work.hpp"
#include "core/analysis/table_input.hpp"
#include "core/analysis/unmodelled_work.hpp"

namespace kinetoscope::analysis {

/// What calls with an estimate had to do.
struct WorkDone {
  std::uint64_t calls = 0;                ///< with some timed event, modelled or not
  std::uint64_t modelled_calls = 0;       ///< of them, those with a roofline
  WideSum model_flops = 0;                ///< of matrix work, recomputed apart
  WideSum recomputed_flops = 0;           ///< of matrix work done a second time
  WideSum flops_without_peak = 0;         ///< of both: the peak is not known, so they are in neither MFU nor HFU
  WideSum vector_flops = 0;               ///< recomputed or not
  WideSum bytes_moved = 0;                ///< recomputed or not
  WideSum recomputed_bytes = 0;           ///< of bytes_moved
  std::uint64_t calls_without_bytes = 0;  ///< modelled calls whose bytes are not known
  WideSum model_at_peak_fs = 0;           ///< what model_flops with a peak take at it
  WideSum recomputed_at_peak_fs = 0;      ///< the same of recomputed_flops

  void add(const WorkDone& other) noexcept;
  friend bool operator==(const WorkDone&, const WorkDone&) = default;
};

/// Rates are not_applicable where the time is 0, and where nothing was modelled that they could be of.
struct Utilisation {
  WideSum time_ns = 0;  ///< device time
  WorkDone work;
  Known<double> mfu = Reason::not_applicable;
  Known<double> hfu = Reason::not_applicable;
  Known<double> mbu = Reason::not_applicable;
  Known<double> tflops_per_s = Reason::not_applicable;     ///< model_flops over time
  Known<double> gigabytes_per_s = Reason::not_applicable;  ///< bytes_moved over time
  LossWaterfall waterfall;                                 ///< from time_ns down to mfu
  UnmodelledWork unmodelled;                               ///< what its row unmodelled_work is made of
  friend bool operator==(const Utilisation&, const Utilisation&) = default;
};

struct StepUtilisation {
  StepId step = no_step;
  std::string_view name;  ///< the annotation's; valid as long as the trace
  Utilisation part;
  friend bool operator==(const StepUtilisation&, const StepUtilisation&) = default;
};

/// FLOPs of one compute spec over the whole, and the peak that they are held against.
struct PeakUse {
  DensePeak peak;
  WideSum model_flops = 0;
  WideSum recomputed_flops = 0;
  Known<double> tflops_per_s = Reason::not_applicable;  ///< model_flops over device time
  Known<double> mfu = Reason::not_applicable;           ///< what this spec adds to the whole's
  friend bool operator==(const PeakUse&, const PeakUse&) = default;
};

struct Efficiency {
  std::string platform;
  perf_model::Figure bandwidth_gbps;  ///< that MBU is held against
  std::uint64_t devices = 0;          ///< with timed work
  std::uint64_t untimed_calls = 0;    ///< calls of which no event was timed
  std::vector<PeakUse> peaks;         ///< by model FLOPs, falling, then recomputed ones, then spec
  Utilisation whole;
  std::vector<StepUtilisation> by_step;  ///< steps with timed work, in their order
  WorkDone outside_steps;
  friend bool operator==(const Efficiency&, const Efficiency&) = default;
};

/// `work` and `estimates` are of `input`, `steps` the tree's own. Throws Error interrupted as `input` does.
[[nodiscard]] Efficiency efficiency_of(const TableInput& input, const OperatorWork& work,
                                       const CallEstimates& estimates, const perf_model::Platform& platform,
                                       std::span<const Step> steps);
}  // namespace kinetoscope::analysis
