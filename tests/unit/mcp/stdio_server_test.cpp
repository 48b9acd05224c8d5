#include "server/mcp/stdio_server.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/unit/mcp/sample_definition.hpp"
#include "tests/unit/mcp/stdio_session.hpp"

using namespace kinetoscope::mcp;

namespace {

const Json::json_pointer error_code("/error/code");

TEST_CASE("stdio: both kinds of revisions are served in any mixture") {
  const Definition definition = sample_definition();
  StdioSession session(definition);
  const Json discovered = session.ask(stateless_request("probe", "server/discover"));
  CHECK(discovered.at("id") == "probe");
  CHECK(discovered.at("/result/resultType"_json_pointer) == "complete");
  const Json opened = session.ask(initialize_request(0, "2025-06-18"));
  CHECK(opened.at("/result/protocolVersion"_json_pointer) == "2025-06-18");
  CHECK_FALSE(opened.at("result").contains("resultType"));
  const Json stateless = session.ask(stateless_request(1, "tools/call", {{"name", "echo"}}));
  CHECK(stateless.at("/result/resultType"_json_pointer) == "complete");
  const Json plain = session.ask(plain_request(2, "tools/call", {{"name", "echo"}, {"arguments", {{"a", 1}}}}));
  CHECK(plain.at("/result/content/0/text"_json_pointer) == R"({"a":1})");
  CHECK_FALSE(plain.at("result").contains("resultType"));
  CHECK(session.end());
}

TEST_CASE("stdio: before a handshake only ping, initialize and requests that describe themselves are answered") {
  const Definition definition = sample_definition();
  StdioSession session(definition);
  CHECK(session.ask(plain_request(1, "ping")).at("result") == Json::object());
  CHECK(session.ask(plain_request(2, "tools/list")).at(error_code) == -32602);
  CHECK(session.ask(plain_request(3, "server/discover")).at(error_code) == -32602);
  CHECK(session.end());
}

TEST_CASE("stdio: what is no message is refused, and reading goes on") {
  const Definition definition = sample_definition();
  StdioSession session(definition, 1000);
  const auto refusal = [&](const std::string& line) {
    session.write(line + "\n");
    return session.next();
  };
  CHECK(refusal("{").at(error_code) == -32700);
  CHECK_FALSE(refusal("{").contains("id"));
  CHECK(refusal("[]").at(error_code) == -32600);
  CHECK(refusal("\xff").at(error_code) == -32700);
  CHECK(refusal(std::string(300, '[') + std::string(300, ']')).at(error_code) == -32600);
  CHECK(refusal(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})").at(error_code) == -32600);
  CHECK(refusal(R"({"jsonrpc":"2.0","id":7,"method":3})").at("id") == 7);
  CHECK(refusal(std::string(5000, 'x')).at(error_code) == -32600);
  session.write("\r\n\n");
  CHECK(refusal(compact(plain_request(18446744073709551615U, "ping")) + "\r").at("id") == 18446744073709551615U);
  CHECK(session.end());
}

TEST_CASE("stdio: a cancelled call is not answered, and nothing is sent for it any more") {
  const Definition definition = sample_definition();
  StdioSession session(definition);
  const Json begun =
      session.ask(stateless_request(1, "tools/call", {{"name", "wait"}, {"_meta", {{"progressToken", "token"}}}}));
  CHECK(begun.at("method") == "notifications/progress");
  CHECK(begun.at("/params/progressToken"_json_pointer) == "token");
  CHECK(session.ask(stateless_request(1, "server/discover")).at(error_code) == -32600);  // the id is in flight
  session.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
  CHECK(session.ask(stateless_request(2, "server/discover")).at("id") == 2);
  CHECK(session.end());
  CHECK(session.next().is_null());
}

TEST_CASE("stdio: the end of the input, a stop and a reader that leaves end the serving, whatever runs") {
  const Definition definition = sample_definition();
  const Json waiting = stateless_request(1, "tools/call", {{"name", "wait"}, {"_meta", {{"progressToken", 1}}}});
  SUBCASE("end of input") {
    StdioSession session(definition);
    CHECK(session.ask(waiting).at("method") == "notifications/progress");
    CHECK(session.end());
  }
  SUBCASE("stop") {
    StdioSession session(definition);
    CHECK(session.ask(waiting).at("method") == "notifications/progress");
    session.stop();
    CHECK(session.wait());
  }
  SUBCASE("the reader leaves") {
    StdioSession session(definition);
    CHECK(session.ask(waiting).at("method") == "notifications/progress");
    session.leave();
    session.send(plain_request(2, "ping"));
    CHECK(session.wait());
  }
}

TEST_CASE("stdio: what was asked before the end of the input is still answered") {
  const Definition definition = sample_definition();
  StdioSession session(definition);
  session.write(compact(stateless_request(1, "tools/call", {{"name", "echo"}})));  // without a line end
  CHECK(session.end());
  CHECK(session.next().at("id") == 1);
}

TEST_CASE("stdio: a handler's need becomes a question of the server in a session, and a result without one") {
  const Definition definition = sample_definition();
  StdioSession session(definition);
  const Json forms = {{"elicitation", Json::object()}};
  static_cast<void>(session.ask(initialize_request(0, "2025-11-25", forms)));
  const Json question = session.ask(plain_request(1, "tools/call", {{"name", "greet"}}));
  CHECK(question.at("method") == "elicitation/create");
  CHECK(question.at("/params/mode"_json_pointer) == "form");
  const Json accepted = {{"action", "accept"}, {"content", {{"name", "Ada"}}}};
  const Json answered = session.ask({{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", accepted}});
  CHECK(answered.at("/result/content/0/text"_json_pointer) == "Hello, Ada!");

  const Json asked = session.ask(stateless_request(2, "tools/call", {{"name", "greet"}}, forms)).at("result");
  CHECK(asked.at("resultType") == "input_required");
  CHECK(asked.at("/inputRequests/user_name/method"_json_pointer) == "elicitation/create");
  const Json again = {
      {"name", "greet"}, {"inputResponses", {{"user_name", accepted}}}, {"requestState", asked.at("requestState")}};
  CHECK(session.ask(stateless_request(3, "tools/call", again, forms)).at("/result/content/0/text"_json_pointer) ==
        "Hello, Ada!");
  CHECK(session.end());
}

TEST_CASE("stdio: a listener is acknowledged, hears what it asked for, and is told the end") {
  const Definition definition = sample_definition();
  StdioSession session(definition);
  const Json acknowledged =
      session.ask(stateless_request("listen:0", "subscriptions/listen",
                                    {{"notifications", {{"toolsListChanged", true}, {"promptsListChanged", true}}}}));
  CHECK(acknowledged.at("method") == "notifications/subscriptions/acknowledged");
  CHECK(acknowledged.at("/params/notifications"_json_pointer) == Json{{"toolsListChanged", true}});
  const Json changed = session.ask(stateless_request(1, "tools/call", {{"name", "change"}}));
  CHECK(changed.at("method") == "notifications/tools/list_changed");
  CHECK(changed.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == "listen:0");
  CHECK(session.next().at("id") == 1);
  CHECK(session.end());
  CHECK(session.next().at("id") == "listen:0");
  CHECK(session.next().is_null());
}
}  // namespace
