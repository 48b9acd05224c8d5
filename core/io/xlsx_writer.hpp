#pragma once

// A workbook, written row by row: memory does not grow with its rows. The same cells give the same bytes: the creation
// date is fixed. Text is text, never a formula or a link; integers that a double does not hold exactly are text, too.
// Excel's limits are kept and counted: what was cut or left out is in the report.
//
// The library behind it keeps each sheet in an unnamed temporary file under $TMPDIR, about as large as its CSV three
// times over, and does not look whether the disk took what it wrote; therefore the finished workbook is read back.
// Where it does notice, it writes a line of its own to standard error, which it has no switch for. It writes doubles to
// 16 significant digits, one less than the CSV.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cell.hpp"
#include "core/io/atomic_file.hpp"

namespace kinetoscope::io {

/// Of a sheet, its headings among them.
inline constexpr std::uint64_t most_xlsx_rows = 1'048'576;
/// Of a cell, in UTF-16 units.
inline constexpr std::size_t most_xlsx_characters = 32'767;
/// Of a sheet's name, in characters.
inline constexpr std::size_t most_xlsx_name = 31;

/// What one sheet did not take.
struct XlsxSheetReport {
  std::string name;                 ///< in the workbook
  std::uint64_t rows_left_out = 0;  ///< behind the last that fits
  std::uint64_t texts_cut = 0;      ///< longer than a cell holds
  friend bool operator==(const XlsxSheetReport&, const XlsxSheetReport&) = default;
};

class XlsxWriter {
 public:
  /// Writes into `file`, which must outlive this and is not committed. Throws Error output_not_writable, here and
  /// below.
  explicit XlsxWriter(AtomicFile& file);
  ~XlsxWriter();
  XlsxWriter(const XlsxWriter&) = delete;
  XlsxWriter& operator=(const XlsxWriter&) = delete;

  /// What Excel does not take in a sheet's name is replaced, and the name cut, so that no two sheets have the same.
  void begin_sheet(std::string_view name, std::span<const std::string_view> headings);
  /// Of the sheet begun last.
  void add_row(std::span<const Cell> cells);
  /// Once, and last: the workbook is whole from here on. One report a sheet, in order.
  [[nodiscard]] std::vector<XlsxSheetReport> finish();

 private:
  struct Library;
  AtomicFile& file_;
  std::unique_ptr<Library> library_;
};

/// `name` as a sheet's name in a workbook that has `taken` already (case does not tell names apart).
[[nodiscard]] std::string xlsx_sheet_name(std::string_view name, std::span<const std::string> taken);
}  // namespace kinetoscope::io
