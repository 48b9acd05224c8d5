#pragma once

// Finds where the elements of a JSON array end, by depth, without parsing them: what windows of a trace are cut by.
//
// `},{` also occurs inside arguments and strings, and exporters write many lines an event, so neither text nor line
// ends are a safe place to cut. Braces and brackets are counted outside strings, 64 bytes at a time (as bit masks; the
// quote parity of a block is a prefix exclusive-or), with AVX2 where the processor has it. It believes that quotes
// inside strings are escaped, and so is wrong on damaged files, which the caller notices when the parser refuses the
// window.

#include <cstddef>
#include <cstdint>

namespace kinetoscope::io {

class EventScanner {
 public:
  static constexpr std::size_t none = SIZE_MAX;
  /// Bytes behind the scanned range that must be readable, whatever they hold.
  static constexpr std::size_t padding_bytes = 64;

  /// Goes on scanning `data` from `from`, where the last scan ended, to `to`. Stops at the array's own closing bracket.
  void scan(const char* data, std::size_t from, std::size_t to) noexcept;
  /// The same without instructions that not every processor has: for tests.
  void scan_portably(const char* data, std::size_t from, std::size_t to) noexcept;
  /// Starts again at the top level of the array, outside strings.
  void reset() noexcept { state_ = {}; }

  /// Behind the last complete object or list, or none. Since the last reset().
  [[nodiscard]] std::size_t last_end() const noexcept { return state_.last_end; }
  /// At the array's closing bracket, or none.
  [[nodiscard]] std::size_t array_end() const noexcept { return state_.array_end; }

  struct State {
    std::int64_t depth = 0;
    std::uint64_t in_string = 0;  ///< all ones inside a string
    bool next_is_escaped = false;
    std::size_t last_end = none;
    std::size_t array_end = none;
  };

 private:
  State state_;
};
}  // namespace kinetoscope::io
