#pragma once

// The estimate of a call: its operator's family and layout from the registry, run on its arguments. A pure function of
// call and context, so callers ask once for each distinct one.

#include "core/perf_model/operator_registry.hpp"

namespace kinetoscope::perf_model {

/// Of an operator without a model: gap not_modelled.
[[nodiscard]] Estimate estimate_call(const OperatorRegistry& registry, const Call& call,
                                     const CallContext& context = {});
/// Of the backward work that belongs to a forward call.
[[nodiscard]] Estimate estimate_backward_of(const OperatorRegistry& registry, const Call& forward,
                                            const CallContext& context = {});
}  // namespace kinetoscope::perf_model
