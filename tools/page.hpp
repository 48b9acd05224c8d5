#pragma once

// Pages of a ranked list: where the next one begins is an opaque text, and every page says what it left out.

#include <cstddef>
#include <string>

#include "tools/json.hpp"

namespace kinetoscope::tools {

/// The first row of the page that a cursor asks for; 0 for an empty one. Throws Error argument_invalid for a text that
/// next_cursor() did not make.
[[nodiscard]] std::size_t first_row(const std::string& cursor);

/// Adds `truncated` and `next_cursor` for `returned` rows from `first` on out of `total`.
void say_what_follows(Json& result, std::size_t first, std::size_t returned, std::size_t total);
}  // namespace kinetoscope::tools
