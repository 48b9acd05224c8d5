#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "core/io/atomic_file.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {

TEST_CASE("atomic file: a program that ends at once leaves whole files and no half-written ones") {
  const ScratchFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    write_file(folder.path("whole.txt"), "whole");
    AtomicFile half(folder.path("half.txt"));
    half.write(std::string(1'000'000, 'x'));  // more than is buffered, so it has reached the disk
    exit_without_partial_files(130);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(folder.files() == 1);
  CHECK(folder.content("whole.txt") == "whole");
}
}  // namespace kinetoscope::io
