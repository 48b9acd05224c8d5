#include "server/cli/failure.hpp"

#include <utility>
#include <vector>

#include "core/report/redact.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {
namespace {

/// Without the files of a folder: their names bear host names.
std::string redacted_line(const Error& error, std::span<const std::string> inputs) {
  Failure failure = error.failure();
  if (failure.code == ErrorCode::input_unreadable) failure.accepted.clear();
  return report::Redactor({inputs.begin(), inputs.end()}).text(Error(std::move(failure)).what());
}
}  // namespace

int report_failure(const Error& error, std::span<const std::string> inputs, bool is_redacted) {
  write_error_line("kinetoscope: " + (is_redacted ? redacted_line(error, inputs) : std::string(error.what())));
  return kind_of(error.code()).exit_status;
}
}  // namespace kinetoscope::cli
