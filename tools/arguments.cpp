#include "tools/arguments.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "tools/closest_name.hpp"
#include "tools/schema_validator.hpp"

namespace kinetoscope::tools {
namespace {

std::string type_of(const Json& schema) { return schema.value("type", std::string()); }

bool has_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer() || (value.is_number() && value == value.get<std::int64_t>());
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return value.is_string();
}

/// A text that holds a value of the type that is asked for becomes that value.
Json as_meant(const Json& value, const Json& schema) {
  const std::string type = type_of(schema);
  if (!value.is_string() || type.empty() || type == "string") return value;
  const Json read = Json::parse(value.get_ref<const std::string&>(), nullptr, false);
  return !read.is_discarded() && has_type(read, type) ? read : value;
}

[[noreturn]] void refuse_argument(const std::string& name, const Json& received, std::string problem,
                                  std::string accepted) {
  throw Error({.code = ErrorCode::argument_invalid,
               .argument = name,
               .received = received.is_string() ? received.get<std::string>() : report::one_line(received),
               .problem = std::move(problem),
               .accepted = std::move(accepted),
               .next = "call it again with that"});
}

[[noreturn]] void refuse_name(const std::string& name, const Json& properties) {
  std::vector<std::string> known;
  std::string all;
  for (const auto& [property, schema] : properties.items()) {
    known.push_back(property);
    all += (all.empty() ? "" : ", ") + property;
  }
  const std::string closest = closest_name(name, known);
  throw Error({.code = ErrorCode::argument_invalid,
               .argument = name,
               .problem = "there is no such argument",
               .accepted = closest.empty() ? "there are " + all : "did you mean " + closest + "? there are " + all,
               .next = "call it again with that"});
}

std::string bounds(const Json& schema, const char* least, const char* most) {
  const bool has_least = schema.contains(least);
  const bool has_most = schema.contains(most);
  if (has_least && has_most) return fmt::format(" from {} to {}", schema[least].dump(), schema[most].dump());
  if (has_least) return fmt::format(" of at least {}", schema[least].dump());
  return has_most ? fmt::format(" of at most {}", schema[most].dump()) : "";
}
}  // namespace

std::string accepted_values(const Json& schema) {
  if (const auto choices = schema.find("enum"); choices != schema.end()) {
    std::string text;
    for (const Json& choice : *choices) text += (text.empty() ? "" : ", ") + choice.get<std::string>();
    return "one of " + text;
  }
  const std::string type = type_of(schema);
  if (type == "integer") return "an integer" + bounds(schema, "minimum", "maximum");
  if (type == "number") return "a number" + bounds(schema, "minimum", "maximum");
  if (type == "boolean") return "true or false";
  if (type == "array") return "an array, each element " + accepted_values(schema.at("items"));
  if (type == "object") return "an object";
  return schema.contains("maxLength") ? fmt::format("a text of at most {} characters", schema["maxLength"].dump())
                                      : "a text";
}

Json checked_arguments(const Tool& tool, const Json& given) {
  const Json& properties = tool.input_schema.at("properties");
  Json arguments = Json::object();
  for (const auto& [name, value] : given.items()) {
    const auto property = properties.find(name);
    if (property == properties.end()) refuse_name(name, properties);
    if (!value.is_null()) arguments[name] = as_meant(value, *property);
  }
  for (const auto& [name, schema] : properties.items()) {
    if (!arguments.contains(name) && schema.contains("default")) arguments[name] = schema["default"];
  }
  for (const Json& required : tool.input_schema.value("required", Json::array())) {
    const auto& name = required.get_ref<const std::string&>();
    if (!arguments.contains(name)) {
      throw Error({.code = ErrorCode::argument_invalid,
                   .argument = name,
                   .problem = "the argument is missing",
                   .accepted = "it is " + accepted_values(properties.at(name)),
                   .next = "call it again with that"});
    }
  }
  for (const auto& [name, value] : arguments.items()) {
    if (schema_problem(properties.at(name), value).empty()) continue;
    refuse_argument(name, value, "the value does not fit", "it is " + accepted_values(properties.at(name)));
  }
  return arguments;
}
}  // namespace kinetoscope::tools
