#include "core/io/event_scanner.hpp"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kinetoscope::io {
namespace {

/// One bit a byte of a block of 64.
struct Masks {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
};

#if defined(__SSE2__)
std::uint64_t equal_mask(__m128i bytes, char value) noexcept {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(value))));
}

Masks masks_of(const char* block) noexcept {
  Masks masks;
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + part * 16));
    // '[' and ']' become '{' and '}' with this bit set; no other byte of valid JSON outside strings does.
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    masks.quotes |= equal_mask(bytes, '"') << (part * 16);
    masks.backslashes |= equal_mask(bytes, '\\') << (part * 16);
    masks.opens |= equal_mask(folded, '{') << (part * 16);
    masks.closes |= equal_mask(folded, '}') << (part * 16);
  }
  return masks;
}
#else
Masks masks_of(const char* block) noexcept {
  Masks masks;
  for (unsigned i = 0; i < 64; ++i) {
    const auto bit = std::uint64_t{1} << i;
    const auto folded = static_cast<unsigned char>(block[i]) | 0x20u;
    if (block[i] == '"') masks.quotes |= bit;
    if (block[i] == '\\') masks.backslashes |= bit;
    if (folded == '{') masks.opens |= bit;
    if (folded == '}') masks.closes |= bit;
  }
  return masks;
}
#endif

/// Bit i is the parity of bits 0 to i.
std::uint64_t prefix_parity(std::uint64_t bits) noexcept {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// The bytes that a backslash before them escapes. `carries` in: the first byte is; out: the byte after the block is.
std::uint64_t escaped_bytes(std::uint64_t backslashes, std::size_t length, bool& carries) noexcept {
  std::uint64_t escaped = carries ? 1 : 0;
  carries = false;
  backslashes &= ~escaped;
  while (backslashes != 0) {
    const auto at = static_cast<std::size_t>(std::countr_zero(backslashes));
    backslashes &= backslashes - 1;
    if (at + 1 >= length) {
      carries = true;
      break;
    }
    const std::uint64_t next = std::uint64_t{1} << (at + 1);
    escaped |= next;
    backslashes &= ~next;
  }
  return escaped;
}
}  // namespace

void EventScanner::scan(const char* data, std::size_t from, std::size_t to) noexcept {
  while (from < to && array_end_ == none) {
    const std::size_t length = to - from < 64 ? to - from : 64;
    scan_block(data, from, length);
    from += length;
  }
}

void EventScanner::scan_block(const char* data, std::size_t at, std::size_t length) noexcept {
  const std::uint64_t valid = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
  Masks masks = masks_of(data + at);
  std::uint64_t quotes = masks.quotes & valid;
  if (const std::uint64_t backslashes = masks.backslashes & valid; backslashes != 0 || next_is_escaped_) {
    quotes &= ~escaped_bytes(backslashes, length, next_is_escaped_);
  }
  const std::uint64_t strings = prefix_parity(quotes) ^ in_string_;
  in_string_ = ((strings >> (length - 1)) & 1) != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t opens = masks.opens & ~strings & valid;
  const std::uint64_t closes = masks.closes & ~strings & valid;
  if (depth_ <= std::popcount(closes)) find_ends(opens, closes, at);
  depth_ += std::popcount(opens) - std::popcount(closes);
}

void EventScanner::find_ends(std::uint64_t opens, std::uint64_t closes, std::size_t at) noexcept {
  std::int64_t depth = depth_;
  for (std::uint64_t left = opens | closes; left != 0; left &= left - 1) {
    const auto position = static_cast<unsigned>(std::countr_zero(left));
    depth += ((opens >> position) & 1) != 0 ? 1 : -1;
    if (depth < 0) {
      array_end_ = at + position;
      return;
    }
    if (depth == 0) last_end_ = at + position + 1;
  }
}
}  // namespace kinetoscope::io
