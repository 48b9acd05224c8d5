#pragma once

// Zstandard (RFC 8878) as a stream: all frames are one content, skippable frames are passed over. Decompresses straight
// into the caller's span; holds 256 KB of compressed bytes and the window that the frame asks for.
// Limit: a window of 128 MB (what `zstd` uses itself unless told --long); a frame that asks for more is refused with
// Error limit_reached, or ends the content where others came before it: oversized_zstd_window. Cut: truncated_zstd;
// damaged or with a wrong checksum: corrupt_compression; bytes after the last frame: trailing_bytes. What came before
// is delivered.

#include <cstdint>
#include <memory>
#include <string>

#include "core/io/buffered_input.hpp"
#include "core/io/byte_source.hpp"

// Declared by zstd.h, which stays in the source.
struct ZSTD_DCtx_s;

namespace kinetoscope::io {

class ZstdSource final : public ByteSource {
 public:
  static constexpr int largest_window_log = 27;

  /// `name` is what an Error calls the input.
  ZstdSource(std::unique_ptr<ByteSource> compressed, std::string name);

  [[nodiscard]] std::size_t read(std::span<char> into) override;
  [[nodiscard]] const DiagnosticKind* damage() const noexcept override;
  void report(Diagnostics& diagnostics) const override;

 private:
  enum class Place : std::uint8_t { between_frames, in_frame, at_end };
  struct ContextDeleter {
    void operator()(ZSTD_DCtx_s* context) const noexcept;
  };

  void begin_frame();
  std::size_t step(std::span<char> into);
  void fail(std::size_t code);
  void end_with(const DiagnosticKind* damage);

  BufferedInput input_;
  std::string name_;
  std::unique_ptr<ZSTD_DCtx_s, ContextDeleter> context_;
  Place place_ = Place::between_frames;
  bool has_frame_ = false;
  bool has_trailing_bytes_ = false;
  std::size_t hint_bytes_ = 0;  // how much input the library asks for next
  std::uint64_t delivered_bytes_ = 0;
  const DiagnosticKind* damage_ = nullptr;
};
}  // namespace kinetoscope::io
