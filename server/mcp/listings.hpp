#pragma once

// The answers that a definition gives by itself: what the server is and can do, and its lists.

#include "server/mcp/definition.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/revision.hpp"

namespace kinetoscope::mcp {

/// What the server can do, in the words of that revision. Only what its handlers really answer.
[[nodiscard]] Json server_capabilities(const Definition& definition, Revision revision);
/// Of server/discover.
[[nodiscard]] Json discover_result(const Definition& definition);
/// Of initialize.
[[nodiscard]] Json initialize_result(const Definition& definition, Revision agreed);

[[nodiscard]] Json tools_list(const Definition& definition);
[[nodiscard]] Json prompts_list(const Definition& definition);

/// `all` under the member `name`, cut to a page: from the cursor in `params` on, with `nextCursor` where more follow.
/// Throws ProtocolError invalid_params for a cursor that this server did not give.
[[nodiscard]] Json page_of(const char* name, const Json& all, const Json& params);
}  // namespace kinetoscope::mcp
