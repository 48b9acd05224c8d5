#pragma once

// gzip by zlib, the same bytes on every run: no file name, no time. For the committed traces and for damaged archives.

#include <cstddef>
#include <string>
#include <string_view>

namespace kinetoscope::examples {

/// One gzip member that holds `text`.
[[nodiscard]] std::string gzip(std::string_view text);

/// A member cut off so that an inflater yields exactly the first `kept` bytes of `text`: the deflate stream is flushed
/// to a byte boundary there, and nothing follows.
[[nodiscard]] std::string gzip_cut_after(std::string_view text, std::size_t kept);

/// The text of one whole member. Throws Error when `bytes` is none.
[[nodiscard]] std::string gunzip(std::string_view bytes);
}  // namespace kinetoscope::examples
