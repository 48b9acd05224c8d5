#pragma once

// The parameters that every normalization shows in users' tables, in their order there. One place, so that sheets of
// different normalizations have the same columns.

#include <optional>
#include <vector>

#include "core/perf_model/call.hpp"
#include "core/perf_model/estimate.hpp"

namespace kinetoscope::perf_model {

struct NormParameters {
  double channels = 0;
  bool has_bias = false;
  bool is_affine = false;
  bool is_training = false;
  std::optional<std::vector<bool>> output_mask{};  ///< of backward operators: which gradients are asked for
};
void add_norm_parameters(const Operand& a, const NormParameters& parameters, Estimate& out);
}  // namespace kinetoscope::perf_model
