#pragma once

// The loop of event_scanner.hpp, once for each instruction set. Included by the files that implement EventScanner only;
// everything here is instantiated with types of unnamed namespaces, so that code for one processor never serves
// another.

#include <cstddef>
#include <cstdint>

namespace kinetoscope::io::scanner_loop {

/// One bit a byte of a block of 64.
struct Masks {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
};

/// The bytes that a backslash before them escapes. `carries` in: the first byte is; out: the byte after the block is.
template <typename Block>
std::uint64_t escaped_bytes(std::uint64_t backslashes, std::size_t length, bool& carries) noexcept {
  std::uint64_t escaped = carries ? 1 : 0;
  carries = false;
  backslashes &= ~escaped;
  while (backslashes != 0) {
    const auto at = static_cast<std::size_t>(__builtin_ctzll(backslashes));
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

/// Where elements end in a block that may close one; true when the array ends there.
template <typename Block, typename State>
bool find_ends(std::uint64_t opens, std::uint64_t closes, std::size_t at, State& state) noexcept {
  std::int64_t depth = state.depth;
  for (std::uint64_t left = opens | closes; left != 0; left &= left - 1) {
    const auto position = static_cast<unsigned>(__builtin_ctzll(left));
    depth += ((opens >> position) & 1) != 0 ? 1 : -1;
    if (depth < 0) {
      state.array_end = at + position;
      return true;
    }
    if (depth == 0) state.last_end = at + position + 1;
  }
  return false;
}

/// `Block` gives the masks of 64 bytes, and the parity of the bits up to each.
template <typename Block, typename State>
void scan(const char* data, std::size_t from, std::size_t to, State& state) noexcept {
  while (from < to) {
    const std::size_t length = to - from < 64 ? to - from : 64;
    const std::uint64_t valid = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
    const Masks masks = Block::masks(data + from);
    std::uint64_t quotes = masks.quotes & valid;
    const std::uint64_t backslashes = masks.backslashes & valid;
    if (backslashes != 0 || state.next_is_escaped) {
      quotes &= ~escaped_bytes<Block>(backslashes, length, state.next_is_escaped);
    }
    const std::uint64_t strings = Block::parity(quotes) ^ state.in_string;
    state.in_string = ((strings >> (length - 1)) & 1) != 0 ? ~std::uint64_t{0} : 0;
    const std::uint64_t opens = masks.opens & ~strings & valid;
    const std::uint64_t closes = masks.closes & ~strings & valid;
    const int closing = __builtin_popcountll(closes);
    if (state.depth <= closing && find_ends<Block>(opens, closes, from, state)) return;
    state.depth += __builtin_popcountll(opens) - closing;
    from += length;
  }
}
}  // namespace kinetoscope::io::scanner_loop
