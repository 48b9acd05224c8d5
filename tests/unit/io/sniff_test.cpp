#include "core/io/sniff.hpp"

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::io {

using namespace std::string_literals;

TEST_CASE("sniff: formats are told apart by their first bytes") {
  struct Case {
    std::string bytes;
    Format format;
  };
  const std::vector<Case> cases = {
      {"", Format::empty},
      {" \r\n\t", Format::empty},
      {"\xef\xbb\xbf", Format::empty},
      {"{", Format::json},
      {"\xef\xbb\xbf \n[{\"ph\":\"X\"}", Format::json},
      {"[\n  {", Format::json},
      {"{tid\": 0", Format::json},  // damaged, but meant as JSON: the importer says where
      {"\x1f\x8b\x08\0"s, Format::gzip},
      {"PK\x03\x04\x14", Format::zip},
      {"PK\x05\x06"s + std::string(18, '\0'), Format::zip},
      {"\x28\xb5\x2f\xfd\x04", Format::zstd},
      {"\x53\x2a\x4d\x18\x01\0\0\0"s, Format::zstd},
      {"\xff\xfe{\0\"\0"s, Format::utf16_json},
      {"\xfe\xff\0{"s, Format::utf16_json},
      {"\xff\xfe\0\0{\0\0\0"s, Format::utf32},
      {"{\0\"\0"s, Format::utf16_json},  // without a mark: little and big endian, behind white space, one unit only
      {"\0{\0\""s, Format::utf16_json},
      {"\r\0\n\0[\0"s, Format::utf16_json},
      {"\0["s, Format::utf16_json},
      {"{\0\0\0\"\0\0\0"s, Format::utf32},
      {"\0\0\0\n\0\0\0{"s, Format::utf32},
      {"BZh91AY&SY", Format::bzip2},
      {"\xfd"
       "7zXZ\0"s,
       Format::xz},
      {"\x04\x22\x4d\x18\x64", Format::lz4},
      {"7z\xbc\xaf\x27\x1c", Format::seven_zip},
      {"trace.json"s + std::string(247, '\0') + "ustar  ", Format::tar},
      {"SQLite format 3\0"s, Format::sqlite},
      {"\x0a\xb4\x01\x08\x02\x12\x09/host:CPU", Format::xplane},
      {"\x0a\xb4\x01\x12\x0d/device:GPU:0", Format::xplane},
      {"\x0a\x0e\x40\xe0\xd4\x03\x50\x01\x1a\x02\x08\x01", Format::perfetto},
      {"\x0a[\x32\x59\x0a\x04\x08\x06\x10\x01", Format::perfetto},  // a packet of '[' = 91 bytes is no JSON
      {"<!DOCTYPE HTML>\n", Format::html},
      {"\n<html lang=\"en\">", Format::html},
      {"<?xml version=\"1.0\"?>", Format::xml},
      {"version https://git-lfs.github.com/spec/v1\n", Format::git_lfs_pointer},
      {"\x7f"
       "ELF\x02",
       Format::elf},
      {"\x89PNG\r\n\x1a\n", Format::png},
      {"%PDF-1.7", Format::pdf},
      {"\x80\x04\x95\x10", Format::pickle},
      {std::string(4096, '\0'), Format::zeros},
      {"name,dur\naten::mm,5\n", Format::text},
      {"\"traceEvents\": [", Format::text},
      {"\xc0\xff\x01\x02\x03", Format::binary},
  };
  std::set<Format> seen;
  for (const Case& c : cases) {
    CAPTURE(c.bytes);
    CHECK(kind_of(sniff_format(c.bytes)).spelling == kind_of(c.format).spelling);
    seen.insert(c.format);
  }
  CHECK(seen.size() == static_cast<std::size_t>(Format::binary) + 1);  // each format has a case
}

TEST_CASE("sniff: what is refused comes with its own advice") {
  const auto usual = [](Format format) {  // JSON, or a wrapping that is read, or empty, which is another error
    return format <= Format::zstd;
  };
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Format::binary); ++i) {
    const FormatKind& kind = kind_of(static_cast<Format>(i));
    CAPTURE(kind.spelling);
    CHECK(kind.advice.empty() == usual(kind.format));
  }
}

TEST_CASE("sniff: every beginning of any input has an answer") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(40, static_cast<char>(byte));
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
      CHECK(!kind_of(sniff_format(bytes.substr(0, length))).spelling.empty());
    }
  }
}
}  // namespace kinetoscope::io
