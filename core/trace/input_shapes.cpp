#include "core/trace/input_shapes.hpp"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

namespace kinetoscope {
namespace {

using nlohmann::json;

json parsed_shapes(std::string_view text) { return json::parse(text.begin(), text.end(), nullptr, false); }

std::optional<TensorShape> shape_of(const json& value) {
  if (!value.is_array()) return {};
  TensorShape shape;
  for (const json& dimension : value) {
    if (!dimension.is_number_integer()) return {};
    shape.push_back(dimension.get<std::int64_t>());
  }
  return shape;
}

InputShape input_shape(const json& dims, std::string type) {
  InputShape out;
  out.type = std::move(type);
  const bool is_list = out.type == "TensorList" || out.type == "OptionalTensorList";
  if (!dims.is_array()) return out;
  if (is_list && dims.empty()) return out;
  if (!is_list && std::ranges::none_of(dims, [](const json& entry) { return entry.is_array(); })) {
    const std::optional<TensorShape> shape = shape_of(dims);
    if (!shape) return out;
    out.form = InputShape::Form::tensor;
    out.dims = *shape;
    return out;
  }
  for (const json& member : dims) {
    const std::optional<TensorShape> shape = shape_of(member);
    if (!shape) {
      out.members.clear();
      return out;
    }
    out.members.push_back(*shape);
  }
  out.form = InputShape::Form::tensor_list;
  return out;
}
}  // namespace

std::vector<InputShape> parse_input_shapes(std::string_view dims, std::string_view types) {
  const json all_dims = parsed_shapes(dims);
  const json all_types = parsed_shapes(types);
  const std::size_t dims_count = all_dims.is_array() ? all_dims.size() : 0;
  const std::size_t types_count = all_types.is_array() ? all_types.size() : 0;
  std::vector<InputShape> out;
  for (std::size_t i = 0; i < std::max(dims_count, types_count); ++i) {
    const bool has_type = i < types_count && all_types[i].is_string();
    std::string type = has_type ? all_types[i].get<std::string>() : std::string();
    out.push_back(input_shape(i < dims_count ? all_dims[i] : json(), std::move(type)));
  }
  return out;
}

bool has_unknown_lists(std::string_view dims, std::string_view types) {
  if (types.find("TensorList") == std::string_view::npos) return false;
  const std::vector<InputShape> inputs = parse_input_shapes(dims, types);
  return std::ranges::any_of(inputs, [](const InputShape& input) {
    return input.form == InputShape::Form::unknown && input.type.ends_with("TensorList");
  });
}
}  // namespace kinetoscope
