#include "server/mcp/call.hpp"

#include <string>
#include <utility>

#include "server/mcp/message.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr std::size_t most_progress_a_second = 10;

const Json* progress_token(const Json& params) {
  const Json* const token = member(object_member(params, "_meta"), "progressToken");
  return token != nullptr && (token->is_string() || token->is_number_integer()) ? token : nullptr;
}
}  // namespace

void Call::stop_if_asked() const {
  if (stop().stop_requested()) throw Cancelled();
}

bool Call::wants_progress() const { return progress_token(*params_) != nullptr; }

bool Call::may_send_progress_now() {
  const auto now = std::chrono::steady_clock::now();
  if (sent_.size() == most_progress_a_second) {
    if (now - sent_.front() < std::chrono::seconds(1)) return false;
    sent_.pop_front();
  }
  sent_.push_back(now);
  return true;
}

void Call::progress(const Progress& progress) {
  const Json* const token = progress_token(*params_);
  if (token == nullptr || stop().stop_requested()) return;
  if (furthest_ && progress.done <= *furthest_) return;
  if (!may_send_progress_now()) return;
  furthest_ = progress.done;
  Json params = {{"progressToken", *token}, {"progress", progress.done}};
  if (progress.total) params["total"] = *progress.total;
  if (!progress.message.empty()) params["message"] = progress.message;
  exchange_->send(notification_message("notifications/progress", std::move(params)));
}

void Call::log(LogLevel level, std::string_view logger, const Json& data) {
  if (!caller_->log_level || level < *caller_->log_level || stop().stop_requested()) return;
  Json params = {{"level", spelling(level)}};
  if (!logger.empty()) params["logger"] = logger;
  params["data"] = data;
  exchange_->send(notification_message("notifications/message", std::move(params)));
}

bool Call::client_has_extension(std::string_view extension) const {
  return member(object_member(caller_->capabilities, "extensions"), extension) != nullptr;
}

void Call::require(const Json& capabilities) const {
  if (client_has(capabilities)) return;
  throw ProtocolError(code::missing_client_capability, "the client does not declare what this needs",
                      {{"requiredCapabilities", capabilities}});
}

const Json* Call::input(std::string_view key) const {
  const Json* const found = member(inputs_, key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

const Json* Call::filled_form(std::string_view key) const {
  const Json* const answer = input(key);
  if (answer == nullptr) return nullptr;
  const std::string* const action = text_member(*answer, "action");
  const Json* const content = member(*answer, "content");
  return action != nullptr && *action == "accept" && content != nullptr && content->is_object() ? content : nullptr;
}

void Call::set_inputs(Json inputs, Json state) {
  inputs_ = std::move(inputs);
  state_ = std::move(state);
}
}  // namespace kinetoscope::mcp
