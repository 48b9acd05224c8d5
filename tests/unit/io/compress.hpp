#pragma once

// Makes compressed inputs for the tests of core/io, by the libraries' own compressors, and drains sources.

#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>
#include <zstd.h>

#include "core/io/byte_source.hpp"

namespace kinetoscope::io {

/// Deflate data; `window_bits` as zlib has it: 31 with gzip header and trailer, -15 raw.
inline std::string deflated(std::string_view text, int window_bits, gz_header* header = nullptr) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  if (header != nullptr) deflateSetHeader(&stream, header);
  std::string out(deflateBound(&stream, text.size()) + 4096, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip(std::string_view text) { return deflated(text, 31); }

/// One frame with a checksum.
inline std::string zstd(std::string_view text, int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  if (window_log != 0) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_outBuffer output = {out.data(), out.size(), 0};
  ZSTD_inBuffer input = {text.data(), text.size(), 0};
  // Two calls: had one call all of the input, it would shrink the window to it.
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush);
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_end);
  out.resize(output.pos);
  ZSTD_freeCCtx(context);
  return out;
}

/// Text that compresses well and spans more than one window of deflate.
inline std::string trace_like_text(std::size_t events) {
  std::string text = "[";
  for (std::size_t i = 0; i < events; ++i) {
    text += R"({"ph":"X","name":"aten::mm","ts":)" + std::to_string(i * 7919 % 100003) + R"(,"dur":)" +
            std::to_string(i) + "},\n";
  }
  return text + "{}]";
}

/// Everything that `source` gives, by reads of at most `read_bytes`.
inline std::string drained(ByteSource& source, std::size_t read_bytes = 1 << 16) {
  std::string out;
  std::vector<char> buffer(read_bytes);
  for (std::size_t count = source.read(buffer); count > 0; count = source.read(buffer))
    out.append(buffer.data(), count);
  return out;
}
}  // namespace kinetoscope::io
