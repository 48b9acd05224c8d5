#include "server/mcp/protocol.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "server/mcp/protocol_error.hpp"
#include "server/mcp/request_state.hpp"
#include "server/mcp/workers.hpp"
#include "tests/unit/mcp/sample_definition.hpp"

using namespace kinetoscope::mcp;

namespace {

const Json forms = {{"elicitation", Json::object()}};
const Json with_tasks = {{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}},
                         {"elicitation", Json::object()}};

class SilentExchange final : public Exchange {
 public:
  void send(const Json&) override {}
  [[nodiscard]] std::stop_token stop() const override { return {}; }
};

/// A server and a stateless client of it.
class Scene {
 public:
  Scene() : protocol_(definition_, changes_) {}

  [[nodiscard]] Json ask(const Json& request) {
    const Message message = read_message(compact(request));
    SilentExchange exchange;
    try {
      return protocol_.answer(message, protocol_.stateless_caller(message), exchange).value();
    } catch (const ProtocolError& error) {
      return error_message(message.id, error);
    }
  }
  [[nodiscard]] Json call(const char* tool, Json more = Json::object(), const Json& capabilities = Json::object()) {
    more["name"] = tool;
    return ask(stateless_request(1, "tools/call", std::move(more), capabilities));
  }
  [[nodiscard]] Protocol& protocol() { return protocol_; }

 private:
  Definition definition_ = sample_definition();
  Changes changes_;
  Protocol protocol_;
};

int code_of(const Json& answer) { return answer.at("/error/code"_json_pointer).get<int>(); }

TEST_CASE("protocol: a request says its version and the client's capabilities, or is refused in this order") {
  Scene scene;
  Json request = stateless_request(1, "ping");
  CHECK(code_of(scene.ask(request)) == -32601);  // a method of the revisions with a handshake
  request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "v999.0.0";
  CHECK(code_of(scene.ask(request)) == -32022);
  CHECK(scene.ask(request).at("/error/data/requested"_json_pointer) == "v999.0.0");
  request["params"]["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
  CHECK(code_of(scene.ask(request)) == -32602);
  CHECK(code_of(scene.ask(stateless_request(1, "tasks/get", {{"taskId", "x"}}))) == -32021);
  CHECK(code_of(scene.ask(stateless_request(1, "tasks/get", {{"taskId", "x"}}, with_tasks))) == -32602);
}

TEST_CASE("protocol: results say what they are, who made them, and how long they may be kept") {
  Scene scene;
  const Json result = scene.ask(stateless_request("a", "tools/list")).at("result");
  CHECK(result.at("resultType") == "complete");
  CHECK(result.at("ttlMs") == 3'600'000);
  CHECK(result.at("cacheScope") == "public");
  CHECK(result.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name") == "sample");
  CHECK(result.at("tools").size() == 6);
  CHECK_FALSE(scene.call("echo").at("result").contains("ttlMs"));
}

TEST_CASE("protocol: failures have their codes and give nothing of the inside away") {
  Scene scene;
  CHECK(code_of(scene.call("nobody")) == -32602);
  CHECK(code_of(scene.call("echo", {{"arguments", "text"}})) == -32602);
  const Json broken = scene.call("break");
  CHECK(code_of(broken) == -32603);
  CHECK(compact(broken).find("secret") == std::string::npos);
  const Json missing = scene.ask(stateless_request(1, "resources/read", {{"uri", "test://none"}}));
  CHECK(code_of(missing) == -32602);
  CHECK(missing.at("/error/data/uri"_json_pointer) == "test://none");
  CHECK(code_of(scene.ask(stateless_request(1, "tools/list", {{"cursor", "from-x"}}))) == -32602);
  CHECK(code_of(scene.ask(stateless_request(1, "prompts/list"))) == -32601);  // none are offered
}

TEST_CASE("protocol: a client is asked only for what it declares") {
  Scene scene;
  const Json refused = scene.call("greet");
  CHECK(code_of(refused) == -32021);
  CHECK(refused.at("/error/data/requiredCapabilities"_json_pointer) ==
        Json{{"elicitation", {{"form", Json::object()}}}});
}

TEST_CASE("protocol: an answer that is none, or under another name, is asked for again") {
  Scene scene;
  for (const Json& responses :
       {Json{{"user_name", 12345}}, Json{{"other", Json::object()}}, Json{{"user_name", {{"action", "decline"}}}}}) {
    CAPTURE(responses.dump());
    const Json asked = scene.call("greet", {{"inputResponses", responses}}, forms);
    CHECK(asked.at("/result/resultType"_json_pointer) == "input_required");
    CHECK(asked.at("/result/inputRequests"_json_pointer).contains("user_name"));
  }
}

TEST_CASE("protocol: the state that a client carries is refused when it was changed, or belongs to another call") {
  Scene scene;
  const std::string state = scene.call("greet", Json::object(), forms).at("/result/requestState"_json_pointer);
  CHECK(scene.call("greet", {{"requestState", state}}, forms).contains("result"));
  std::string changed = state;
  changed[3] = changed[3] == 'A' ? 'B' : 'A';
  CHECK(code_of(scene.call("greet", {{"requestState", changed}}, forms)) == -32602);
  CHECK(code_of(scene.call("greet", {{"requestState", state}, {"arguments", {{"a", 1}}}}, forms)) == -32602);
  CHECK(code_of(scene.call("echo", {{"requestState", state}}, forms)) == -32602);
  CHECK(code_of(scene.call("greet", {{"requestState", 5}}, forms)) == -32602);
}

TEST_CASE("protocol: the state that a client carries is good for ten minutes") {
  const RequestStates states;
  const Message request = read_message(compact(stateless_request(1, "tools/call", {{"name", "greet"}})));
  const Caller caller;
  const auto now = RequestStates::Clock::now();
  Message again = request;
  again.params["requestState"] = states.sealed({.round = 1, .handler = "kept"}, request, caller, now);
  CHECK(states.opened(again, caller, now + std::chrono::minutes(9)).handler == "kept");
  CHECK_THROWS_AS(static_cast<void>(states.opened(again, caller, now + std::chrono::minutes(11))), ProtocolError);
}

TEST_CASE("protocol: a task asks, is answered, completes, and keeps what it became") {
  Scene scene;
  const Json begun = scene.call("task", Json::object(), with_tasks).at("result");
  CHECK(begun.at("resultType") == "task");
  const Json id = {{"taskId", begun.at("taskId")}};
  const auto task = [&](const char* method, Json params) {
    return scene.ask(stateless_request(1, method, std::move(params), with_tasks)).at("result");
  };
  const auto settled = [&] {  // waits for the worker: a task that works is asked again
    Json state = task("tasks/get", id);
    while (state.at("status") == "working") state = task("tasks/get", id);
    return state;
  };
  CHECK(settled().at("status") == "input_required");
  Json answers = id;
  answers["inputResponses"] = {{"user_name", {{"action", "accept"}, {"content", {{"name", "Ada"}}}}}, {"x", 1}};
  static_cast<void>(task("tasks/update", answers));
  CHECK(settled().at("/result/content/0/text"_json_pointer) == "Hello, Ada!");
  static_cast<void>(task("tasks/cancel", id));
  CHECK(settled().at("status") == "completed");
}

TEST_CASE("protocol: a caller without tasks has the work done at once") {
  Scene scene;
  CHECK(scene.call("task", Json::object(), forms).contains("result"));
}

TEST_CASE("workers: as many run at once as are allowed, and nothing is lost") {
  Workers workers(3);
  std::atomic<int> done = 0;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  for (int number = 0; number < 200; ++number) {
    workers.run([&] {
      most = std::max(most.load(), ++running);
      ++done;
      --running;
    });
  }
  CHECK(workers.wait_until_idle(std::chrono::seconds(60)));
  CHECK(done == 200);
  CHECK(most <= 3);
}
}  // namespace
