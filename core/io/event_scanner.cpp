#include "core/io/event_scanner.hpp"

#include "core/io/event_scanner_avx2.hpp"
#include "core/io/event_scanner_loop.hpp"

namespace kinetoscope::io {
namespace {

using scanner_loop::Masks;

/// Eight bytes at a time in a 64-bit register.
struct PortableBlock {
  static std::uint64_t equal_bytes(std::uint64_t bytes, std::uint64_t repeated) noexcept {
    constexpr std::uint64_t low_bits = 0x7f7f'7f7f'7f7f'7f7fu;
    const std::uint64_t difference = bytes ^ repeated;
    // The high bit of each byte that is zero; then those bits, gathered into the low byte.
    const std::uint64_t zeros = ~(((difference & low_bits) + low_bits) | difference | low_bits);
    return ((zeros >> 7) * 0x0102'0408'1020'4080u) >> 56;
  }
  static std::uint64_t eight(const char* text) noexcept {
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < 8; ++i) bytes |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    return bytes;
  }
  static Masks masks(const char* block) noexcept {
    constexpr std::uint64_t every_byte = 0x0101'0101'0101'0101u;
    Masks masks;
    for (std::size_t part = 0; part < 8; ++part) {
      const std::uint64_t bytes = eight(block + part * 8);
      // '[' and ']' become '{' and '}' with this bit set; no other byte of valid JSON outside strings does.
      const std::uint64_t folded = bytes | every_byte * 0x20;
      masks.quotes |= equal_bytes(bytes, every_byte * '"') << (part * 8);
      masks.backslashes |= equal_bytes(bytes, every_byte * '\\') << (part * 8);
      masks.opens |= equal_bytes(folded, every_byte * '{') << (part * 8);
      masks.closes |= equal_bytes(folded, every_byte * '}') << (part * 8);
    }
    return masks;
  }
  static std::uint64_t parity(std::uint64_t bits) noexcept {
    for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
  }
};
}  // namespace

void EventScanner::scan_portably(const char* data, std::size_t from, std::size_t to) noexcept {
  if (state_.array_end == none) scanner_loop::scan<PortableBlock>(data, from, to, state_);
}

void EventScanner::scan(const char* data, std::size_t from, std::size_t to) noexcept {
  if (!has_avx2()) {
    scan_portably(data, from, to);
  } else if (state_.array_end == none) {
    scan_avx2(data, from, to, state_);
  }
}
}  // namespace kinetoscope::io
