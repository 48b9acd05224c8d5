#include "core/io/atomic_file.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {

TEST_CASE("atomic file: until it is committed, what was there before stands") {
  const ScratchFolder folder;
  const std::string path = folder.file("out.csv", "before");
  AtomicFile file(path);
  file.write(std::string(1 << 20, 'x'));  // more than is buffered
  CHECK(folder.content("out.csv") == "before");
  file.commit();
  CHECK(folder.content("out.csv") == std::string(1 << 20, 'x'));
  CHECK(folder.files() == 1);
}

TEST_CASE("atomic file: unwinding leaves nothing") {
  const ScratchFolder folder;
  try {
    AtomicFile file(folder.path("out.csv"));
    file.write("half");
    throw Error({.code = ErrorCode::interrupted});
  } catch (const Error&) {
    CHECK(folder.files() == 0);
  }
}

TEST_CASE("atomic file: two of the same path do not meet, the last commit stands") {
  const ScratchFolder folder;
  AtomicFile first(folder.path("out.csv"));
  AtomicFile second(folder.path("out.csv"));
  first.write("first");
  second.write("second");
  second.commit();
  first.commit();
  CHECK(folder.content("out.csv") == "first");
  CHECK(folder.files() == 1);
}

TEST_CASE("atomic file: what cannot be written is an error that names the path") {
  const ScratchFolder folder;
  for (const std::string& path :
       {folder.path("missing/out.csv"), folder.path(""), std::string("/dev/null"), std::string()}) {
    CAPTURE(path);
    try {
      write_file(path, "x");
      FAIL("the file was written");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::output_not_writable);
      CHECK(error.failure().received == path);
    }
  }
  CHECK(folder.files() == 0);
}

namespace {

/// What committing them says when it fails.
Failure failure_of_committing(std::span<const std::unique_ptr<AtomicFile>> files,
                              std::span<const std::string> superseded = {}) {
  try {
    commit_together(files, superseded);
  } catch (const Error& error) {
    return error.failure();
  }
  return {};
}

/// Files that are written but not committed.
std::vector<std::unique_ptr<AtomicFile>> written(const ScratchFolder& folder, const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<AtomicFile>> files;
  files.reserve(names.size());
  for (const std::string& name : names) {
    files.push_back(std::make_unique<AtomicFile>(folder.path(name)));
    files.back()->write("new");
  }
  return files;
}
}  // namespace

TEST_CASE("atomic file: a rename that is refused after others says which files are new") {
  const ScratchFolder folder;
  for (const char* name : {"a.csv", "b.csv", "d.csv"}) folder.file(name, "before");
  const auto files = written(folder, {"a.csv", "b.csv", "c.csv", "d.csv"});
  std::filesystem::create_directory(folder.path("c.csv"));  // a file cannot take its place
  const Failure failure = failure_of_committing(files);
  CHECK(failure.code == ErrorCode::output_not_writable);
  CHECK(failure.received == folder.path("c.csv"));
  CHECK(failure.accepted == "new are a.csv, b.csv; the others are as before");
  CHECK(folder.content("a.csv") == "new");
  CHECK(folder.content("b.csv") == "new");
  CHECK(folder.content("d.csv") == "before");
}

TEST_CASE("atomic file: the first rename refused leaves all as before, a leftover that stays leaves all new") {
  const ScratchFolder folder;
  const auto files = written(folder, {"a.csv", "b.csv"});
  std::filesystem::create_directory(folder.path("a.csv"));
  CHECK(failure_of_committing(files).accepted == "all files are as before");
  CHECK(!std::filesystem::exists(folder.path("b.csv")));
  const auto others = written(folder, {"c.csv"});
  std::filesystem::create_directory(folder.path("old.csv"));  // no file that could be removed
  const std::vector<std::string> superseded = {folder.path("old.csv")};
  CHECK(failure_of_committing(others, superseded).accepted == "all files of this run are there");
  CHECK(folder.content("c.csv") == "new");
}
}  // namespace kinetoscope::io
