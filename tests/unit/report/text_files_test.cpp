#include "core/report/text_files.hpp"

#include <filesystem>
#include <stop_token>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::report {
namespace {

TEST_CASE("text files: they appear together, in a folder that is made, in place of what was there") {
  const io::ScratchFolder folder;
  const std::vector<TextFile> files = {{"a.svg", "<svg/>\n"}, {"a.json", "{}\n"}};
  write_text_files(folder.path("deep/er"), files);
  CHECK(folder.content("deep/er/a.svg") == "<svg/>\n");
  CHECK(folder.content("deep/er/a.json") == "{}\n");
  const std::vector<TextFile> newer = {{"a.svg", "new\n"}};
  write_text_files(folder.path("deep/er"), newer);
  CHECK(folder.content("deep/er/a.svg") == "new\n");
  CHECK(folder.content("deep/er/a.json") == "{}\n");
}

TEST_CASE("text files: an interrupt leaves neither files nor the folder") {
  const io::ScratchFolder folder;
  std::stop_source stop;
  stop.request_stop();
  const std::vector<TextFile> files = {{"a.svg", "x"}};
  CHECK_THROWS_AS(write_text_files(folder.path("t"), files, stop.get_token()), Error);
  CHECK(!std::filesystem::exists(folder.path("t")));
}

TEST_CASE("text files: a name that is a folder refuses all of them") {
  const io::ScratchFolder folder;
  std::filesystem::create_directories(folder.path("t/b.svg"));
  const std::vector<TextFile> files = {{"a.svg", "x"}, {"b.svg", "y"}};
  CHECK_THROWS_AS(write_text_files(folder.path("t"), files), Error);
  CHECK_THROWS_AS(write_text_files("", files), Error);
}
}  // namespace
}  // namespace kinetoscope::report
