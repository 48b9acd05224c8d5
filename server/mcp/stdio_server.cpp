#include "server/mcp/stdio_server.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "server/mcp/calls_in_flight.hpp"
#include "server/mcp/line_reader.hpp"
#include "server/mcp/line_writer.hpp"
#include "server/mcp/protocol_error.hpp"
#include "server/mcp/workers.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr std::size_t most_calls_at_once = 16;
constexpr std::chrono::milliseconds patience_with_work(400);  ///< after the input's end, before it is cancelled
constexpr std::chrono::milliseconds patience_with_cancelled(300);

/// One call's way back: the line writer, until the call is cancelled.
class LineExchange final : public Exchange {
 public:
  LineExchange(LineWriter& writer, std::stop_token stop) : writer_(&writer), stop_(std::move(stop)) {}
  void send(const Json& message) override {
    if (!stop_.stop_requested()) writer_->write(message);
  }
  [[nodiscard]] std::stop_token stop() const override { return stop_; }

 private:
  LineWriter* writer_;
  std::stop_token stop_;
};

class StdioConnection {
 public:
  StdioConnection(Protocol& protocol, const StdioOptions& options)
      : protocol_(&protocol),
        stop_(options.stop),
        reading_ends_(reading_stop_.get_token()),
        writing_ends_(writing_stop_.get_token()),
        stops_reading_(options.stop, [this] { reading_stop_.request_stop(); }),
        reader_(options.input, options.longest_line_bytes, reading_ends_),
        writer_(options.output, writing_ends_, [this] { reading_stop_.request_stop(); }),
        workers_(most_calls_at_once) {}

  void serve();
  [[nodiscard]] bool end();

 private:
  void take(const Message& message);
  void take_request(const Message& request);
  void take_notification(const Message& notification);
  void open_session(const Message& request);
  void listen(const Message& request);
  void run(const Message& request, Caller caller);
  void refuse(const Json& id, const ProtocolError& error) { writer_.write(error_message(id, error)); }
  [[nodiscard]] Caller caller_of(const Message& request) const;

  Protocol* protocol_;
  std::stop_token stop_;
  std::stop_source reading_stop_;
  std::stop_source writing_stop_;
  WakeUp reading_ends_;
  WakeUp writing_ends_;
  std::stop_callback<std::function<void()>> stops_reading_;
  LineReader reader_;
  LineWriter writer_;
  CallsInFlight calls_;
  std::shared_ptr<HandshakeSession> session_;  ///< of the reading thread; calls keep theirs
  std::map<std::string, std::pair<Message, std::shared_ptr<Changes::Listener>>> listening_;  ///< by id_key
  Workers workers_;  // last: its threads use the others
};

void StdioConnection::serve() {
  while (!reading_stop_.stop_requested()) {
    const Line line = reader_.next();
    if (line.kind == LineKind::end) return;
    try {
      if (line.kind == LineKind::too_long) throw MessageError(code::invalid_request, "the message is too long");
      take(read_message(line.text));
    } catch (const MessageError& error) {
      refuse(error.id(), error);
    }
  }
}

bool StdioConnection::end() {
  const bool has_input_ended = !reading_stop_.stop_requested();
  if (has_input_ended) static_cast<void>(workers_.wait_until_idle(patience_with_work));
  calls_.cancel_all();
  const bool is_idle = workers_.wait_until_idle(patience_with_cancelled);
  const bool has_no_tasks = protocol_->end_tasks(patience_with_cancelled);
  for (const auto& [key, listening] : listening_) writer_.write(protocol_->listening_ended(listening.first));
  writing_stop_.request_stop();
  return is_idle && has_no_tasks;
}

void StdioConnection::take(const Message& message) {
  switch (message.kind) {
    case MessageKind::request: try { take_request(message);
      } catch (const ProtocolError& error) {
        refuse(message.id, error);
      }
      return;
    case MessageKind::notification: return take_notification(message);
    case MessageKind::response:
      if (session_) session_->take(message);
      return;
  }
}

void StdioConnection::take_request(const Message& request) {
  const bool is_self_described = describes_itself(request.params) || request.method == "server/discover";
  if (!is_self_described && request.method == "initialize") return open_session(request);
  if (!is_self_described && request.method == "ping") {
    return writer_.write(result_message(request.id, Json::object()));
  }
  Caller caller = caller_of(request);
  if (is_stateless(caller.revision) && request.method == listen_method) return listen(request);
  run(request, std::move(caller));
}

Caller StdioConnection::caller_of(const Message& request) const {
  if (describes_itself(request.params) || request.method == "server/discover") {
    return protocol_->stateless_caller(request);
  }
  if (session_) return session_->caller();
  throw ProtocolError(code::invalid_params,
                      "params._meta names no protocol version: name one there, or call initialize first");
}

void StdioConnection::open_session(const Message& request) {
  session_ = protocol_->open_session(request, [this](const std::string& method, const Json& params) {
    writer_.write(notification_message(method, params));
  });
  writer_.write(protocol_->initialized(request, *session_));
}

void StdioConnection::listen(const Message& request) {
  const std::string key = id_key(request.id);
  if (!calls_.begin(request.id)) throw ProtocolError(code::invalid_request, "a request with this id is in flight");
  try {
    listening_[key] = {request, protocol_->listen(request, [this](const Json& message) { writer_.write(message); })};
  } catch (const ProtocolError&) {
    static_cast<void>(calls_.end(request.id));
    throw;
  }
}

void StdioConnection::run(const Message& request, Caller caller) {
  std::optional<std::stop_token> stop = calls_.begin(request.id);
  if (!stop) throw ProtocolError(code::invalid_request, "a request with this id is in flight");
  workers_.run([this, request, caller = std::move(caller), stop = std::move(*stop)] {
    LineExchange exchange(writer_, stop);
    const std::optional<Json> answer = protocol_->answer(request, caller, exchange);
    const bool is_wanted = calls_.end(request.id);
    if (answer && is_wanted) writer_.write(*answer);
  });
}

void StdioConnection::take_notification(const Message& notification) {
  if (notification.method != "notifications/cancelled") return;
  const Json* const id = member(notification.params, "requestId");
  if (id == nullptr) return;
  calls_.cancel(*id);
  if (listening_.erase(id_key(*id)) > 0) static_cast<void>(calls_.end(*id));
}
}  // namespace

bool serve_stdio(Protocol& protocol, const StdioOptions& options) {
  // Where work does not end, neither may what it uses: the caller ends the process.
  auto connection = std::make_unique<StdioConnection>(protocol, options);
  connection->serve();
  const bool has_ended = connection->end();
  if (!has_ended) static_cast<void>(connection.release());
  return has_ended;
}
}  // namespace kinetoscope::mcp
