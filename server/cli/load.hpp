#pragma once

// A trace loaded as a command wants it: with the session's options and its progress on standard error.

#include <new>
#include <string>

#include "core/base/error.hpp"
#include "core/study/study.hpp"
#include "server/cli/command_line.hpp"
#include "server/cli/progress.hpp"

namespace kinetoscope::cli {

/// What `ask` makes of the loaded trace, which is forgotten then. Throws Error, limit_reached where memory does not
/// suffice.
template <typename Ask>
[[nodiscard]] auto ask_trace(const std::string& name, const Session& session, Ask ask) {
  ProgressLine line(name, session.options.shows_progress);
  try {
    const auto study = load_study(name, {.threads = session.options.threads,
                                         .strict = session.options.is_strict,
                                         .stop = session.stop,
                                         .on_progress = [&](const LoadProgress& progress) { line.show(progress); }});
    return ask(*study);
  } catch (const std::bad_alloc&) {
    throw Error({.code = ErrorCode::limit_reached, .input = name, .problem = "memory does not suffice"});
  }
}
}  // namespace kinetoscope::cli
