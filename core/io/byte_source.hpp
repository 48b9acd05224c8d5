#pragma once

// Bytes from somewhere, in order, once: the seam between the importers and files, pipes, decompressors and tests.
// Sources are stacked: each owns the one it reads from. One reader at a time; moving between threads is fine.

#include <cstddef>
#include <span>

#include "core/base/diagnostics.hpp"

namespace kinetoscope::io {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Fills some of `into`, which is never empty, and says how many bytes; 0 only at the end, and then ever after.
  /// Damage to the content ends the stream. Throws Error when the input cannot be read at all, or when a limit is
  /// reached.
  [[nodiscard]] virtual std::size_t read(std::span<char> into) = 0;
  /// After the end: what cut the stream short, at the offset that was reached; nullptr when it is whole. Not owned.
  [[nodiscard]] virtual const DiagnosticKind* damage() const noexcept { return nullptr; }
  /// Adds what is to be noted besides damage, here and in the sources below. Complete after the end.
  virtual void report(Diagnostics& diagnostics) const { static_cast<void>(diagnostics); }
};

/// Reads until `into` is full or the stream ends; how many bytes.
[[nodiscard]] inline std::size_t read_fully(ByteSource& source, std::span<char> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const std::size_t count = source.read(into.subspan(filled));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}
}  // namespace kinetoscope::io
