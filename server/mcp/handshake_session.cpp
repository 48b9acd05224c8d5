#include "server/mcp/handshake_session.hpp"

#include <utility>

#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {
namespace {

Revision agreed_revision(const Json& initialize_params) {
  const std::string* const asked = text_member(initialize_params, "protocolVersion");
  return negotiated(asked == nullptr ? "" : *asked);
}

/// A handshake is a wish to hear of every list.
ChangeFilter all_lists() { return {.tools = true, .prompts = true, .resources = true}; }
}  // namespace

HandshakeSession::HandshakeSession(const Json& initialize_params, Changes& changes, Changes::Tell tell)
    : revision_(agreed_revision(initialize_params)),
      capabilities_(object_member(initialize_params, "capabilities")),
      listener_(changes.listen(all_lists(), std::move(tell))) {}

Caller HandshakeSession::caller() {
  const std::lock_guard lock(mutex_);
  return {.revision = revision_,
          .capabilities = capabilities_,
          .log_level = log_level_,
          .session = shared_from_this(),
          .principal = {}};
}

void HandshakeSession::set_log_level(LogLevel level) {
  const std::lock_guard lock(mutex_);
  log_level_ = level;
}

void HandshakeSession::subscribe(const std::string& uri) {
  {
    const std::lock_guard lock(mutex_);
    if (subscriptions_ == most_subscriptions) {
      throw ProtocolError(code::invalid_params, "too many subscriptions: end some first");
    }
    ++subscriptions_;
  }
  listener_->subscribe(uri);
}

void HandshakeSession::unsubscribe(const std::string& uri) {
  listener_->unsubscribe(uri);
  const std::lock_guard lock(mutex_);
  if (subscriptions_ > 0) --subscriptions_;
}

Json HandshakeSession::ask(const InputRequest& request, Exchange& exchange) {
  Json id;
  std::string key;
  {
    const std::lock_guard lock(mutex_);
    id = "question-" + std::to_string(++questions_);
    key = id_key(id);
    awaited_.emplace(key, std::nullopt);
  }
  exchange.send(request_message(id, request.method, request.params));
  std::unique_lock lock(mutex_);
  const bool is_answered =
      answered_.wait_for(lock, exchange.stop(), longest_wait, [&] { return awaited_.at(key).has_value(); });
  Json answer = is_answered ? std::move(*awaited_.at(key)) : Json(nullptr);
  awaited_.erase(key);
  if (!is_answered && exchange.stop().stop_requested()) throw Cancelled();
  return answer;
}

void HandshakeSession::take(const Message& response) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = awaited_.find(id_key(response.id));
    if (found == awaited_.end()) return;
    found->second = response.result;
  }
  answered_.notify_all();
}
}  // namespace kinetoscope::mcp
