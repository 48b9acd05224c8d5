#pragma once

// A source whose first bytes were looked at already: they are given again, then the rest passes through uncopied.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/byte_source.hpp"

namespace kinetoscope::io {

class PeekedSource final : public ByteSource {
 public:
  /// Reads up to `most_bytes` of `source` at once.
  PeekedSource(std::unique_ptr<ByteSource> source, std::size_t most_bytes)
      : source_(std::move(source)), first_(most_bytes, '\0') {
    first_.resize(read_fully(*source_, first_));
  }

  /// All that was looked at. Valid as long as this source.
  [[nodiscard]] std::string_view first_bytes() const noexcept { return first_; }

  [[nodiscard]] std::size_t read(std::span<char> into) override {
    if (given_ == first_.size()) return source_->read(into);
    const std::size_t count = std::min(into.size(), first_.size() - given_);
    std::copy_n(first_.data() + given_, count, into.data());
    given_ += count;
    return count;
  }
  [[nodiscard]] const DiagnosticKind* damage() const noexcept override { return source_->damage(); }
  void report(Diagnostics& diagnostics) const override { source_->report(diagnostics); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string first_;
  std::size_t given_ = 0;
};
}  // namespace kinetoscope::io
