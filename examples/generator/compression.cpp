#include "examples/generator/compression.hpp"

#include <array>

#include <zlib.h>

#include "core/base/error.hpp"
#include "core/base/narrow.hpp"

namespace kinetoscope::examples {
namespace {

constexpr int gzip_window_bits = 15 + 16;  // zlib: 16 more asks for gzip framing

Bytef* input_of(std::string_view text) {
  // zlib takes a pointer to what it only reads; the cast is its documented use.
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT
}

class Deflater {
 public:
  Deflater() { deflateInit2(&stream_, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window_bits, 9, Z_DEFAULT_STRATEGY); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  [[nodiscard]] std::string run(std::string_view text, int flush) {
    stream_.next_in = input_of(text);
    stream_.avail_in = narrow<uInt>(text.size());
    std::string out;
    std::array<char, 16384> piece{};
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());  // NOLINT: bytes are bytes
      stream_.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream_, flush);
      out.append(piece.data(), piece.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return out;
  }

 private:
  z_stream stream_{};
};
}  // namespace

std::string gzip(std::string_view text) {
  std::string out = Deflater().run(text, Z_FINISH);
  out[9] = 3;  // the operating system field, so that the bytes do not depend on how zlib was built
  return out;
}

std::string gzip_cut_after(std::string_view text, std::size_t kept) {
  return Deflater().run(text.substr(0, kept), Z_FULL_FLUSH);
}

std::string gunzip(std::string_view bytes) {
  z_stream stream{};
  inflateInit2(&stream, gzip_window_bits);
  stream.next_in = input_of(bytes);
  stream.avail_in = narrow<uInt>(bytes.size());
  std::string out;
  std::array<char, 16384> piece{};
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());  // NOLINT: bytes are bytes
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) {
    throw Error({.code = ErrorCode::input_unreadable, .problem = "this is no whole gzip member"});
  }
  return out;
}
}  // namespace kinetoscope::examples
