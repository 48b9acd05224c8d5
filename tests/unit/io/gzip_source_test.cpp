#include "core/io/gzip_source.hpp"

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/io/diagnostics.hpp"
#include "core/io/memory_source.hpp"
#include "tests/unit/io/compress.hpp"

namespace kinetoscope::io {
namespace {

struct Inflated {
  std::string text;
  const DiagnosticKind* damage = nullptr;
  std::uint64_t trailing_bytes_notes = 0;
};

enum class Library { isal, zlib };

Inflated inflate(const std::string& bytes, Library library, std::size_t input_bytes = 1 << 20,
                 std::size_t read_bytes = 1 << 16) {
  GzipSource source(std::make_unique<MemorySource>(bytes, input_bytes),
                    library == Library::isal ? make_isal_inflater() : make_zlib_inflater());
  Inflated outcome;
  outcome.text = drained(source, read_bytes);
  outcome.damage = source.damage();
  Diagnostics diagnostics;
  source.report(diagnostics);
  outcome.trailing_bytes_notes = diagnostics.count(io_diagnostics::trailing_bytes);
  return outcome;
}

constexpr Library libraries[] = {Library::isal, Library::zlib};
}  // namespace

TEST_CASE("gzip: content comes whole at any size of input and output") {
  const std::string text = trace_like_text(3000);  // some 150 KB: more than deflate's window of 32 KB
  const std::string bytes = gzip(text);
  for (const Library library : libraries) {
    for (const std::size_t input_bytes : {1u, 2u, 7u, 8u, 9u, 4096u, 1u << 20}) {
      for (const std::size_t read_bytes : {1u, 13u, 4096u, 1u << 20}) {
        CAPTURE(input_bytes);
        CAPTURE(read_bytes);
        const Inflated outcome = inflate(bytes, library, input_bytes, read_bytes);
        CHECK(outcome.text == text);
        CHECK(outcome.damage == nullptr);
        CHECK(outcome.trailing_bytes_notes == 0);
      }
    }
  }
}

TEST_CASE("gzip: several members are one content, empty ones among them") {
  const std::string bytes = gzip("[1,") + gzip("") + gzip("2,") + gzip("3]");
  for (const Library library : libraries) {
    for (const std::size_t input_bytes : {1u, 3u, 5u, 64u}) {
      const Inflated outcome = inflate(bytes, library, input_bytes);
      CHECK(outcome.text == "[1,2,3]");
      CHECK(outcome.damage == nullptr);
    }
  }
}

TEST_CASE("gzip: ten thousand empty members give an empty content") {
  std::string bytes;
  for (int i = 0; i < 10000; ++i) bytes += gzip("");
  for (const Library library : libraries) CHECK(inflate(bytes, library).text.empty());
}

TEST_CASE("gzip: header fields of every kind are passed over") {
  std::string extra = "extra field";
  std::string name = "trace.json";
  std::string comment = "made by a test";
  gz_header header = {};
  header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = static_cast<uInt>(extra.size());
  header.name = reinterpret_cast<Bytef*>(name.data());
  header.comment = reinterpret_cast<Bytef*>(comment.data());
  header.hcrc = 1;
  std::string bytes = deflated("[]", 31, &header);
  for (const Library library : libraries) {
    CHECK(inflate(bytes, library, 1).text == "[]");
    CHECK(inflate(bytes, library, 1).damage == nullptr);
  }
  bytes[20] = 'X';  // inside the extra field: the header's checksum no longer fits
  for (const Library library : libraries) CHECK(inflate(bytes, library).damage == &io_diagnostics::corrupt_compression);
}

TEST_CASE("gzip: what follows the last member is noted, zero padding and rubbish alike") {
  const std::string padding(512, '\0');
  for (const std::string& tail : {padding, std::string("rubbish"), std::string("\x1f")}) {
    for (const Library library : libraries) {
      const Inflated outcome = inflate(gzip("[]") + tail, library);
      CHECK(outcome.text == "[]");
      CHECK(outcome.damage == nullptr);
      CHECK(outcome.trailing_bytes_notes == 1);
    }
  }
}

TEST_CASE("gzip: a later member that cannot be read costs nothing of those before it") {
  const std::string text = trace_like_text(3000);
  std::string other_method = gzip(text);
  other_method[2] = 7;
  std::string other_flags = gzip(text);
  other_flags[3] = static_cast<char>(0xe0);
  std::string no_deflate = gzip(text);
  no_deflate[10] = '\x07';  // a last block of the type that does not exist
  for (const Library library : libraries) {
    for (const std::string& later : {other_method, other_flags, no_deflate}) {
      const Inflated outcome = inflate(gzip(text) + later, library);
      CHECK(outcome.text == text);
      CHECK(outcome.damage == &io_diagnostics::corrupt_compression);
    }
    CHECK(inflate(gzip(text) + gzip(text).substr(0, 5), library).text == text);
    CHECK(inflate(gzip(text) + gzip(text).substr(0, 5), library).damage == &io_diagnostics::truncated_gzip);
  }
}

TEST_CASE("gzip: a cut at any byte is told, and a beginning of the text is delivered") {
  const std::string text = trace_like_text(40);
  const std::string bytes = gzip(text);
  for (const Library library : libraries) {
    for (std::size_t length = 2; length < bytes.size(); ++length) {
      CAPTURE(length);
      const Inflated outcome = inflate(bytes.substr(0, length), library);
      CHECK(outcome.damage == &io_diagnostics::truncated_gzip);
      CHECK(text.starts_with(outcome.text));
      if (length >= bytes.size() - 8) CHECK(outcome.text == text);  // only the trailer of 8 bytes is cut
    }
  }
}

TEST_CASE("gzip: stored blocks that are cut are delivered up to the last byte") {
  // One final stored block of 5 bytes: header 01, length 0005, its complement fffa; cut after "hel".
  const std::string bytes("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x05\0\xfa\xffhel", 18);
  for (const Library library : libraries) CHECK(inflate(bytes, library).text == "hel");
}

TEST_CASE("gzip: a wrong checksum or length is told after the content, a later member is not read") {
  const std::string text = trace_like_text(40);
  const std::string good = gzip(text);
  for (const std::size_t from_the_end : {1u, 4u, 5u, 8u}) {
    std::string bytes = good;
    bytes[bytes.size() - from_the_end] ^= 0x55;
    for (const Library library : libraries) {
      const Inflated outcome = inflate(bytes + gzip("more"), library);
      CHECK(outcome.text == text);
      CHECK(outcome.damage == &io_diagnostics::corrupt_compression);
    }
  }
}

TEST_CASE("gzip: a bad block ends the content where the damage is") {
  // Block type 3 does not exist: bits 1 (final), 11 (type): 0x07.
  const std::string bad("\x1f\x8b\x08\0\0\0\0\0\0\x03\x07 and more", 20);
  const std::string bytes = gzip("[1,") + bad;
  for (const Library library : libraries) {
    CHECK(inflate(bytes, library).text == "[1,");
    CHECK(inflate(bytes, library).damage == &io_diagnostics::corrupt_compression);
  }
}

TEST_CASE("gzip: any flipped byte gives damage or the right text, never other text unnoticed") {
  const std::string text = trace_like_text(30);
  const std::string good = gzip(text);
  for (const Library library : libraries) {
    for (std::size_t at = 10; at < good.size(); ++at) {
      std::string bytes = good;
      bytes[at] ^= 0x10;
      CAPTURE(at);
      const Inflated outcome = inflate(bytes, library);
      const bool is_padding_bit = outcome.text == text;  // behind the last code, before the next whole byte
      CHECK((outcome.damage != nullptr || is_padding_bit));
    }
  }
}
}  // namespace kinetoscope::io
