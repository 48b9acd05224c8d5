#include "core/perf_model/estimate.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/base/python_literal.hpp"

namespace kinetoscope::perf_model {
namespace {

struct ParameterPrinter {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return python_number(value); }
  std::string operator()(const std::string& value) const { return python_string(value); }
  std::string operator()(const PythonText& value) const { return value.text; }
};
}  // namespace

void Estimate::add_parameter(std::string_view name, ParameterValue value) {
  parameters.push_back({name, std::move(value)});
}

ParameterValue count_parameter(double count) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  if (count <= largest_exact) return static_cast<std::int64_t>(count);
  return count;
}

std::string printed(const ParameterValue& value) { return std::visit(ParameterPrinter(), value); }

std::string printed(const std::vector<Parameter>& parameters) {
  std::string out = "{";
  for (const Parameter& parameter : parameters) {
    if (out.size() > 1) out += ", ";
    out += python_string(parameter.name) + ": " + printed(parameter.value);
  }
  return out + "}";
}

PythonText printed_tuple(const std::vector<std::int64_t>& numbers) {
  return {fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "")};
}

ParameterValue printed_or_none(const std::optional<std::vector<std::int64_t>>& numbers) {
  return numbers ? ParameterValue(printed_tuple(*numbers)) : ParameterValue();
}

PythonText printed_tuple_of_texts(const std::vector<std::string>& texts) {
  std::string out = "(";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ", ";
    out += python_string(text);
  }
  return {out + (texts.size() == 1 ? ",)" : ")")};
}
}  // namespace kinetoscope::perf_model
