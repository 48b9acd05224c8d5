#include "server/cli/platforms.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

namespace kinetoscope {

TEST_CASE("platforms: the command prints the table as text, or every figure as JSON") {
  const ProgramRun text = run_program({"platforms"});
  CHECK(text.status == 0);
  CHECK(text.errors.empty());
  CHECK(text.output.find("\n  MI300X ") != std::string::npos);

  const ProgramRun json = run_program({"platforms", "--json"});
  CHECK(json.status == 0);
  const auto document = nlohmann::json::parse(json.output);
  CHECK(document.at("schema") == "kinetoscope.platforms.1");
  CHECK(document.at("platforms").size() == 31);

  CHECK(run_program({"platforms", "MI300X"}).status == 2);
}
}  // namespace kinetoscope
