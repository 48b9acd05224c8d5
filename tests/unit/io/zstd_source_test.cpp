#include "core/io/zstd_source.hpp"

#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/memory_source.hpp"
#include "tests/unit/io/compress.hpp"

namespace kinetoscope::io {
namespace {

struct Decompressed {
  std::string text;
  const DiagnosticKind* damage = nullptr;
  std::uint64_t trailing_bytes_notes = 0;
};

Decompressed decompress(const std::string& bytes, std::size_t input_bytes = 1 << 20, std::size_t read_bytes = 1 << 16) {
  ZstdSource source(std::make_unique<MemorySource>(bytes, input_bytes), "trace.zst");
  Decompressed outcome;
  outcome.text = drained(source, read_bytes);
  outcome.damage = source.damage();
  Diagnostics diagnostics;
  source.report(diagnostics);
  outcome.trailing_bytes_notes = diagnostics.count(io_diagnostics::trailing_bytes);
  return outcome;
}
}  // namespace

TEST_CASE("zstd: content comes whole at any size of input and output") {
  const std::string text = trace_like_text(3000);
  const std::string bytes = zstd(text);
  for (const std::size_t input_bytes : {1u, 3u, 4096u, 1u << 20}) {
    for (const std::size_t read_bytes : {1u, 13u, 1u << 20}) {
      const Decompressed outcome = decompress(bytes, input_bytes, read_bytes);
      CHECK(outcome.text == text);
      CHECK(outcome.damage == nullptr);
    }
  }
}

TEST_CASE("zstd: frames follow one another, skippable and empty ones add nothing") {
  const std::string skippable("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);  // magic 0x184d2a5a, length 3
  const std::string bytes = skippable + zstd("[1,") + zstd("") + skippable + zstd("2]");
  for (const std::size_t input_bytes : {1u, 5u, 64u}) {
    CHECK(decompress(bytes, input_bytes).text == "[1,2]");
    CHECK(decompress(bytes, input_bytes).damage == nullptr);
  }
}

TEST_CASE("zstd: a cut at any byte is told, and a beginning of the text is delivered") {
  const std::string text = trace_like_text(40);
  const std::string bytes = zstd(text);
  for (std::size_t length = 4; length < bytes.size(); ++length) {
    CAPTURE(length);
    const Decompressed outcome = decompress(bytes.substr(0, length));
    CHECK(outcome.damage == &io_diagnostics::truncated_zstd);
    CHECK(text.starts_with(outcome.text));
  }
}

TEST_CASE("zstd: a wrong checksum is told after the content") {
  const std::string text = trace_like_text(40);
  std::string bytes = zstd(text);
  bytes.back() ^= 0x55;
  CHECK(decompress(bytes).text == text);
  CHECK(decompress(bytes).damage == &io_diagnostics::corrupt_compression);
}

TEST_CASE("zstd: what follows the last frame is noted") {
  for (const std::string& tail : {std::string(100, '\0'), std::string("rubbish"), std::string("\x28")}) {
    const Decompressed outcome = decompress(zstd("[]") + tail);
    CHECK(outcome.text == "[]");
    CHECK(outcome.damage == nullptr);
    CHECK(outcome.trailing_bytes_notes == 1);
  }
}

TEST_CASE("zstd: a frame may ask for a window of 128 MB, not for more") {
  CHECK(decompress(zstd("[]", 27)).text == "[]");
  try {
    static_cast<void>(decompress(zstd("[]", 28)));
    FAIL("a window of 256 MB was accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::limit_reached);
    CHECK(error.failure().input == "trace.zst");
  }
}

TEST_CASE("zstd: a later frame that cannot be read costs nothing of those before it") {
  const std::string text = trace_like_text(3000);
  std::string damaged = zstd(text);
  damaged[4] = static_cast<char>(damaged[4] | 0x08);  // the frame header's reserved bit (RFC 8878, 3.1.1.1.1.4)
  for (const std::size_t input_bytes : {1u, 4096u, 1u << 20}) {
    CAPTURE(input_bytes);
    const Decompressed too_wide = decompress(zstd(text) + zstd("[]", 28), input_bytes);
    CHECK(too_wide.text == text);
    CHECK(too_wide.damage == &io_diagnostics::oversized_zstd_window);
    const Decompressed broken = decompress(zstd(text) + damaged, input_bytes);
    CHECK(broken.text == text);
    CHECK(broken.damage == &io_diagnostics::corrupt_compression);
  }
  // Behind frames without content nothing is lost: refused as a first frame is.
  CHECK_THROWS_AS(static_cast<void>(decompress(zstd("") + zstd("[]", 28))), Error);
}
}  // namespace kinetoscope::io
