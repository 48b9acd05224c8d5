#pragma once

// Which group a row belongs to, by a key of several small ids: numbers groups in order of appearance. Open addressing
// over mixed keys: about 10 ns a look-up while the groups fit into a cache. Keys are ids that we gave out, which an
// input cannot choose to collide; raw values of an input go through DenseIds first.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kinetoscope {

/// Stands in a key where a row has no value; never given out as an id.
inline constexpr std::uint32_t no_id = 0xffff'ffff;

template <std::size_t length>
class GroupIndex {
 public:
  using Key = std::array<std::uint32_t, length>;

  /// The key's group; size() grows by one at its first appearance.
  [[nodiscard]] std::uint32_t of(const Key& key) {
    if (keys_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[place_of(key)];
    if (slot == empty) {
      slot = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return slot;
  }
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  [[nodiscard]] const Key& key(std::uint32_t group) const noexcept { return keys_[group]; }

 private:
  static constexpr std::uint32_t empty = 0xffff'ffff;
  static constexpr std::size_t first_slots = 64;

  /// Where the key is, or would be put.
  [[nodiscard]] std::size_t place_of(const Key& key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = mixed(key) & mask;
    while (slots_[place] != empty && keys_[slots_[place]] != key) place = (place + 1) & mask;
    return place;
  }
  /// Each bit of the key reaches each bit of the result (the finaliser of splitmix64, once a word).
  [[nodiscard]] static std::uint64_t mixed(const Key& key) noexcept {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : key) {
      hash = (hash ^ word) + 0x9e37'79b9'7f4a'7c15;
      hash = (hash ^ (hash >> 30)) * 0xbf58'476d'1ce4'e5b9;
      hash = (hash ^ (hash >> 27)) * 0x94d0'49bb'1331'11eb;
      hash ^= hash >> 31;
    }
    return hash;
  }
  void grow() {
    slots_.assign(slots_.empty() ? first_slots : slots_.size() * 2, empty);
    for (std::uint32_t group = 0; group < keys_.size(); ++group) slots_[place_of(keys_[group])] = group;
  }

  std::vector<std::uint32_t> slots_;  // a power of two of them; group numbers or empty
  std::vector<Key> keys_;
};
}  // namespace kinetoscope
