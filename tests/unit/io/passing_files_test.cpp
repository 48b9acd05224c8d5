#include "core/io/passing_files.hpp"

#include <csignal>
#include <filesystem>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/io/atomic_file.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {
namespace {

/// The number of a process that has ended.
pid_t dead_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return child;
}

std::string name_of(pid_t process, const std::string& serial = "0") {
  return ".kinetoscope-" + std::to_string(process) + "-" + serial + ".partial";
}
}  // namespace

TEST_CASE("passing files: a name says whose it is, and only a whole name does") {
  CHECK(process_of_passing_name(passing_name(12)) == ::getpid());
  CHECK(process_of_passing_name(".kinetoscope-4711-0.partial") == 4711);
  for (const char* name :
       {"", ".kinetoscope-", ".kinetoscope-4711.partial", ".kinetoscope-4711-.partial", ".kinetoscope--1-0.partial",
        ".kinetoscope-1--0.partial", ".kinetoscope-0-0.partial", ".kinetoscope-04711-0.partial",
        ".kinetoscope-4711-00.partial", ".kinetoscope- 4711-0.partial", ".kinetoscope-+4711-0.partial",
        ".kinetoscope-4711-0.partial.csv", "kinetoscope-4711-0.partial", "x.kinetoscope-4711-0.partial",
        ".kinetoscope-99999999999999999999-0.partial", ".kinetoscope-4711-0.Partial", ".kinetoscope-4711-0x.partial"}) {
    CAPTURE(name);
    CHECK(!process_of_passing_name(name));
  }
}

TEST_CASE("passing files: what a killed process left is removed, and nothing else") {
  const ScratchFolder folder;
  const pid_t dead = dead_process();
  folder.file(name_of(dead), "half a sheet");
  folder.file(name_of(dead, "17"), "");
  folder.file(name_of(::getpid(), "900000"), "of this process");
  folder.file(name_of(::getppid()), "of a process that runs");
  folder.file(name_of(1), "of a process that belongs to somebody else, or runs as we do");
  folder.file(name_of(dead) + ".txt", "another name");
  folder.file("target.csv", "mine");
  std::filesystem::create_symlink(folder.path("target.csv"), folder.path(name_of(dead, "1")));
  std::filesystem::create_symlink(folder.path("nowhere"), folder.path(name_of(dead, "2")));
  std::filesystem::create_directory(folder.path(name_of(dead, "3")));
  REQUIRE(::mkfifo(folder.path(name_of(dead, "4")).c_str(), 0600) == 0);
  const std::size_t before = folder.files();
  remove_abandoned_files(folder.path(""));
  CHECK(folder.files() == before - 2);
  CHECK(!std::filesystem::exists(folder.path(name_of(dead))));
  CHECK(!std::filesystem::exists(folder.path(name_of(dead, "17"))));
  CHECK(folder.content("target.csv") == "mine");
  CHECK_NOTHROW(remove_abandoned_files(folder.path("absent")));
}

TEST_CASE("passing files: a folder behind a symbolic link is cleaned, folders below are not") {
  const ScratchFolder folder;
  const pid_t dead = dead_process();
  std::filesystem::create_directories(folder.path("out/below"));
  folder.file("out/" + name_of(dead), "half");
  folder.file("out/below/" + name_of(dead), "half");
  std::filesystem::create_directory_symlink(folder.path("out"), folder.path("link"));
  remove_abandoned_files(folder.path("link"));
  CHECK(!std::filesystem::exists(folder.path("out/" + name_of(dead))));
  CHECK(std::filesystem::exists(folder.path("out/below/" + name_of(dead))));
}

TEST_CASE("passing files: a file that is still written stays, though no process here has its number") {
  const ScratchFolder folder;
  const AtomicFile writing(folder.path("sheet.csv"));
  // As if another machine wrote it: under the number of a process that is none here.
  const std::string elsewhere = folder.path(name_of(dead_process()));
  std::filesystem::rename(writing.passing_path(), elsewhere);
  remove_abandoned_files(folder.path(""));
  CHECK(std::filesystem::exists(elsewhere));
}

TEST_CASE("passing files: those of a run that SIGKILL ended are gone after the next") {
  const ScratchFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile half(folder.path("half.csv"));
    half.write(std::string(1'000'000, 'x'));  // more than is buffered, so it has reached the disk
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(folder.files() == 1);
  remove_abandoned_files(folder.path(""));
  CHECK(folder.files() == 0);
}
}  // namespace kinetoscope::io
