#include "core/report/table_files.hpp"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/csv_writer.hpp"
#include "core/io/file_descriptor.hpp"
#include "core/io/made_folder.hpp"
#include "core/io/passing_files.hpp"
#include "core/io/xlsx_writer.hpp"

namespace kinetoscope::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t rows_between_stops = 10'000;

/// Calls `write` with the cells of each row.
template <typename Write>
void for_each_row(const Sheet& sheet, const std::stop_token& stop, Write write) {
  std::vector<kinetoscope::Cell> cells;
  cells.reserve(sheet.columns.size());
  for (std::size_t row = 0; row < sheet.rows; ++row) {
    if (row % rows_between_stops == 0 && stop.stop_requested()) throw Error({.code = ErrorCode::interrupted});
    cells.clear();
    sheet.append_row(row, cells);
    write(std::span<const kinetoscope::Cell>(cells));
  }
}

std::vector<std::string_view> headings_of(const Sheet& sheet) {
  std::vector<std::string_view> headings;
  headings.reserve(sheet.columns.size());
  for (const SheetColumn& column : sheet.columns) headings.push_back(column.heading);
  return headings;
}

std::unique_ptr<io::AtomicFile> write_csv(const Sheet& sheet, const fs::path& folder, const std::stop_token& stop) {
  auto file = std::make_unique<io::AtomicFile>((folder / (sheet.name + ".csv")).string());
  if (sheet.rows == 0 && sheet.when_empty == EmptySheet::blank_line) {
    file->write("\n");
    return file;
  }
  std::string line;
  io::append_csv_row(line, headings_of(sheet));
  file->write(line);
  for_each_row(sheet, stop, [&](std::span<const kinetoscope::Cell> cells) {
    line.clear();
    io::append_csv_row(line, cells);
    file->write(line);
  });
  return file;
}

std::unique_ptr<io::AtomicFile> write_workbook(std::span<const Sheet> sheets, const std::string& path,
                                               std::span<SheetReport> reports, const std::stop_token& stop) {
  auto file = std::make_unique<io::AtomicFile>(path);
  io::XlsxWriter writer(*file);
  std::vector<SheetReport*> written;
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    if (!sheets[i].is_written()) continue;
    written.push_back(&reports[i]);
    writer.begin_sheet(sheets[i].name, headings_of(sheets[i]));
    for_each_row(sheets[i], stop, [&](std::span<const kinetoscope::Cell> cells) { writer.add_row(cells); });
  }
  const std::vector<io::XlsxSheetReport> limits = writer.finish();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    written[i]->workbook_rows_left_out = limits[i].rows_left_out;
    written[i]->workbook_texts_cut = limits[i].texts_cut;
  }
  return file;
}

/// The longest that a line of headings gets, several times over.
constexpr std::size_t most_heading_bytes = std::size_t{16} << 10;

/// What a file begins with, up to its first line's end or the limit.
std::string first_bytes(const fs::path& path) {
  std::string bytes(most_heading_bytes, '\0');
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const ssize_t count = file.is_open() ? ::read(file.number(), bytes.data(), bytes.size()) : 0;
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return bytes;
}

/// Headings are quoted nowhere, so commas part them.
bool is_of(const KnownSheet& sheet, const fs::path& path) {
  const std::string bytes = first_bytes(path);
  if (bytes == "\n") return true;  // an empty sheet of an earlier run
  const std::size_t end = bytes.find('\n');
  if (end == std::string::npos) return false;
  std::string_view line = std::string_view(bytes).substr(0, end);
  for (bool is_first = true;; is_first = false) {
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view heading = line.substr(0, comma);
    if (is_first && heading != sheet.headings.front()) return false;
    const bool is_own = !sheet.heading_prefix.empty() && heading.starts_with(sheet.heading_prefix);
    if (!is_own && std::ranges::find(sheet.headings, heading) == sheet.headings.end()) return false;
    if (comma == line.size()) return true;
    line.remove_prefix(comma + 1);
  }
}

/// Files of an earlier run that this one does not write.
std::vector<std::string> superseded_files(std::span<const Sheet> sheets, const fs::path& folder,
                                          std::span<const KnownSheet> known) {
  std::vector<std::string> paths;
  for (const KnownSheet& sheet : known) {
    const bool is_made =
        std::ranges::any_of(sheets, [&](const Sheet& made) { return made.is_written() && made.name == sheet.name; });
    const fs::path path = folder / (sheet.name + ".csv");
    std::error_code failure;
    if (is_made || !fs::is_regular_file(fs::symlink_status(path, failure))) continue;
    if (is_of(sheet, path)) paths.push_back(path.string());
  }
  return paths;
}

std::vector<SheetReport> reports_of(std::span<const Sheet> sheets) {
  std::vector<SheetReport> reports;
  reports.reserve(sheets.size());
  for (const Sheet& sheet : sheets) {
    reports.push_back({.name = sheet.name, .rows = sheet.rows});
    if (sheet.rows > 0) continue;
    std::string why = sheet.why_empty.empty() ? "no rows" : sheet.why_empty;
    (sheet.is_written() ? reports.back().empty_because : reports.back().left_out_because) = std::move(why);
  }
  return reports;
}
}  // namespace

std::vector<SheetReport> write_tables(std::span<const Sheet> sheets, const TableDestinations& destinations,
                                      std::span<const KnownSheet> known, const std::stop_token& stop) {
  std::vector<SheetReport> reports = reports_of(sheets);
  std::optional<io::MadeFolder> made;
  std::vector<std::unique_ptr<io::AtomicFile>> files;
  std::vector<std::string> superseded;
  if (destinations.folder) {
    made.emplace(*destinations.folder);
    io::remove_abandoned_files(*destinations.folder);
    for (const Sheet& sheet : sheets) {
      if (sheet.is_written()) files.push_back(write_csv(sheet, *destinations.folder, stop));
    }
    superseded = superseded_files(sheets, *destinations.folder, known);
  }
  if (destinations.workbook) io::remove_abandoned_files(fs::path(*destinations.workbook).parent_path().string());
  if (destinations.workbook) files.push_back(write_workbook(sheets, *destinations.workbook, reports, stop));
  if (stop.stop_requested()) throw Error({.code = ErrorCode::interrupted});
  io::commit_together(files, superseded);
  if (made) made->keep();
  return reports;
}
}  // namespace kinetoscope::report
