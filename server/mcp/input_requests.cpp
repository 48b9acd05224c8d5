#include "server/mcp/input_requests.hpp"

#include "server/mcp/caller.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {

Json capabilities_needed(const InputRequest& request) {
  if (request.method == "roots/list") return {{"roots", Json::object()}};
  if (request.method == "sampling/createMessage") return {{"sampling", Json::object()}};
  const std::string* const mode = text_member(request.params, "mode");
  return {{"elicitation", {{mode == nullptr ? "form" : *mode, Json::object()}}}};
}

std::vector<InputRequest> answerable(const std::vector<InputRequest>& requests, const Json& client_capabilities) {
  std::vector<InputRequest> kept;
  Json missing = Json::object();
  for (const InputRequest& request : requests) {
    const Json needed = capabilities_needed(request);
    if (declares(client_capabilities, needed)) {
      kept.push_back(request);
    } else {
      missing.merge_patch(needed);
    }
  }
  if (kept.empty() && !requests.empty()) {
    throw ProtocolError(code::missing_client_capability, "the client does not declare what this needs",
                        {{"requiredCapabilities", missing}});
  }
  return kept;
}

Json input_requests_json(const std::vector<InputRequest>& requests) {
  Json all = Json::object();
  for (const InputRequest& request : requests) {
    all[request.key] = {{"method", request.method}, {"params", request.params}};
  }
  return all;
}

InputRequest in_words_of(Revision revision, InputRequest request) {
  const bool is_form = request.method == "elicitation/create" && !request.params.contains("mode");
  if (is_form && revision >= Revision::v2025_11_25) request.params["mode"] = "form";
  return request;
}

void merge_answers(Json& answers, const Json& more) {
  if (!more.is_object()) return;
  for (const auto& [key, value] : more.items()) {
    if (value.is_object()) answers[key] = value;
  }
}
}  // namespace kinetoscope::mcp
