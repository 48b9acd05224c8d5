#pragma once

// The text of a file that a user writes by hand: a platform, operators. Read whole, and no further than a limit, so
// that another file named by mistake costs no memory.

#include <cstddef>
#include <string>

namespace kinetoscope::perf_model {

/// Throws Error data_file_invalid of a longer file, with `next` as the advice, and what FileSource throws.
[[nodiscard]] std::string read_data_file(const std::string& path, std::size_t most_bytes, const std::string& next);
}  // namespace kinetoscope::perf_model
