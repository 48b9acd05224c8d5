#include "core/base/error.hpp"

#include <array>
#include <utility>

#include "core/base/format.hpp"

namespace kinetoscope {
namespace {

constexpr std::array error_table = {
    ErrorKind{ErrorCode::usage, "usage", 2, "the command line or the arguments do not fit", "see --help"},
    ErrorKind{ErrorCode::input_not_found, "input_not_found", 3, "there is no such file", "check the path"},
    ErrorKind{ErrorCode::input_unreadable, "input_unreadable", 3, "the file exists but cannot be read",
              "check permissions and the disk"},
    ErrorKind{ErrorCode::input_unsupported, "input_unsupported", 3, "the content is of a kind that cannot be read here",
              "export the trace as Chrome JSON, plain or compressed"},
    ErrorKind{ErrorCode::empty_input, "empty_input", 3,
              "the input holds no content, or none up to where it is cut or damaged",
              "record the trace again: the profiler wrote nothing"},
    ErrorKind{ErrorCode::not_a_trace, "not_a_trace", 3, "the content is JSON or text without trace events",
              "give a file with a traceEvents array"},
    ErrorKind{ErrorCode::input_defect, "input_defect", 3, "the input was repaired or cut, and --strict refuses that",
              "run without --strict to use what is readable"},
    ErrorKind{ErrorCode::output_not_writable, "output_not_writable", 2, "a result could not be written",
              "check the folder, permissions and free space"},
    ErrorKind{ErrorCode::limit_reached, "limit_reached", 4,
              "a stated limit was reached: there is no result, or tables lack what the line names",
              "give a smaller input"},
    ErrorKind{ErrorCode::scope_invalid, "scope_invalid", 2, "the scope is not of a known form", "see --help"},
    ErrorKind{ErrorCode::scope_matches_nothing, "scope_matches_nothing", 2, "nothing in the trace is in this scope",
              "see: kinetoscope info"},
    ErrorKind{ErrorCode::cannot_answer, "cannot_answer", 1, "the trace lacks what this question needs",
              "see: kinetoscope info"},
    ErrorKind{ErrorCode::interrupted, "interrupted", 130, "the run was interrupted", "start it again"},
    ErrorKind{ErrorCode::data_file_invalid, "data_file_invalid", 2, "a data file does not fit its schema",
              "correct the named field"},
    ErrorKind{ErrorCode::argument_invalid, "argument_invalid", 2, "an argument of a tool does not fit",
              "see: kinetoscope tools"},
    ErrorKind{ErrorCode::unknown_tool, "unknown_tool", 2, "there is no tool of this name", "see: kinetoscope tools"},
    ErrorKind{ErrorCode::unknown_trace, "unknown_trace", 2, "no trace with this handle is held",
              "call load_trace with the trace's path"},
    ErrorKind{ErrorCode::path_not_allowed, "path_not_allowed", 2,
              "the path is outside of the folders that the server may use", "start the server with --allow FOLDER"},
    ErrorKind{ErrorCode::internal, "internal", 70, "a mistake of ours", "report it with the trace's diagnostics"},
};

constexpr bool table_follows_enum() {
  for (std::size_t i = 0; i < error_table.size(); ++i) {
    if (static_cast<std::size_t>(error_table[i].code) != i) return false;
  }
  return error_table.size() == static_cast<std::size_t>(ErrorCode::internal) + 1;
}
static_assert(table_follows_enum());

void append(std::string& line, std::string_view separator, std::string_view part) {
  if (part.empty()) return;
  if (!line.empty()) line += separator;
  line += part;
}

std::string render(const Failure& failure) {
  const ErrorKind& kind = kind_of(failure.code);
  std::string line;
  if (!failure.input.empty()) line = printable(failure.input);
  if (!failure.argument.empty()) {
    append(line, ": ",
           failure.received.empty() ? failure.argument : failure.argument + " " + in_quotes(failure.received));
  }
  append(line, ": ", failure.problem.empty() ? kind.meaning : std::string_view(failure.problem));
  append(line, "; ", failure.accepted);
  append(line, "; ", failure.next.empty() ? kind.advice : std::string_view(failure.next));
  line += " [";
  line += kind.spelling;
  line += "]";
  return line;
}
}  // namespace

std::span<const ErrorKind> error_kinds() noexcept { return error_table; }

const ErrorKind& kind_of(ErrorCode code) noexcept { return error_table[static_cast<std::size_t>(code)]; }

Error::Error(Failure failure) : failure_(std::move(failure)), line_(render(failure_)) {}
}  // namespace kinetoscope
