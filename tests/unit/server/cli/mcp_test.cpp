#include "server/cli/mcp.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "tests/support/program.hpp"

namespace kinetoscope {

TEST_CASE("mcp: a server whose standard input has ended ends without a word") {
  const ProgramRun run = run_program({"mcp"});
  CHECK(run.status == 0);
  CHECK(run.output.empty());
  CHECK(run.errors.empty());
}

TEST_CASE("mcp: a server that is told to end has not failed") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    std::array<int, 2> input{};
    REQUIRE(::pipe2(input.data(), O_CLOEXEC) == 0);
    RunningProgram server({"mcp"}, input[0]);
    server.wait_for_second_thread();
    server.send(signal);
    CHECK(server.wait() == 0);
    ::close(input[0]);
    ::close(input[1]);
  }
}

TEST_CASE("call: a tool that is not there is named with what is near") {
  const ProgramRun run = run_program({"call", "overviw"});
  CHECK(run.status == 2);
  CHECK(run.errors.find("did you mean overview?") != std::string::npos);
}
}  // namespace kinetoscope
