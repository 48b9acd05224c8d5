#include "core/io/atomic_file.hpp"

#include <string>

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
}  // namespace kinetoscope::io
