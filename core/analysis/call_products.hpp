#pragma once

// How the matrix products of fp32 operands ran, call by call: only kernels' names say it. One place for all that holds
// calls against ceilings, so that rooflines and utilisations speak of the same one.
// Cost: O(1) a call, O(its GPU events) for products of fp32 operands; each kernel's name is looked at once.

#include <cstdint>
#include <vector>

#include "core/perf_model/roofline.hpp"
#include "core/analysis/operator_work.hpp"

namespace kinetoscope::analysis {

class CallProducts {
 public:
  /// Both must outlive this.
  CallProducts(const Trace& trace, const OperatorWork& work) : trace_(&trace), work_(&work) {}

  /// TF32 where any kernel of the call says so: before the product there may be a copy of the addend or a fill, which
  /// say nothing. Exact for all other operands.
  [[nodiscard]] perf_model::Fp32Products of(std::size_t place, const perf_model::Estimate& estimate);

 private:
  [[nodiscard]] bool is_tf32(NameId kernel);

  const Trace* trace_;
  const OperatorWork* work_;
  std::vector<std::uint8_t> is_tf32_;  // by NameId: unasked, no, yes; empty until asked
};
}  // namespace kinetoscope::analysis
