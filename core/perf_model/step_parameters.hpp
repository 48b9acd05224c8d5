#pragma once

// The sums of a step annotation as parameters of an estimate, by the names that annotations use.

#include "core/names/step_annotations.hpp"
#include "core/perf_model/estimate.hpp"

namespace kinetoscope::perf_model {

inline void add_step_parameters(const names::StepAnnotation& step, Estimate& out) {
  out.add_parameter("c_sq", step.c_sq);
  out.add_parameter("c_sk", step.c_sk);
  out.add_parameter("c_sqsq", step.c_sqsq);
  out.add_parameter("c_sqsk", step.c_sqsk);
  out.add_parameter("g_sq", step.g_sq);
  out.add_parameter("g_sk", step.g_sk);
  out.add_parameter("g_sqsq", step.g_sqsq);
  out.add_parameter("g_sqsk", step.g_sqsk);
}
}  // namespace kinetoscope::perf_model
