#pragma once

// Values by a 64-bit id that several may share: launches by correlation id. Sorted by id, those of one id in the order
// in which they were given, under a directory of the ids' high bits. Ids of a trace mostly count up, in the file as in
// the look-ups, so both walk memory in order, which a hash table does not. O(n) to build, a look-up is O(1) where ids
// are spread evenly and O(log n) whatever they are.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "core/base/huge_array.hpp"
#include "core/base/radix_sort.hpp"

namespace kinetoscope {

template <typename T>
class IdTable {
 public:
  static constexpr std::uint32_t none = 0xffff'ffff;
  struct Entry {
    std::int64_t id = 0;
    T value{};
  };

  IdTable() = default;
  /// `scratch` is for sorting; at most 2^32 - 2 entries.
  IdTable(HugeArray<Entry> entries, HugeArray<Entry>& scratch) : entries_(std::move(entries)) {
    if (entries_.empty()) return;
    radix_sort(entries_.begin(), entries_.end(), scratch, [](const Entry& entry) { return ordered(entry.id); });
    smallest_ = ordered(entries_[0].id);
    const std::uint64_t range = ordered(entries_.back().id) - smallest_;
    const auto range_bits = static_cast<unsigned>(std::bit_width(range));
    const auto size_bits = static_cast<unsigned>(std::bit_width(entries_.size()));
    shift_ = range_bits > size_bits ? range_bits - size_bits : 0;
    first_.reserve((range >> shift_) + 2);
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      while (first_.size() <= (ordered(entries_[i].id) - smallest_) >> shift_) first_.push_back(i);
    }
    first_.push_back(static_cast<std::uint32_t>(entries_.size()));
  }

  /// The first value's index, none when the id has no value.
  [[nodiscard]] std::uint32_t first(std::int64_t id) const noexcept {
    if (empty()) return none;
    const std::uint64_t place = (ordered(id) - smallest_) >> shift_;  // wraps to a huge one below the smallest
    if (place >= first_.size() - 1) return none;
    const Entry* const end = entries_.begin() + first_[place + 1];
    const Entry* const found =
        std::lower_bound(entries_.begin() + first_[place], end, id,
                         [](const Entry& entry, std::int64_t sought) { return entry.id < sought; });
    return found != end && found->id == id ? static_cast<std::uint32_t>(found - entries_.begin()) : none;
  }
  /// Of the same id, none behind the last.
  [[nodiscard]] std::uint32_t next(std::uint32_t index) const noexcept {
    const std::uint32_t behind = index + 1;
    return behind < entries_.size() && entries_[behind].id == entries_[index].id ? behind : none;
  }
  [[nodiscard]] const T& value(std::uint32_t index) const noexcept { return entries_[index].value; }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

 private:
  /// Flipping the sign bit makes the order of signed numbers that of unsigned ones.
  [[nodiscard]] static std::uint64_t ordered(std::int64_t id) noexcept {
    return static_cast<std::uint64_t>(id) ^ (std::uint64_t{1} << 63);
  }

  HugeArray<Entry> entries_;
  HugeArray<std::uint32_t> first_;  // by an id's distance from the smallest, shifted: the first entry from there on
  std::uint64_t smallest_ = 0;
  unsigned shift_ = 0;
};
}  // namespace kinetoscope
