#include "core/perf_model/call.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace kinetoscope::perf_model {
namespace {

using ArgumentsJson = nlohmann::json;

ArgumentsJson list_in(std::string_view text) {
  ArgumentsJson parsed = ArgumentsJson::parse(text, nullptr, false);
  return parsed.is_array() ? parsed : ArgumentsJson::array();
}

/// Absent unless all of the list are whole numbers.
std::optional<Shape> shape_in(const ArgumentsJson& list) {
  if (!list.is_array()) return {};
  Shape shape;
  shape.reserve(list.size());
  for (const ArgumentsJson& number : list) {
    if (!number.is_number_integer()) return {};
    const bool is_too_large = number.is_number_unsigned() && number.get<std::uint64_t>() > INT64_MAX;
    if (is_too_large) return {};
    shape.push_back(number.get<std::int64_t>());
  }
  return shape;
}

void read_dims(Operand& operand, const ArgumentsJson& dims) {
  if (!dims.is_array()) return;
  if (dims.empty() || !dims.front().is_array()) {
    operand.dims = shape_in(dims).value_or(Shape());
    return;
  }
  operand.items.reserve(dims.size());
  for (const ArgumentsJson& item : dims) operand.items.push_back(shape_in(item).value_or(Shape()));
}

/// A literal is text in what profilers write; numbers and truths are taken, too.
std::string literal_in(const ArgumentsJson& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return json.get<bool>() ? "True" : "False";
  return json.is_null() ? std::string() : json.dump();
}
}  // namespace

Call read_call(std::string_view name, const CallTexts& texts) {
  Call call;
  call.name = name;
  const ArgumentsJson dims = list_in(texts.dims);
  const ArgumentsJson types = list_in(texts.types);
  const ArgumentsJson strides = list_in(texts.strides);
  const ArgumentsJson literals = list_in(texts.literals);
  call.operands.resize(std::max(dims.size(), types.size()));
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    Operand& operand = call.operands[i];
    if (i < dims.size()) read_dims(operand, dims[i]);
    if (i < types.size() && types[i].is_string()) operand.type = types[i].get<std::string>();
    if (i >= strides.size()) continue;
    std::optional<Shape> found = shape_in(strides[i]);
    if (found && found->size() == operand.dims.size()) operand.strides = std::move(found);
  }
  call.literals.reserve(literals.size());
  for (const ArgumentsJson& literal : literals) call.literals.push_back(literal_in(literal));
  return call;
}

double elements_of(const Shape& dims) noexcept {
  double product = 1;
  for (const std::int64_t size : dims) product *= static_cast<double>(size);
  return product;
}

double stored_elements_of(const Operand& operand) noexcept {
  if (!operand.strides) return elements_of(operand.dims);
  double product = 1;
  for (std::size_t i = 0; i < operand.dims.size(); ++i) {
    const bool repeats = (*operand.strides)[i] == 0 && operand.dims[i] > 0;
    if (!repeats) product *= static_cast<double>(operand.dims[i]);
  }
  return product;
}

bool is_contiguous(const Operand& operand) noexcept {
  if (!operand.strides) return true;
  double expected = 1;
  for (std::size_t i = operand.dims.size(); i-- > 0;) {
    if (operand.dims[i] != 1 && static_cast<double>((*operand.strides)[i]) != expected) return false;
    expected *= static_cast<double>(operand.dims[i]);
  }
  return true;
}

std::optional<Shape> broadcast_shape(const Shape& left, const Shape& right) {
  const Shape& longer = left.size() >= right.size() ? left : right;
  const Shape& shorter = left.size() >= right.size() ? right : left;
  Shape out = longer;
  const std::size_t skipped = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = out[skipped + i];
    if (size == shorter[i] || shorter[i] == 1) continue;
    if (size != 1) return {};
    size = shorter[i];
  }
  return out;
}
}  // namespace kinetoscope::perf_model
