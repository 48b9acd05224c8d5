#include "core/study/strictness.hpp"

#include <array>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"
#include "core/trace/diagnostics.hpp"

namespace kinetoscope {
namespace {

constexpr std::array defects = {
    &io_diagnostics::truncated_gzip,         &io_diagnostics::truncated_zstd,
    &io_diagnostics::truncated_zip,          &io_diagnostics::missing_zip_directory,
    &io_diagnostics::oversized_zstd_window,  &io_diagnostics::corrupt_compression,
    &trace_diagnostics::truncated_json,      &trace_diagnostics::unterminated_root,
    &trace_diagnostics::broken_json,         &trace_diagnostics::oversized_event,
    &io_diagnostics::trailing_bytes,         &io_diagnostics::invalid_escape_repaired,
    &io_diagnostics::raw_control_characters, &io_diagnostics::invalid_utf8_replaced,
    &io_diagnostics::unescaped_quotes,       &io_diagnostics::nonfinite_number,
    &io_diagnostics::trailing_comma,         &io_diagnostics::invalid_literal,
    &trace_diagnostics::bytes_after_root,    &trace_diagnostics::not_an_event,
    &trace_diagnostics::invalid_metadata,    &trace_diagnostics::oversized_metadata,
    &trace_diagnostics::time_out_of_range,   &trace_diagnostics::negative_duration,
    &trace_diagnostics::invalid_number,
};

std::string place_of(const Trace& trace, const DiagnosticKind& kind) {
  for (const Diagnostic& found : trace.diagnostics().sorted()) {
    if (found.code == kind.code && found.first_offset) return fmt::format(", first at byte {}", *found.first_offset);
  }
  return "";
}
}  // namespace

void refuse_repaired(const Trace& trace) {
  const DiagnosticKind* first = nullptr;
  std::size_t others = 0;
  for (const DiagnosticKind* const kind : defects) {
    if (trace.diagnostics().count(*kind) == 0) continue;
    if (first == nullptr) {
      first = kind;
    } else {
      ++others;
    }
  }
  if (first == nullptr) return;
  std::string problem = fmt::format("{} {}{}", first->code, trace.diagnostics().count(*first), place_of(trace, *first));
  if (others > 0) problem += fmt::format(", and {} more kinds of defect", others);
  throw Error({.code = ErrorCode::input_defect, .problem = std::move(problem)});
}
}  // namespace kinetoscope
