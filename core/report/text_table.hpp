#pragma once

// Aligned columns for a terminal, in colour where that is wanted. Widths are terminal columns, so wide characters stand
// right. The text of a cell must be printable() already.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::report {

enum class Colour : std::uint8_t { plain, strong, good, doubtful, bad, faint };

/// `text` between the escapes of its colour; as it is when colours are off.
[[nodiscard]] std::string painted(std::string_view text, Colour colour, bool is_coloured);

struct Cell {
  std::string text;
  Colour colour = Colour::plain;
  bool is_right = false;  ///< numbers stand at the right
};

class TextTable {
 public:
  explicit TextTable(bool is_coloured) : is_coloured_(is_coloured) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  /// Two spaces before each row and between columns, none at its end; each row ends a line.
  [[nodiscard]] std::string render() const;

 private:
  bool is_coloured_;
  std::vector<std::vector<Cell>> rows_;
};
}  // namespace kinetoscope::report
