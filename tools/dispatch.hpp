#pragma once

// A call of a tool from its arguments to its answer. Whatever an asker can mend is an answer, too: one that says so.

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tools/json.hpp"
#include "tools/tool.hpp"

namespace kinetoscope::tools {

/// Longer answers would be cut by the clients; they are refused, with what to ask instead (decision 14).
inline constexpr std::size_t most_answer_bytes = 45'000;

struct ToolAnswer {
  bool is_error = false;
  Json structured;     ///< fits the tool's output schema, or is {"error": ...}
  std::string text{};  ///< the same on one line; of an error, its sentence
  std::vector<ResourceLink> links{};
};

/// The answer of a tool that does not fail. Numbers that are not whole have six significant digits. Throws Error.
[[nodiscard]] ToolAnswer answer_of(const Tool& tool, const Json& arguments, const ToolContext& context);
/// The same; but only Error interrupted is thrown, every other failure is an answer.
[[nodiscard]] ToolAnswer call_tool(const Tool& tool, const Json& arguments, const ToolContext& context);
[[nodiscard]] ToolAnswer error_answer(const Error& error, bool is_redacted);
}  // namespace kinetoscope::tools
