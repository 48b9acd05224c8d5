#pragma once

// Lines from a descriptor, one message each, of a bounded length: a longer one is passed over to its end and told.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/mcp/wake_up.hpp"

namespace kinetoscope::mcp {

enum class LineKind : std::uint8_t { line, too_long, end };

struct Line {
  LineKind kind = LineKind::end;
  std::string_view text{};  ///< without the line end; valid until the next call
};

class LineReader {
 public:
  LineReader(int descriptor, std::size_t longest_line, const WakeUp& wake_up)
      : descriptor_(descriptor), longest_line_(longest_line), wake_up_(&wake_up) {}

  /// Waits for a line that is not empty. `end` at the end of input, when reading fails, or when the stop comes first. A
  /// last line without its end counts. Linear in the bytes that are read.
  [[nodiscard]] Line next();

 private:
  [[nodiscard]] bool read_more();
  [[nodiscard]] Line taken(std::size_t length, std::size_t line_end);

  int descriptor_;
  std::size_t longest_line_;
  const WakeUp* wake_up_;
  std::string buffer_{};
  std::size_t begin_ = 0;     ///< of what was not given out yet
  std::size_t searched_ = 0;  ///< no line end before this place
  bool is_passing_over_ = false;
  bool is_at_end_ = false;
};
}  // namespace kinetoscope::mcp
