#include "core/io/sniff.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kinetoscope::io {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view decompress_it = "decompress it first, or compress with gzip or zstd";
constexpr std::string_view export_it =
    "export the trace as Chrome JSON: torch.profiler's export_chrome_trace(\"trace.json.gz\")";
constexpr std::string_view record_it =
    "record the workload with torch.profiler, and export it with export_chrome_trace(\"trace.json.gz\")";
constexpr std::array format_table = {
    FormatKind{Format::empty, "empty", ""},
    FormatKind{Format::json, "JSON", ""},
    FormatKind{Format::gzip, "gzip", ""},
    FormatKind{Format::zip, "zip", ""},
    FormatKind{Format::zstd, "zstd", ""},
    FormatKind{Format::utf16_json, "UTF-16 text", "convert it to UTF-8"},
    FormatKind{Format::utf32, "UTF-32 text", "convert it to UTF-8"},
    FormatKind{Format::bzip2, "bzip2", decompress_it},
    FormatKind{Format::xz, "xz", decompress_it},
    FormatKind{Format::lz4, "LZ4 frame", decompress_it},
    FormatKind{Format::seven_zip, "7z archive", decompress_it},
    FormatKind{Format::tar, "tar archive", "extract the trace first"},
    FormatKind{Format::sqlite, "SQLite database (as of nsys or rocpd)", record_it},
    FormatKind{Format::xplane, "XPlane protocol buffer (as of XProf)",
               "give the .trace.json.gz that the profiler may have written beside it"},
    FormatKind{Format::perfetto, "Perfetto protocol buffer",
               "convert it with Perfetto's traceconv: traceconv json IN OUT"},
    FormatKind{Format::html, "HTML page", "download the trace itself, not the page that links to it"},
    FormatKind{Format::xml, "XML document", export_it},
    FormatKind{Format::git_lfs_pointer, "Git LFS pointer", "fetch the file itself: git lfs pull"},
    FormatKind{Format::elf, "ELF program", "give the trace, not the program"},
    FormatKind{Format::png, "PNG image", "give the trace, not a picture of it"},
    FormatKind{Format::pdf, "PDF document", "give the trace, not a document about it"},
    FormatKind{Format::pickle, "Python pickle (as of torch.save and memory snapshots)", export_it},
    FormatKind{Format::zeros, "file of zero bytes", "record the trace again: the disk holds no content"},
    FormatKind{Format::text, "plain text", export_it},
    FormatKind{Format::binary, "unknown binary data",
               "give Chrome JSON; reports as of Nsight Systems (.nsys-rep) cannot be read here"},
};

constexpr bool table_follows_enum() {
  for (std::size_t i = 0; i < format_table.size(); ++i) {
    if (static_cast<std::size_t>(format_table[i].format) != i) return false;
  }
  return format_table.size() == static_cast<std::size_t>(Format::binary) + 1;
}
static_assert(table_follows_enum());

struct Signature {
  std::string_view bytes;
  Format format = Format::binary;
};
constexpr std::array signatures = {
    Signature{"\x1f\x8b"sv, Format::gzip},
    Signature{"PK\x03\x04"sv, Format::zip},
    Signature{"PK\x05\x06"sv, Format::zip},  // without members
    Signature{"PK\x07\x08"sv, Format::zip},  // one of several volumes
    Signature{"\x28\xb5\x2f\xfd"sv, Format::zstd},
    Signature{"\xff\xfe\0\0"sv, Format::utf32},
    Signature{"\0\0\xfe\xff"sv, Format::utf32},
    Signature{"\xff\xfe"sv, Format::utf16_json},
    Signature{"\xfe\xff"sv, Format::utf16_json},
    Signature{"BZh"sv, Format::bzip2},
    Signature{"\xfd\x37zXZ\0"sv, Format::xz},
    Signature{"\x04\x22\x4d\x18"sv, Format::lz4},
    Signature{"7z\xbc\xaf\x27\x1c"sv, Format::seven_zip},
    Signature{"SQLite format 3\0"sv, Format::sqlite},
    Signature{"\x7f\x45LF"sv, Format::elf},
    Signature{"\x89PNG\r\n\x1a\n"sv, Format::png},
    Signature{"%PDF-"sv, Format::pdf},
    Signature{"version https://git-lfs"sv, Format::git_lfs_pointer},
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view white_space = " \t\r\n";
constexpr std::size_t tar_magic_offset = 257;

unsigned char byte_at(std::string_view bytes, std::size_t position) noexcept {
  return position < bytes.size() ? static_cast<unsigned char>(bytes[position]) : '\0';
}

/// ASCII, case ignored.
bool starts_with_word(std::string_view text, std::string_view lower_case) noexcept {
  if (text.size() < lower_case.size()) return false;
  return std::ranges::equal(text.substr(0, lower_case.size()), lower_case, [](char from_text, char wanted) {
    return from_text == wanted || (from_text >= 'A' && from_text <= 'Z' && from_text + ('a' - 'A') == wanted);
  });
}

bool is_control(unsigned char byte) noexcept {
  return byte < 0x20 && white_space.find(static_cast<char>(byte)) == std::string_view::npos;
}

bool has_control(std::string_view text) noexcept {
  return std::ranges::any_of(text, [](char c) { return is_control(static_cast<unsigned char>(c)); });
}

bool is_skippable_zstd_frame(std::string_view bytes) noexcept {
  return (byte_at(bytes, 0) & 0xf0) == 0x50 && bytes.size() >= 4 && bytes.substr(1, 3) == "\x2a\x4d\x18";
}

bool is_pickle(std::string_view bytes) noexcept {  // PROTO 2 to 5, then an opcode
  return byte_at(bytes, 0) == 0x80 && byte_at(bytes, 1) >= 2 && byte_at(bytes, 1) <= 5;
}

/// Moves past a variable-length integer; false when there is none.
bool skip_varint(std::string_view bytes, std::size_t& position) noexcept {
  for (int i = 0; i < 10 && position < bytes.size(); ++i) {
    if ((byte_at(bytes, position++) & 0x80) == 0) return true;
  }
  return false;
}

/// Both formats are one repeated field 1 of messages: an XPlane has its id (field 1) or name (field 2, as "/host:CPU")
/// first, a TracePacket any of its own fields.
std::optional<Format> protocol_buffer(std::string_view bytes) noexcept {
  std::size_t position = 1;
  if (byte_at(bytes, 0) != 0x0a || !skip_varint(bytes, position) || position >= bytes.size()) return {};
  std::size_t plane = position;
  if (byte_at(bytes, plane) == 0x08 && !skip_varint(bytes, ++plane)) return {};
  if (byte_at(bytes, plane) == 0x12 && skip_varint(bytes, ++plane) && byte_at(bytes, plane) == '/')
    return Format::xplane;
  const unsigned tag = byte_at(bytes, position);
  const unsigned wire_type = tag & 7;
  const bool is_tag = tag >= 8 && (wire_type == 0 || wire_type == 1 || wire_type == 2 || wire_type == 5);
  if (is_tag && has_control(bytes.substr(0, 64))) return Format::perfetto;
  return {};
}

/// JSON in code units of 2 or 4 bytes, told without a byte order mark by the zeros around its first bracket: no JSON in
/// UTF-8 has a zero byte.
bool is_wide_json(std::string_view bytes, std::size_t unit_bytes, std::size_t letter) noexcept {
  for (; bytes.size() >= unit_bytes; bytes.remove_prefix(unit_bytes)) {
    for (std::size_t i = 0; i < unit_bytes; ++i) {
      if (i != letter && bytes[i] != '\0') return false;
    }
    if (bytes[letter] == '{' || bytes[letter] == '[') return true;
    if (white_space.find(bytes[letter]) == std::string_view::npos) return false;
  }
  return false;
}

bool is_json(std::string_view content) noexcept { return content.front() == '{' || content.front() == '['; }
}  // namespace

const FormatKind& kind_of(Format format) noexcept { return format_table[static_cast<std::size_t>(format)]; }

Format sniff_format(std::string_view bytes) noexcept {
  for (const Signature& signature : signatures) {
    if (bytes.starts_with(signature.bytes)) return signature.format;
  }
  // Before UTF-16, whose pattern is part of this one.
  if (is_wide_json(bytes, 4, 0) || is_wide_json(bytes, 4, 3)) return Format::utf32;
  if (is_wide_json(bytes, 2, 0) || is_wide_json(bytes, 2, 1)) return Format::utf16_json;
  if (is_skippable_zstd_frame(bytes)) return Format::zstd;
  if (is_pickle(bytes)) return Format::pickle;
  if (bytes.size() > tar_magic_offset && bytes.substr(tar_magic_offset).starts_with("ustar")) return Format::tar;

  std::string_view content = bytes;
  if (content.starts_with(byte_order_mark)) content.remove_prefix(byte_order_mark.size());
  content.remove_prefix(std::min(content.find_first_not_of(white_space), content.size()));
  if (content.empty()) return Format::empty;
  // Before JSON: a line feed and '[' also begin a message of 91 bytes.
  if (const auto format = protocol_buffer(bytes)) return *format;
  if (is_json(content)) return Format::json;
  if (starts_with_word(content, "<!doctype html") || starts_with_word(content, "<html")) return Format::html;
  if (starts_with_word(content, "<?xml")) return Format::xml;
  if (bytes.find_first_not_of('\0') == std::string_view::npos) return Format::zeros;
  return has_control(bytes) ? Format::binary : Format::text;
}
}  // namespace kinetoscope::io
