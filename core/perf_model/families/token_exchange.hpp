#pragma once

// Sending tokens to the devices of their experts, and back.
//
//   FLOPs = 0
//   bytes = M H, the tokens of this device once
//
// Traffic of this device's memory, not of the links. No unit: nothing is computed.
// Source: the definition of the exchange.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily token_exchange_family;
}  // namespace kinetoscope::perf_model
