#include "core/io/gzip_header.hpp"

#include <optional>

#include <zlib.h>

namespace kinetoscope::io {
namespace {

constexpr std::size_t fixed_bytes = 10;
constexpr unsigned deflate_method = 8;
constexpr unsigned flag_header_crc = 0x02;
constexpr unsigned flag_extra = 0x04;
constexpr unsigned flag_name = 0x08;
constexpr unsigned flag_comment = 0x10;
constexpr unsigned reserved_flags = 0xe0;

/// Takes bytes and keeps their checksum.
class HeaderBytes {
 public:
  explicit HeaderBytes(BufferedInput& input) : input_(input) {}

  std::optional<unsigned> take() {
    const std::string_view bytes = input_.peek();
    if (bytes.empty()) return {};
    const auto byte = static_cast<unsigned char>(bytes.front());
    crc_ = ::crc32(crc_, &byte, 1);
    input_.consume(1);
    return byte;
  }
  std::optional<unsigned> take_two() {
    const auto low = take();
    const auto high = take();
    if (!low || !high) return {};
    return *low | *high << 8;
  }
  bool skip(std::size_t count) {
    while (count > 0 && take()) --count;
    return count == 0;
  }
  bool skip_text() {
    auto byte = take();
    while (byte && *byte != 0) byte = take();
    return byte.has_value();
  }
  unsigned crc16() const noexcept { return static_cast<unsigned>(crc_ & 0xffff); }

 private:
  BufferedInput& input_;
  uLong crc_ = 0;
};
}  // namespace

GzipHeader take_gzip_header(BufferedInput& input) {
  const std::string_view start = input.peek(fixed_bytes);
  if (start.empty()) return GzipHeader::none;
  if (!start.starts_with("\x1f\x8b")) return GzipHeader::no_gzip;
  if (start.size() < fixed_bytes) return GzipHeader::truncated;
  const auto flags = static_cast<unsigned char>(start[3]);
  if (static_cast<unsigned char>(start[2]) != deflate_method || (flags & reserved_flags) != 0)
    return GzipHeader::corrupt;

  HeaderBytes bytes(input);
  if (!bytes.skip(fixed_bytes)) return GzipHeader::truncated;
  if ((flags & flag_extra) != 0) {
    const auto length = bytes.take_two();
    if (!length || !bytes.skip(*length)) return GzipHeader::truncated;
  }
  if ((flags & flag_name) != 0 && !bytes.skip_text()) return GzipHeader::truncated;
  if ((flags & flag_comment) != 0 && !bytes.skip_text()) return GzipHeader::truncated;
  if ((flags & flag_header_crc) == 0) return GzipHeader::member;
  const unsigned computed = bytes.crc16();
  const auto stated = bytes.take_two();
  if (!stated) return GzipHeader::truncated;
  return *stated == computed ? GzipHeader::member : GzipHeader::corrupt;
}
}  // namespace kinetoscope::io
