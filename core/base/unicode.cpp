#include "core/base/unicode.hpp"

namespace kinetoscope {
namespace {

/// What a lead byte promises: how many bytes follow, and the range of the first of them (Unicode 15, table 3-7).
struct Lead {
  unsigned following = 0;
  unsigned char lowest = 0x80;
  unsigned char highest = 0xbf;
};

Lead lead_of(unsigned char byte) noexcept {
  if (byte >= 0xc2 && byte <= 0xdf) return {1};
  if (byte == 0xe0) return {2, 0xa0, 0xbf};
  if (byte == 0xed) return {2, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {2};
  if (byte == 0xf0) return {3, 0x90, 0xbf};
  if (byte == 0xf4) return {3, 0x80, 0x8f};
  if (byte >= 0xf1 && byte <= 0xf3) return {3};
  return {0};
}

struct Decoded {
  char32_t character = replacement_character;
  bool is_valid = false;
};

Decoded decode(std::string_view utf8, std::size_t& position) noexcept {
  const auto first = static_cast<unsigned char>(utf8[position++]);
  if (first < 0x80) return {first, true};
  Lead lead = lead_of(first);
  if (lead.following == 0) return {};
  char32_t character = first & (0x3fu >> lead.following);
  for (unsigned i = 0; i < lead.following; ++i) {
    if (position == utf8.size()) return {};
    const auto byte = static_cast<unsigned char>(utf8[position]);
    if (byte < lead.lowest || byte > lead.highest) return {};
    lead = {lead.following};  // only the first following byte has a narrower range
    character = (character << 6) | (byte & 0x3fu);
    ++position;
  }
  return {character, true};
}
}  // namespace

char32_t next_character(std::string_view utf8, std::size_t& position) noexcept {
  return decode(utf8, position).character;
}

void append_utf8(std::string& out, char32_t character) {
  if (character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff)) character = replacement_character;
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | ((character >> shift) & 0x3f)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += {static_cast<char>(0xc0 | (character >> 6)), tail(0)};
  } else if (character < 0x10000) {
    out += {static_cast<char>(0xe0 | (character >> 12)), tail(6), tail(0)};
  } else {
    out += {static_cast<char>(0xf0 | (character >> 18)), tail(12), tail(6), tail(0)};
  }
}

ValidText valid_utf8(std::string_view bytes) {
  ValidText out;
  out.text.reserve(bytes.size());
  for (std::size_t position = 0; position < bytes.size();) {
    const std::size_t start = position;
    if (decode(bytes, position).is_valid) {
      out.text.append(bytes.substr(start, position - start));
    } else {
      append_utf8(out.text, replacement_character);
      ++out.replacements;
    }
  }
  return out;
}
}  // namespace kinetoscope
