#pragma once

// Calls for tests of performance models, written as they are read: name, operands, literals.

#include <string>
#include <utility>
#include <vector>

#include "core/perf_model/call.hpp"

namespace kinetoscope::perf_model {

inline Operand tensor_of(std::string type, Shape dims) { return {std::move(dims), std::move(type), {}, {}}; }
inline Operand list_of(std::string type, std::vector<Shape> items) {
  return {{}, std::move(type), {}, std::move(items)};
}
inline Operand absent() { return {}; }
}  // namespace kinetoscope::perf_model
