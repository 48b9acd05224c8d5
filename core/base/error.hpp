#pragma once

// The one error type: a stable code, what is wrong with which input, and what to do. It carries facts, no sentence: the
// command line and the protocol layer each render their own. Thrown when a command or tool call cannot go on.

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace kinetoscope {

/// Stable: a code never changes its meaning. Spelling, exit status, meaning and advice: `error_kinds()`.
enum class ErrorCode : std::uint8_t {
  usage,
  input_not_found,
  input_unreadable,
  input_unsupported,
  empty_input,
  not_a_trace,
  input_defect,
  output_not_writable,
  limit_reached,
  scope_invalid,
  scope_matches_nothing,
  cannot_answer,
  interrupted,
  data_file_invalid,
  argument_invalid,
  unknown_tool,
  unknown_trace,
  path_not_allowed,
  internal,
};

/// What is documented about a code; docs/errors.md is made from the table.
struct ErrorKind {
  ErrorCode code = ErrorCode::internal;
  std::string_view spelling;
  int exit_status = 0;  ///< 2 usage; 3 the input cannot be read or is no trace; 4 a stated limit was reached
  std::string_view meaning;
  std::string_view advice;
};

/// All kinds, in the order of the enum.
[[nodiscard]] std::span<const ErrorKind> error_kinds() noexcept;
[[nodiscard]] const ErrorKind& kind_of(ErrorCode code) noexcept;

/// The facts of one failure. Text from outside is stored as it came and escaped where it is rendered.
struct Failure {
  ErrorCode code = ErrorCode::internal;
  std::string input{};     ///< file, or "-" for standard input; empty when no input is at fault
  std::string argument{};  ///< option or tool argument at fault
  std::string received{};  ///< its value
  std::string problem{};   ///< what is wrong, a clause without capital or full stop
  std::string accepted{};  ///< what would be right
  std::string next{};      ///< what to do: a command, a tool, or advice; empty for the kind's own advice
};

class Error final : public std::exception {
 public:
  explicit Error(Failure failure);
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }
  [[nodiscard]] ErrorCode code() const noexcept { return failure_.code; }
  /// The command line's line: `input: --argument "received": problem; accepted; next [code]`.
  [[nodiscard]] const char* what() const noexcept override { return line_.c_str(); }

 private:
  Failure failure_;
  std::string line_;
};
}  // namespace kinetoscope
