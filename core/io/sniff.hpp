#pragma once

// What a stream of bytes is, told by its first bytes and never by a name. Signatures come from the formats' own
// specifications; protocol buffers have none, so Perfetto and XPlane are recognised by the shape of their first field.

#include <cstdint>
#include <string_view>

namespace kinetoscope::io {

enum class Format : std::uint8_t {
  empty,  ///< no bytes, or nothing but white space
  json,
  gzip,
  zip,
  zstd,
  utf16_json,
  utf32,
  bzip2,
  xz,
  lz4,
  seven_zip,
  tar,
  sqlite,
  xplane,
  perfetto,
  html,
  xml,
  git_lfs_pointer,
  elf,
  png,
  pdf,
  pickle,
  zeros,
  text,
  binary,
};

/// What to call a format when it is refused, and what to do about it; "" for the usual advice.
struct FormatKind {
  Format format = Format::binary;
  std::string_view spelling;
  std::string_view advice;
};
[[nodiscard]] const FormatKind& kind_of(Format format) noexcept;

/// As many first bytes as help; fewer when the input is shorter.
inline constexpr std::size_t sniffed_bytes = 4096;
/// O(length of `first_bytes`).
[[nodiscard]] Format sniff_format(std::string_view first_bytes) noexcept;
}  // namespace kinetoscope::io
