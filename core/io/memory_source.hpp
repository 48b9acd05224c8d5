#pragma once

// Bytes that already stand in memory, as a source: for tests and for small texts. Reads can be kept short, as those of
// a pipe are.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/io/byte_source.hpp"

namespace kinetoscope::io {

class MemorySource final : public ByteSource {
 public:
  /// No read returns more than `most_bytes_per_read`, which is at least 1.
  explicit MemorySource(std::string bytes, std::size_t most_bytes_per_read = std::numeric_limits<std::size_t>::max())
      : bytes_(std::move(bytes)), most_bytes_per_read_(most_bytes_per_read) {}

  [[nodiscard]] std::size_t read(std::span<char> into) override {
    const std::size_t count = std::min({into.size(), most_bytes_per_read_, bytes_.size() - position_});
    std::copy_n(bytes_.data() + position_, count, into.data());
    position_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t most_bytes_per_read_;
  std::size_t position_ = 0;
};
}  // namespace kinetoscope::io
