#include "tests/support/shared_files.hpp"

#include <algorithm>
#include <cstdlib>

#include <doctest/doctest.h>

#include "core/io/open_input.hpp"
#include "core/trace/importers/kineto.hpp"

namespace kinetoscope {
namespace {

std::filesystem::path shared_folder() {
  const char* const variable = std::getenv("KINETOSCOPE_SHARED");
  return variable != nullptr ? std::filesystem::path(variable) : std::filesystem::path("../shared");
}
}  // namespace

std::filesystem::path shared_file(std::string_view relative) {
  std::filesystem::path path = shared_folder() / relative;
  REQUIRE_MESSAGE(std::filesystem::exists(path),
                  path.string() << " is absent; set KINETOSCOPE_SHARED to the folder of recorded traces");
  return path;
}

Trace shared_trace(std::string_view relative) {
  const io::Input input = io::open_input((shared_file("traces") / relative).string());
  return import_kineto(*input.source);
}

std::vector<std::string> shared_trace_names() {
  const std::filesystem::path folder = shared_file("traces");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (name.ends_with(".json.gz")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}
}  // namespace kinetoscope
