#pragma once

// Calls for tests of models, written as the operator's schema reads: operands by type and shape, literals by position.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/perf_model/models.hpp"

namespace kinetoscope::perf_model {

inline Operand operand_of(Shape dims, std::string type) {
  Operand operand;
  operand.dims = std::move(dims);
  operand.type = std::move(type);
  return operand;
}
inline Operand bf16(Shape dims) { return operand_of(std::move(dims), "c10::BFloat16"); }
inline Operand f32(Shape dims) { return operand_of(std::move(dims), "float"); }
inline Operand fp8(Shape dims) { return operand_of(std::move(dims), "c10::Float8_e4m3fnuz"); }
inline Operand tensor_of(std::string type, Shape dims) { return operand_of(std::move(dims), std::move(type)); }
inline Operand list_of(std::string type, std::vector<Shape> items) {
  Operand list;
  list.type = std::move(type);
  list.items = std::move(items);
  return list;
}
/// An optional argument that was left out, or a literal's place.
inline Operand absent() { return {}; }

inline Call model_call(std::string_view name, std::vector<Operand> operands,
                       const std::map<std::size_t, std::string>& literals = {}) {
  Call call;
  call.name = name;
  call.operands = std::move(operands);
  if (!literals.empty()) call.literals.resize(literals.rbegin()->first + 1);
  for (const auto& [position, literal] : literals) call.literals[position] = literal;
  return call;
}

/// What the model of the operator says.
inline Estimate estimate_named(std::string_view name, std::vector<Operand> operands,
                               const std::map<std::size_t, std::string>& literals = {}) {
  return estimate_call(operator_registry(), model_call(name, std::move(operands), literals));
}
/// What it says of the backward work of this forward call.
inline Estimate backward_named(std::string_view name, std::vector<Operand> operands,
                               const std::map<std::size_t, std::string>& literals = {}) {
  return estimate_backward_of(operator_registry(), model_call(name, std::move(operands), literals));
}
}  // namespace kinetoscope::perf_model
