#pragma once

// Distinct byte strings, numbered in order of first appearance. What a trace's names, and its JSON values kept as text,
// are interned in: a name of a kilobyte that a million events bear is stored once and compared as a number.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/huge_array.hpp"

namespace kinetoscope {

class TextIndex {
 public:
  struct Entry {
    std::uint32_t index = 0;
    bool is_new = false;
  };

  /// The number of `text`, which is copied when it is new. Amortised O(length); throws Error limit_reached beyond 2^32
  /// - 2 texts. Hostile texts cannot make it quadratic: the hash is seeded by nothing secret, but colliding texts of a
  /// trace would have to be found against 64 bits.
  Entry add(std::string_view text);
  /// Its number, or 2^32 - 1 when it was never added.
  [[nodiscard]] std::uint32_t find(std::string_view text) const noexcept;
  /// Valid as long as this index lives, also when it is moved.
  [[nodiscard]] std::string_view text(std::uint32_t index) const noexcept { return texts_[index]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(texts_.size()); }
  [[nodiscard]] std::size_t allocated_bytes() const noexcept;

  static constexpr std::uint32_t not_found = 0xffff'ffff;

 private:
  struct Slot {
    std::uint32_t hash_high = 0;
    std::uint32_t index = not_found;
  };
  [[nodiscard]] std::string_view store(std::string_view text);
  void enlarge_slots();

  HugeArray<Slot> slots_;  // open addressing, a power of two, at most half full
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_free_bytes_ = 0;
  char* chunk_next_ = nullptr;
  std::size_t chunk_bytes_ = 0;
};
}  // namespace kinetoscope
