#pragma once

// A trace's handle: a hash of the bytes of its file, so that the same file has the same handle in every run and under
// every path.

#include <stop_token>
#include <string>

namespace kinetoscope {

/// "t_" and 32 hexadecimal digits of XXH3's 128 bits. Reads the file once, as it is stored. Throws Error as opening the
/// file does, and interrupted soon after `stop` was asked for.
[[nodiscard]] std::string trace_identity(const std::string& path, const std::stop_token& stop = {});
}  // namespace kinetoscope
