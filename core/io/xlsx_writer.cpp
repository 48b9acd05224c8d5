#include "core/io/xlsx_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <xlsxwriter.h>
#include <zip.h>

#include "core/base/error.hpp"
#include "core/base/unicode.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::int64_t most_exact_integer = std::int64_t{1} << 53;
constexpr std::string_view forbidden_in_names = "[]:*?/\\";
constexpr std::time_t fixed_creation_time = 946'684'800;  // 2000-01-01
constexpr double widest_column = 40;
constexpr std::string_view end_of_sheet = "</worksheet>";

[[noreturn]] void fail_workbook(const AtomicFile& file, std::string problem) {
  throw Error({.code = ErrorCode::output_not_writable,
               .argument = "output",
               .received = file.path(),
               .problem = std::move(problem),
               .next = "check the free space there and in TMPDIR, where a workbook's sheets are collected"});
}

void require(const AtomicFile& file, lxw_error status) {
  if (status != LXW_NO_ERROR)
    fail_workbook(file, std::string("the workbook cannot be written: ") + lxw_strerror(status));
}

/// Characters that XML has no place for.
bool is_no_xml(char32_t character) noexcept { return character == 0 || character == 0xfffe || character == 0xffff; }

struct CellText {
  std::string text;
  bool is_cut = false;
};

CellText cell_text(std::string_view foreign) {
  CellText out;
  std::size_t units = 0;
  for (std::size_t position = 0; position < foreign.size();) {
    const char32_t character = next_character(foreign, position);
    units += character > 0xffff ? 2 : 1;
    if (units > most_xlsx_characters) {
      out.is_cut = true;
      break;
    }
    append_utf8(out.text, is_no_xml(character) ? replacement_character : character);
  }
  return out;
}

bool is_same_ignoring_case(std::string_view left, std::string_view right) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::ranges::equal(left, right, {}, lower, lower);
}

/// The first `characters` of valid UTF-8.
std::string text_beginning(std::string_view utf8, std::size_t characters) {
  std::size_t position = 0;
  for (std::size_t i = 0; i < characters && position < utf8.size(); ++i) {
    static_cast<void>(next_character(utf8, position));
  }
  return std::string(utf8.substr(0, position));
}

std::size_t length(std::string_view utf8) {
  std::size_t characters = 0;
  for (std::size_t position = 0; position < utf8.size(); ++characters) {
    static_cast<void>(next_character(utf8, position));
  }
  return characters;
}

struct FreeWorkbook {
  void operator()(lxw_workbook* workbook) const noexcept {
    lxw_worksheet* sheet = nullptr;
    STAILQ_FOREACH(sheet, workbook->worksheets, list_pointers) {
      if (sheet->optimize_tmpfile != nullptr) std::fclose(sheet->optimize_tmpfile);  // the library would not
    }
    lxw_workbook_free(workbook);
  }
};

struct CloseArchive {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const noexcept { zip_fclose(member); }
};

/// The member is there, its check sum is right, it has at least `bytes`, and it ends as a sheet does.
bool is_whole_sheet(zip_t* archive, const std::string& member_name, std::uint64_t bytes) {
  const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen(archive, member_name.c_str(), 0));
  if (member == nullptr) return false;
  std::array<char, 65'536> buffer{};
  std::string last;
  std::uint64_t total = 0;
  for (;;) {
    const zip_int64_t count = zip_fread(member.get(), buffer.data(), buffer.size());
    if (count < 0) return false;
    if (count == 0) break;
    total += static_cast<std::uint64_t>(count);
    last.append(buffer.data(), static_cast<std::size_t>(count));
    if (last.size() > end_of_sheet.size()) last.erase(0, last.size() - end_of_sheet.size());
  }
  return total >= bytes && last == end_of_sheet;
}
}  // namespace

struct XlsxWriter::Library {
  std::unique_ptr<lxw_workbook, FreeWorkbook> workbook;
  lxw_format* heading = nullptr;       // the workbook's
  std::vector<lxw_worksheet*> sheets;  // the workbook's
  std::vector<std::string> names;
  std::vector<XlsxSheetReport> reports;
  lxw_row_t next_row = 0;
};

namespace {

/// Writes one cell; text that is cut is counted.
struct CellWriter {
  const AtomicFile& file;
  lxw_worksheet* sheet;
  lxw_row_t row;
  lxw_col_t column;
  std::uint64_t& texts_cut;

  void operator()(std::monostate) const {}
  void operator()(bool truth) const {
    require(file, worksheet_write_boolean(sheet, row, column, truth ? 1 : 0, nullptr));
  }
  void operator()(std::int64_t number) const {
    if (number > most_exact_integer || number < -most_exact_integer) return write_text(fmt::to_string(number));
    require(file, worksheet_write_number(sheet, row, column, static_cast<double>(number), nullptr));
  }
  void operator()(double number) const {
    if (!std::isfinite(number)) return;
    require(file, worksheet_write_number(sheet, row, column, number, nullptr));
  }
  void operator()(const std::string& text) const { write_text(text); }
  void write_text(std::string_view text) const {
    const CellText shown = cell_text(text);
    if (shown.is_cut) ++texts_cut;
    require(file, worksheet_write_string(sheet, row, column, shown.text.c_str(), nullptr));
  }
};
}  // namespace

XlsxWriter::XlsxWriter(AtomicFile& file) : file_(file), library_(std::make_unique<Library>()) {
  lxw_workbook_options options = {};
  options.constant_memory = LXW_TRUE;
  options.use_zip64 = LXW_FALSE;
  library_->workbook.reset(workbook_new_opt(file.passing_path().c_str(), &options));
  if (library_->workbook == nullptr) fail_workbook(file, "memory does not suffice");
  lxw_doc_properties properties = {};
  properties.created = fixed_creation_time;
  require(file, workbook_set_properties(library_->workbook.get(), &properties));
  library_->heading = workbook_add_format(library_->workbook.get());
  format_set_bold(library_->heading);
}

XlsxWriter::~XlsxWriter() = default;

void XlsxWriter::begin_sheet(std::string_view name, std::span<const std::string_view> headings) {
  const std::string shown = xlsx_sheet_name(name, library_->names);
  lxw_worksheet* const sheet = workbook_add_worksheet(library_->workbook.get(), shown.c_str());
  if (sheet == nullptr || sheet->optimize_tmpfile == nullptr) fail_workbook(file_, "a temporary file cannot be made");
  library_->names.push_back(shown);
  library_->sheets.push_back(sheet);
  library_->reports.push_back({.name = shown});
  library_->next_row = 1;
  worksheet_freeze_panes(sheet, 1, 0);
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const auto column = static_cast<lxw_col_t>(i);
    const std::string text = cell_text(headings[i]).text;
    const double width = std::min(widest_column, static_cast<double>(length(text)) + 2);
    require(file_, worksheet_set_column(sheet, column, column, width, nullptr));
    require(file_, worksheet_write_string(sheet, 0, column, text.c_str(), library_->heading));
  }
}

void XlsxWriter::add_row(std::span<const Cell> cells) {
  XlsxSheetReport& report = library_->reports.back();
  if (library_->next_row >= most_xlsx_rows) {
    ++report.rows_left_out;
    return;
  }
  const lxw_row_t row = library_->next_row++;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::visit(CellWriter{file_, library_->sheets.back(), row, static_cast<lxw_col_t>(i), report.texts_cut}, cells[i]);
  }
}

std::vector<XlsxSheetReport> XlsxWriter::finish() {
  std::vector<std::uint64_t> bytes;
  for (lxw_worksheet* const sheet : library_->sheets) {
    std::FILE* const rows = sheet->optimize_tmpfile;
    if (std::fflush(rows) != 0 || std::ferror(rows) != 0) fail_workbook(file_, std::generic_category().message(errno));
    bytes.push_back(static_cast<std::uint64_t>(std::max(std::ftell(rows), 0L)));
  }
  require(file_, workbook_close(library_->workbook.release()));  // frees it, whatever happens
  int status = 0;
  const std::unique_ptr<zip_t, CloseArchive> archive(zip_open(file_.passing_path().c_str(), ZIP_RDONLY, &status));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::string member = fmt::format("xl/worksheets/sheet{}.xml", i + 1);
    if (archive == nullptr || !is_whole_sheet(archive.get(), member, bytes[i])) {
      fail_workbook(file_, "the finished workbook is not whole: the disk did not take all of it");
    }
  }
  return std::move(library_->reports);
}

std::string xlsx_sheet_name(std::string_view name, std::span<const std::string> taken) {
  std::string base;
  for (std::size_t position = 0; position < name.size();) {
    const char32_t character = next_character(name, position);
    const bool is_forbidden =
        character < 0x20 || is_no_xml(character) ||
        (character < 0x80 && forbidden_in_names.find(static_cast<char>(character)) != std::string_view::npos);
    append_utf8(base, is_forbidden ? U'_' : character);
  }
  if (base.starts_with('\'')) base.front() = '_';
  base = text_beginning(base, most_xlsx_name);
  if (base.ends_with('\'')) base.back() = '_';
  if (base.empty()) base = "sheet";
  const auto is_taken = [&](const std::string& candidate) {
    return std::ranges::any_of(taken,
                               [&](const std::string& other) { return is_same_ignoring_case(other, candidate); });
  };
  std::string candidate = base;
  for (std::size_t number = 2; is_taken(candidate); ++number) {
    const std::string ending = fmt::format("~{}", number);
    candidate = text_beginning(base, most_xlsx_name - ending.size()) + ending;
  }
  return candidate;
}
}  // namespace kinetoscope::io
