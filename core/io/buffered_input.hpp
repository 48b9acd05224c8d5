#pragma once

// The input side of a decompressor: compressed bytes as they come, some of which may be looked at before they are
// taken.

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/byte_source.hpp"

namespace kinetoscope::io {

class BufferedInput {
 public:
  static constexpr std::size_t capacity_bytes = std::size_t{256} * 1024;

  explicit BufferedInput(std::unique_ptr<ByteSource> upstream)
      : upstream_(std::move(upstream)), buffer_(capacity_bytes) {}

  /// At least `wanted` bytes (at most the capacity), fewer only at the end. Valid until the next call.
  [[nodiscard]] std::string_view peek(std::size_t wanted = 1) {
    if (end_ - begin_ < wanted) refill(wanted);
    return {buffer_.data() + begin_, end_ - begin_};
  }
  /// Takes `count` bytes of what was peeked.
  void consume(std::size_t count) noexcept { begin_ += count; }

  [[nodiscard]] const ByteSource& upstream() const noexcept { return *upstream_; }

 private:
  void refill(std::size_t wanted) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    while (end_ < wanted) {
      const std::size_t count = upstream_->read(std::span(buffer_).subspan(end_));
      if (count == 0) break;
      end_ += count;
    }
  }

  std::unique_ptr<ByteSource> upstream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};
}  // namespace kinetoscope::io
