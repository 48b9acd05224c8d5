#include "core/report/table_files.hpp"

#include <array>
#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::report {
namespace {

struct Fruit {
  std::string name;
  std::int64_t grams = 0;
};

const std::vector<analysis::Column<Fruit>>& fruit_columns() {
  static const std::vector<analysis::Column<Fruit>> columns = {
      {"name", "", "what it is called", [](const Fruit& row) { return kinetoscope::Cell(row.name); }},
      {"weight", "g", "what it weighs", [](const Fruit& row) { return kinetoscope::Cell(row.grams); }}};
  return columns;
}

Sheet fruits(const std::string& name, const std::vector<Fruit>& rows) {
  return make_sheet<Fruit>(name, "a fruit a row", rows, fruit_columns());
}

const std::array known = {KnownSheet{"apples", {"name", "weight"}}, KnownSheet{"pears", {"name", "weight"}}};

ErrorCode code_of_writing(std::span<const Sheet> sheets, const TableDestinations& destinations,
                          const std::string& named, const std::stop_token& stop = {}) {
  try {
    static_cast<void>(write_tables(sheets, destinations, known, stop));
  } catch (const Error& error) {
    CHECK(error.failure().received == named);
    return error.code();
  }
  return ErrorCode::internal;
}
}  // namespace

TEST_CASE("table files: a folder and its parents are made, with one CSV a sheet") {
  const io::ScratchFolder folder;
  const std::vector<Fruit> rows = {{"Boskoop", 250}, {"Cox, Orange", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows)};
  const auto reports = write_tables(sheets, {folder.path("a/b/"), {}}, known);
  CHECK(folder.content("a/b/apples.csv") == "name,weight\nBoskoop,250\n\"Cox, Orange\",120\n");
  CHECK(reports == std::vector<SheetReport>{{.name = "apples", .rows = 2}});
}

TEST_CASE("table files: an empty sheet is left out with its reason, its header line, or one newline") {
  const io::ScratchFolder folder;
  std::vector<Sheet> sheets = {fruits("apples", {}), fruits("pears", {}), fruits("plums", {})};
  sheets[0].why_empty = "it is spring";
  sheets[1].when_empty = EmptySheet::header_only;
  sheets[2].when_empty = EmptySheet::blank_line;
  const auto reports = write_tables(sheets, {folder.path("t"), folder.path("t.xlsx")}, known);
  CHECK(reports[0].left_out_because == "it is spring");
  CHECK(reports[1].left_out_because == "");
  CHECK(!std::filesystem::exists(folder.path("t/apples.csv")));
  CHECK(folder.content("t/pears.csv") == "name,weight\n");
  CHECK(folder.content("t/plums.csv") == "\n");
}

TEST_CASE("table files: an earlier run's sheets are replaced or removed, other files stay") {
  const io::ScratchFolder folder;
  folder.file("apples.csv", "name,weight\nold,1\n");
  folder.file("pears.csv", "name,weight\nold,1\n");
  folder.file("plums.csv", "name,weight\n");  // no sheet of ours
  folder.file("pears.csv.bak", "name,weight\n");
  const std::vector<Fruit> rows = {{"Cox", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows)};
  static_cast<void>(write_tables(sheets, {folder.path(""), {}}, known));
  CHECK(folder.content("apples.csv") == "name,weight\nCox,120\n");
  CHECK(!std::filesystem::exists(folder.path("pears.csv")));
  CHECK(folder.files() == 3);
  folder.file("pears.csv", "names of my pears\n");  // the name of a sheet, but not its first heading
  static_cast<void>(write_tables(sheets, {folder.path(""), {}}, known));
  CHECK(folder.content("pears.csv") == "names of my pears\n");
  for (const std::string foreign :
       {"name,colour\nold,green\n", "name,weight,colour\n", "name,weight\r\n", "weight,name\n", "name,weight"}) {
    CAPTURE(foreign);
    folder.file("pears.csv", foreign);  // a heading that we do not write, or another form
    static_cast<void>(write_tables(sheets, {folder.path(""), {}}, known));
    CHECK(folder.content("pears.csv") == foreign);
  }
}

TEST_CASE("table files: a sheet whose headings depend on its rows is known by how they begin") {
  const io::ScratchFolder folder;
  const std::vector<KnownSheet> by_prefix = {{"pears", {"name", "weight"}, "param: "}};
  const std::vector<Fruit> rows = {{"Cox", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows)};
  folder.file("pears.csv", "name,parameter: M,weight\n");
  static_cast<void>(write_tables(sheets, {folder.path(""), {}}, by_prefix));
  CHECK(std::filesystem::exists(folder.path("pears.csv")));
  folder.file("pears.csv", "name,param: M,param: dtype_A_B,weight\nold,8,,1\n");
  static_cast<void>(write_tables(sheets, {folder.path(""), {}}, by_prefix));
  CHECK(!std::filesystem::exists(folder.path("pears.csv")));
}

TEST_CASE("table files: what killed runs left half-written is gone, beside the sheets and beside the workbook") {
  const io::ScratchFolder folder;
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  int status = 0;
  REQUIRE(::waitpid(dead, &status, 0) == dead);
  const std::string name = "/.kinetoscope-" + std::to_string(dead) + "-0.partial";
  for (const char* part : {"sheets", "books"}) {
    std::filesystem::create_directory(folder.path(part));
    folder.file(part + name, "half");
  }
  const std::vector<Fruit> rows = {{"Cox", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows)};
  static_cast<void>(write_tables(sheets, {folder.path("sheets"), folder.path("books/t.xlsx")}, known));
  CHECK(!std::filesystem::exists(folder.path("sheets" + name)));
  CHECK(!std::filesystem::exists(folder.path("books" + name)));
}

TEST_CASE("table files: what cannot be written is an error that names it, and all is as before") {
  const io::ScratchFolder folder;
  const std::vector<Fruit> rows = {{"Cox", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows), fruits("pears", rows)};
  const std::string file = folder.file("file", "x");
  CHECK(code_of_writing(sheets, {file, {}}, file) == ErrorCode::output_not_writable);
  CHECK(code_of_writing(sheets, {file + "/below", {}}, file + "/below") == ErrorCode::output_not_writable);
  CHECK(code_of_writing(sheets, {"/proc/kinetoscope", {}}, "/proc/kinetoscope") == ErrorCode::output_not_writable);
  CHECK(code_of_writing(sheets, {"", {}}, "") == ErrorCode::output_not_writable);
  CHECK(code_of_writing(sheets, {folder.path("made/t"), folder.path("absent/t.xlsx")}, folder.path("absent/t.xlsx")) ==
        ErrorCode::output_not_writable);
  CHECK(folder.files() == 1);  // a folder that was made for them is gone again
  std::filesystem::create_directories(folder.path("t/pears.csv"));
  folder.file("t/apples.csv", "before");
  CHECK(code_of_writing(sheets, {folder.path("t"), {}}, folder.path("t/pears.csv")) == ErrorCode::output_not_writable);
  CHECK(folder.content("t/apples.csv") == "before");
}

TEST_CASE("table files: a disk that fills up at the second sheet leaves the first as it was") {
  const io::ScratchFolder folder;
  const std::vector<Fruit> few = {{"Cox", 120}};
  const std::vector<Fruit> many(100'000, Fruit{"Williams", 200});  // 1.3 MB
  const std::vector<Sheet> sheets = {fruits("apples", few), fruits("pears", many)};
  folder.file("apples.csv", "before");
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {500'000, limit.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const ErrorCode code = code_of_writing(sheets, {folder.path(""), {}}, folder.path("pears.csv"));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  CHECK(code == ErrorCode::output_not_writable);
  CHECK(folder.content("apples.csv") == "before");
  CHECK(folder.files() == 1);
}

TEST_CASE("table files: an interrupt leaves all as it was") {
  const io::ScratchFolder folder;
  std::stop_source stop;
  stop.request_stop();
  const std::vector<Fruit> rows = {{"Cox", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows)};
  CHECK(code_of_writing(sheets, {folder.path("t"), {}}, "", stop.get_token()) == ErrorCode::interrupted);
  CHECK(folder.files() == 0);
}

TEST_CASE("table files: without a destination nothing is written, and the sheets are still reported") {
  const std::vector<Fruit> rows = {{"Cox", 120}};
  const std::vector<Sheet> sheets = {fruits("apples", rows)};
  CHECK(write_tables(sheets, {}, known) == std::vector<SheetReport>{{.name = "apples", .rows = 1}});
}
}  // namespace kinetoscope::report
