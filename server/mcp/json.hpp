#pragma once

// JSON as the protocol layer uses it: keys in the order in which they are written, text that is always valid UTF-8.

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace kinetoscope::mcp {

using Json = nlohmann::ordered_json;

/// One line without spaces; bytes that are not UTF-8 become U+FFFD, numbers that are not finite become null.
[[nodiscard]] std::string compact(const Json& value);

/// nullptr where `object` is no object or has no such member. Valid until `object` changes.
[[nodiscard]] const Json* member(const Json& object, std::string_view key);
/// nullptr where there is no such member or it is no string.
[[nodiscard]] const std::string* text_member(const Json& object, std::string_view key);
/// The member, or an empty object where there is no object of that name.
[[nodiscard]] const Json& object_member(const Json& object, std::string_view key);
}  // namespace kinetoscope::mcp
