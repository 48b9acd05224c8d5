#include "tests/support/shared_files.hpp"

#include <algorithm>
#include <cstdlib>

#include <doctest/doctest.h>

#include "core/io/open_input.hpp"
#include "core/trace/importers/kineto.hpp"

namespace kinetoscope {
namespace {

std::filesystem::path shared_folder() {
  const char* const named = std::getenv("KINETOSCOPE_SHARED");
  return named != nullptr && *named != '\0' ? named : "../shared";
}

Trace imported(const std::filesystem::path& path) {
  const io::Input input = io::open_input(path.string());
  return import_kineto(*input.source);
}
}  // namespace

std::filesystem::path shared_file(const std::filesystem::path& relative) {
  std::filesystem::path path = shared_folder() / relative;
  REQUIRE_MESSAGE(std::filesystem::exists(path),
                  path.string() << " is absent; set KINETOSCOPE_SHARED to the folder of recorded traces");
  return path;
}

Trace shared_trace(std::string_view relative) { return imported(shared_file("traces") / relative); }

std::string field_input(std::string_view file_name) {
  return shared_file(std::filesystem::path("field_inputs") / file_name).string();
}

Trace field_trace(std::string_view file_name) { return imported(field_input(file_name)); }

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
