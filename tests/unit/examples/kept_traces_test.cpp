#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "examples/generator/catalogue.hpp"
#include "examples/generator/compression.hpp"

namespace kinetoscope::examples {

// The tests run in the repository's root.
TEST_CASE("kept traces: the files under examples/traces are what the generator makes now, and small") {
  for (const KeptTrace& kept : kept_traces()) {
    const std::filesystem::path path = std::filesystem::path("examples/traces") / kept.file;
    CAPTURE(path.string());
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    CHECK(bytes.size() < 300'000);
    CHECK(bytes.substr(4, 4) == std::string(4, '\0'));  // gzip's time
    const bool is_current = gunzip(bytes) == kept.make().text;
    CHECK(is_current);  // else: make-trace kept -o examples/traces
  }
}
}  // namespace kinetoscope::examples
