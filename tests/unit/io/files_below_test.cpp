#include "core/io/files_below.hpp"

#include <filesystem>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {
namespace {

std::string code_of_walk(const std::string& folder, const WalkLimits& limits = {}) {
  try {
    static_cast<void>(files_below(folder, ".py", limits));
  } catch (const Error& error) {
    return std::string(kind_of(error.code()).spelling);
  }
  return "";
}
}  // namespace

TEST_CASE("files below: those that end so at any depth, in the order of their bytes") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder.path("b/c"));
  for (const char* const name : {"z.py", "b/a.py", "b/c/x.py", "b/c/x.txt", "a.pyc"}) folder.file(name, "");
  const FilesBelow below = files_below(folder.path(""), ".py");
  CHECK(below.files == std::vector<std::string>{"b/a.py", "b/c/x.py", "z.py"});
  CHECK(below.left_out == LeftOut());
}

TEST_CASE("files below: symbolic links are not followed but counted, pipes are not listed") {
  const ScratchFolder outside;
  outside.file("secret.py", "");
  const ScratchFolder folder;
  folder.file("own.py", "");
  std::filesystem::create_symlink(outside.path("secret.py"), folder.path("file.py"));
  std::filesystem::create_directory_symlink(outside.path(""), folder.path("elsewhere"));
  std::filesystem::create_directory_symlink(folder.path(""), folder.path("again"));
  std::filesystem::create_symlink(outside.path("none"), folder.path("broken"));
  REQUIRE(::mkfifo(folder.path("pipe.py").c_str(), 0600) == 0);
  const FilesBelow below = files_below(folder.path(""), ".py");
  CHECK(below.files == std::vector<std::string>{"own.py"});
  CHECK(below.left_out == LeftOut{3, "again"});
  // The folder itself may be one.
  CHECK(files_below(folder.path("elsewhere"), ".py").files == std::vector<std::string>{"secret.py"});
}

TEST_CASE("files below: folders deeper than the limit are left out and counted") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder.path("1/2/3"));
  folder.file("1/2/in.py", "");
  folder.file("1/2/3/out.py", "");
  const FilesBelow below = files_below(folder.path(""), ".py", {.most_depth = 2});
  CHECK(below.files == std::vector<std::string>{"1/2/in.py"});
  CHECK(below.left_out == LeftOut{1, "1/2/3"});
}

TEST_CASE("files below: what is no folder, and too many entries, are refused") {
  const ScratchFolder folder;
  folder.file("a", "");
  folder.file("b", "");
  CHECK(code_of_walk(folder.path("none")) == "input_not_found");
  CHECK(code_of_walk("") == "input_not_found");
  CHECK(code_of_walk(folder.path("a")) == "input_unreadable");
  CHECK(code_of_walk(folder.path(""), {.most_entries = 1}) == "limit_reached");
  CHECK(code_of_walk(folder.path(""), {.most_entries = 2}) == "");
}
}  // namespace kinetoscope::io
