#include "tools/page.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include "core/base/error.hpp"

namespace kinetoscope::tools {
namespace {

constexpr std::string_view cursor_start = "row-";
}  // namespace

std::size_t first_row(const std::string& cursor) {
  if (cursor.empty()) return 0;
  std::size_t row = 0;
  const char* const end = cursor.data() + cursor.size();
  if (cursor.starts_with(cursor_start)) {
    const auto [stopped, failure] = std::from_chars(cursor.data() + cursor_start.size(), end, row);
    if (failure == std::errc() && stopped == end) return row;
  }
  throw Error({.code = ErrorCode::argument_invalid,
               .argument = "cursor",
               .received = cursor,
               .problem = "this is no cursor of an earlier answer",
               .accepted = "it is the next_cursor of one, as it came",
               .next = "call it again without a cursor for the first page"});
}

void say_what_follows(Json& result, std::size_t first, std::size_t returned, std::size_t total) {
  const std::size_t end = first + returned;
  result["truncated"] = end < total;
  result["next_cursor"] = end < total ? Json(std::string(cursor_start) + std::to_string(end)) : Json(nullptr);
}
}  // namespace kinetoscope::tools
