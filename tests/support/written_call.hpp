#pragma once

// Calls for tests of performance models, written short: written_call("aten::mm", {"bf16[2,3]", "bf16[3,4]"}). Operands
// as in model_cases.json: a type and a shape, strides behind a slash, "" for one that is absent, "f32()" for a tensor
// without dimensions, "bf16[(2,3),(4,3)]" for a list of them. A type that is not in the list fails the test.

#include <algorithm>
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
      {"bf16", "c10::BFloat16"},
      {"f16", "c10::Half"},
      {"f32", "float"},
      {"f64", "double"},
      {"i32", "int"},
      {"i64", "long int"},
      {"i8", "signed char"},
      {"u8", "unsigned char"},
      {"u32", "unsigned int"},
      {"bool", "bool"},
      {"f8z", "c10::Float8_e4m3fnuz"},
      {"f8n", "c10::Float8_e4m3fn"},
      {"f8e5", "c10::Float8_e5m2"},
      {"e8", "c10::Float8_e8m0fnu"},
      {"f4x2", "c10::Float4_e2m1fn_x2"},
      {"scalar", "Scalar"},
      {"odd", "no::such_type"},
      {"", ""},
  };
  std::string dims = "[";
  std::string type_names = "[";
  std::string strides = "[";
  const auto add = [](std::string& list, const std::string& item) { list += (list.size() > 1 ? "," : "") + item; };
  for (const std::string& operand : operands) {
    const std::size_t strides_at = std::min(operand.find('/'), operand.size());
    const std::size_t shape_at = std::min(operand.find_first_of("[("), strides_at);
    std::string shape = operand.substr(shape_at, strides_at - shape_at);
    std::ranges::replace(shape, '(', '[');
    std::ranges::replace(shape, ')', ']');
    add(type_names, '"' + types.at(operand.substr(0, shape_at)) + '"');
    add(dims, shape.empty() ? "[]" : shape);
    add(strides, strides_at < operand.size() ? operand.substr(strides_at + 1) : "null");
  }
  perf_model::Call call = perf_model::read_call(
      name, {.dims = dims + "]", .types = type_names + "]", .strides = strides + "]", .literals = {}});
  if (!literals.empty()) call.literals.resize(literals.rbegin()->first + 1);
  for (const auto& [position, literal] : literals) call.literals[position] = literal;
  return call;
}
}  // namespace kinetoscope
