// The program: from the command line to an exit status. Failures are one line on standard error.

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/report/redact.hpp"
#include "server/cli/command_line.hpp"
#include "server/cli/interrupt.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {
namespace {

int fail(const Error& error, const CommandLine& line) {
  std::string text = "kinetoscope: " + std::string(error.what());
  if (line.options.is_redacted) text = report::Redactor(line.inputs).text(text);
  write_error_line(text);
  return kind_of(error.code()).exit_status;
}

int run(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is an Error of the writer
  CommandLine line;
  try {
    line = parse_command_line(argc, argv);
    if (!line.command) {
      write_output(line.text);
      return 0;
    }
    Interrupt interrupt;
    line.command({line.options, interrupt.token()});
    return 0;
  } catch (const Error& error) {
    return fail(error, line);
  } catch (const std::bad_alloc&) {
    return fail(Error({.code = ErrorCode::limit_reached, .problem = "memory does not suffice"}), line);
  } catch (const std::exception& error) {
    return fail(Error({.code = ErrorCode::internal, .problem = error.what()}), line);
  }
}
}  // namespace
}  // namespace kinetoscope::cli

int main(int argc, char** argv) { return kinetoscope::cli::run(argc, argv); }
