// The program: from the command line to an exit status. Failures are one line on standard error.

#include <csignal>
#include <exception>
#include <new>

#include "core/base/error.hpp"
#include "server/cli/command_line.hpp"
#include "server/cli/failure.hpp"
#include "server/cli/interrupt.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {
namespace {

int fail(const Error& error, const CommandLine& line) {
  return report_failure(error, line.inputs, line.options.is_redacted);
}

int run(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is an Error of the writer
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that may not grow
  CommandLine line;
  try {
    line = parse_command_line(argc, argv);
    if (!line.command) {
      write_output(line.text);
      return 0;
    }
    Interrupt interrupt(line.ending);
    return line.command({line.options, interrupt.token()});
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
