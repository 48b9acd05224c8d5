#pragma once

// What a client has to be able to do before it is asked for something, and how questions are written into a result.

#include <vector>

#include "server/mcp/json.hpp"
#include "server/mcp/outcome.hpp"
#include "server/mcp/revision.hpp"

namespace kinetoscope::mcp {

/// ClientCapabilities that cover this request.
[[nodiscard]] Json capabilities_needed(const InputRequest& request);
/// Those that a client with these capabilities can answer. Throws ProtocolError missing_client_capability where there
/// are some, and it can answer none.
[[nodiscard]] std::vector<InputRequest> answerable(const std::vector<InputRequest>& requests,
                                                   const Json& client_capabilities);
/// Key to method and params.
[[nodiscard]] Json input_requests_json(const std::vector<InputRequest>& requests);
/// A form says that it is one since revisions have had other modes.
[[nodiscard]] InputRequest in_words_of(Revision revision, InputRequest request);
/// `answers` with those of `more` that are objects.
void merge_answers(Json& answers, const Json& more);
}  // namespace kinetoscope::mcp
