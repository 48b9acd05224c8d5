#pragma once

// How many bytes a tensor's element has, by the name that PyTorch gives its type. One table, element_sizes.json.
// Cost: a look-up in a tree of some twenty names; callers ask once a distinct name. The table is read at the first
// call. Threads: safe to call at once.

#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope::names {

/// "BFloat16": 2. Absent for a name that the table does not have.
[[nodiscard]] std::optional<std::int64_t> element_bytes(std::string_view type_name);
}  // namespace kinetoscope::names
