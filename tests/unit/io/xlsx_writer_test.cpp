#include "core/io/xlsx_writer.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <doctest/doctest.h>
#include <zip.h>

#include "core/base/error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {
namespace {

using Row = std::vector<Cell>;

constexpr std::array<std::string_view, 2> headings = {"name", "value"};

/// One sheet of these rows, at `path`.
std::vector<XlsxSheetReport> write(const std::string& path, const std::vector<Row>& rows) {
  AtomicFile file(path);
  XlsxWriter writer(file);
  writer.begin_sheet("one", headings);
  for (const Row& row : rows) writer.add_row(row);
  std::vector<XlsxSheetReport> reports = writer.finish();
  file.commit();
  return reports;
}

std::string member(const std::string& path, const std::string& name) {
  int status = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_RDONLY, &status);
  REQUIRE(archive != nullptr);
  zip_file_t* const file = zip_fopen(archive, name.c_str(), 0);
  REQUIRE(file != nullptr);
  std::string text;
  std::array<char, 4096> buffer{};
  for (zip_int64_t count = 0; (count = zip_fread(file, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  zip_fclose(file);
  zip_discard(archive);
  return text;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Files of this process may not grow beyond some bytes while this lives, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit_) == 0);
    const rlimit small = {bytes, limit_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*before_)(int);
  rlimit limit_{};
};
}  // namespace

TEST_CASE("xlsx: numbers are numbers, truth is truth, text is text, and missing is no cell") {
  const ScratchFolder folder;
  const std::string path = folder.path("t.xlsx");
  const auto reports = write(path, {{std::string("=1+1"), 12.5},
                                    {std::string("http://example.org"), std::int64_t{9'007'199'254'740'992}},
                                    {Cell(), std::int64_t{9'007'199'254'740'993}},
                                    {std::string("a<b&\"c\""), true},
                                    {std::string(), 1.0 / 0.0}});
  CHECK(reports == std::vector<XlsxSheetReport>{{"one", 0, 0}});
  const std::string sheet = member(path, "xl/worksheets/sheet1.xml");
  CHECK(holds(sheet, "<c r=\"A2\" t=\"inlineStr\"><is><t>=1+1</t></is></c><c r=\"B2\"><v>12.5</v></c>"));
  CHECK(holds(sheet, "<t>http://example.org</t></is></c><c r=\"B3\"><v>9007199254740992</v></c>"));
  CHECK(!holds(sheet, "r=\"A4\""));
  CHECK(holds(sheet, "<c r=\"B4\" t=\"inlineStr\"><is><t>9007199254740993</t></is></c>"));  // 2^53 + 1
  CHECK(holds(sheet, "<t>a&lt;b&amp;"));
  CHECK(holds(sheet, "<c r=\"B5\" t=\"b\"><v>1</v></c>"));
  CHECK(!holds(sheet, "r=\"B6\""));
  CHECK(!holds(sheet, "<f>"));
  CHECK(!holds(sheet, "hyperlink"));
}

TEST_CASE("xlsx: the same cells are the same bytes, with a fixed creation date") {
  const ScratchFolder folder;
  write(folder.path("a.xlsx"), {{std::string("x"), 1.0}});
  write(folder.path("b.xlsx"), {{std::string("x"), 1.0}});
  CHECK(folder.content("a.xlsx") == folder.content("b.xlsx"));
  CHECK(holds(member(folder.path("a.xlsx"), "docProps/core.xml"), ">2000-01-01T00:00:00Z</dcterms:created>"));
}

TEST_CASE("xlsx: text longer than a cell holds is cut between characters, and counted") {
  const ScratchFolder folder;
  const std::string fits(most_xlsx_characters, 'a');
  std::string wide = fits.substr(1);
  wide += "\xf0\x9f\x98\x80";  // one character of two units
  const auto reports = write(folder.path("t.xlsx"), {{fits, 0.0}, {fits + "b", 0.0}, {wide, 0.0}});
  CHECK(reports.front().texts_cut == 2);
  const std::string sheet = member(folder.path("t.xlsx"), "xl/worksheets/sheet1.xml");
  CHECK(holds(sheet, "<t>" + fits + "</t>"));
  CHECK(holds(sheet, "<t>" + fits.substr(1) + "</t>"));
}

TEST_CASE("xlsx: bytes that no XML has are replaced") {
  const ScratchFolder folder;
  write(folder.path("t.xlsx"), {{std::string("a\0b\xff\xef\xbf\xbf", 7), 0.0}});
  CHECK(holds(member(folder.path("t.xlsx"), "xl/worksheets/sheet1.xml"),
              "<t>a\xef\xbf\xbd"
              "b\xef\xbf\xbd\xef\xbf\xbd</t>"));
}

TEST_CASE("xlsx: rows beyond what a sheet holds are left out and counted") {
  const ScratchFolder folder;
  AtomicFile file(folder.path("t.xlsx"));
  XlsxWriter writer(file);
  writer.begin_sheet("one", std::span(headings).first(1));
  const Row row = {std::int64_t{1}};
  for (std::uint64_t i = 0; i < most_xlsx_rows + 1; ++i) writer.add_row(row);  // two more than fit below the headings
  writer.begin_sheet("two", headings);
  const auto reports = writer.finish();
  CHECK(reports == std::vector<XlsxSheetReport>{{"one", 2, 0}, {"two", 0, 0}});
}

TEST_CASE("xlsx: sheet names are cut to what Excel takes, and stay apart") {
  const std::string long_name = "kernel_details__summarize_kernel_stats";
  CHECK(xlsx_sheet_name("gpu_timeline", {}) == "gpu_timeline");
  CHECK(xlsx_sheet_name(long_name, {}) == "kernel_details__summarize_kerne");  // 31
  const std::vector<std::string> taken = {"Kernel_details__summarize_kerne", "kernel_details__summarize_ker~2"};
  CHECK(xlsx_sheet_name(long_name, taken) == "kernel_details__summarize_ker~3");
  CHECK(xlsx_sheet_name("a/b:c[d]'", {}) == "a_b_c_d__");
  CHECK(xlsx_sheet_name("'", {}) == "_");
  CHECK(xlsx_sheet_name("", {}) == "sheet");
}

TEST_CASE("xlsx: a workbook given up leaves no file, neither there nor in TMPDIR") {
  const ScratchFolder folder;
  const ScratchFolder temporary;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", temporary.path("").c_str(), 1);
  {
    AtomicFile file(folder.path("t.xlsx"));
    XlsxWriter writer(file);
    writer.begin_sheet("one", headings);
    for (int i = 0; i < 10'000; ++i) writer.add_row(Row{std::string("text"), 1.0});
    CHECK(temporary.files() == 0);  // it has no name: an end by force leaves nothing either
  }
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  CHECK(folder.files() == 0);
}

TEST_CASE("xlsx: a disk that is full is an error, and what was there before stays") {
  const ScratchFolder folder;
  folder.file("t.xlsx", "before");
  std::vector<Row> rows;
  for (int i = 0; i < 20'000; ++i) rows.push_back({std::to_string(i * 7919), 1.0 / (i + 1)});  // packs to some 300 kB
  for (const rlim_t bytes : {rlim_t{1'000}, rlim_t{100'000}, rlim_t{1'000'000}}) {
    CAPTURE(bytes);
    const FullDisk full(bytes);
    try {
      write(folder.path("t.xlsx"), rows);
      FAIL("it was written");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::output_not_writable);
      CHECK(error.failure().received == folder.path("t.xlsx"));
    }
  }
  CHECK(folder.content("t.xlsx") == "before");
  CHECK(folder.files() == 1);
}
}  // namespace kinetoscope::io
