#pragma once

// Calls for tests of performance models, written short: written_call("aten::mm", {"bf16[2,3]", "bf16[3,4]"}). Operands
// as in model_cases.json: a type and a shape, strides behind a slash, "" for one that is absent.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/perf_model/call.hpp"

namespace kinetoscope {

/// Literals by position.
using WrittenLiterals = std::map<std::size_t, std::string>;

inline perf_model::Call written_call(std::string_view name, const std::vector<std::string>& operands,
                                     const WrittenLiterals& literals = {}) {
  static const std::map<std::string, std::string> types = {
      {"bf16", "c10::BFloat16"},       {"f16", "c10::Half"},     {"f32", "float"}, {"i32", "int"},
      {"f8z", "c10::Float8_e4m3fnuz"}, {"odd", "no::such_type"},
  };
  std::string dims = "[";
  std::string type_names = "[";
  std::string strides = "[";
  const auto add = [](std::string& list, const std::string& item) { list += (list.size() > 1 ? "," : "") + item; };
  for (const std::string& operand : operands) {
    const std::size_t shape_at = operand.find('[');
    const std::size_t strides_at = operand.find('/');
    const bool has_strides = strides_at != std::string::npos;
    add(type_names, '"' + (operand.empty() ? std::string() : types.at(operand.substr(0, shape_at))) + '"');
    add(dims, operand.empty() ? "[]" : operand.substr(shape_at, has_strides ? strides_at - shape_at : strides_at));
    add(strides, has_strides ? operand.substr(strides_at + 1) : "null");
  }
  perf_model::Call call = perf_model::read_call(
      name, {.dims = dims + "]", .types = type_names + "]", .strides = strides + "]", .literals = {}});
  if (!literals.empty()) call.literals.resize(literals.rbegin()->first + 1);
  for (const auto& [position, literal] : literals) call.literals[position] = literal;
  return call;
}
}  // namespace kinetoscope
