#pragma once

// Gzip (RFC 1952) as a stream: all members are one content, as writers that append make them. Inflates straight into
// the caller's span, so the cost is the inflater's; holds 256 KB of compressed bytes. What may follow the last member
// (zero padding, rubbish) is noted as trailing_bytes. A stream that ends early is truncated_gzip; a bad block, header
// or checksum is corrupt_compression. What came before is delivered.

#include <cstdint>
#include <memory>

#include "core/io/buffered_input.hpp"
#include "core/io/byte_source.hpp"
#include "core/io/inflater.hpp"

namespace kinetoscope::io {

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed,
                      std::unique_ptr<Inflater> inflater = make_isal_inflater());

  [[nodiscard]] std::size_t read(std::span<char> into) override;
  [[nodiscard]] const DiagnosticKind* damage() const noexcept override;
  void report(Diagnostics& diagnostics) const override;

 private:
  enum class Place : std::uint8_t { between_members, in_member, at_end };

  void begin_member();
  void end_member();
  void end_with(const DiagnosticKind* damage);

  BufferedInput input_;
  std::unique_ptr<Inflater> inflater_;
  Place place_ = Place::between_members;
  bool has_member_ = false;
  bool has_trailing_bytes_ = false;
  std::uint32_t member_bytes_ = 0;  // modulo 2^32, as the trailer has it
  std::uint64_t delivered_bytes_ = 0;
  const DiagnosticKind* damage_ = nullptr;
};
}  // namespace kinetoscope::io
