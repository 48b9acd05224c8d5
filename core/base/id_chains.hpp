#pragma once

// Values by a 64-bit id that several may share, in the order they were added: launches by correlation id. A flat hash
// table of chains; no allocation a value. Amortised O(1) each.

#include <cstdint>

#include "core/base/huge_array.hpp"

namespace kinetoscope {

template <typename T>
class IdChains {
 public:
  static constexpr std::uint32_t none = 0xffff'ffff;

  void add(std::int64_t id, const T& value) {
    if ((ids_ + 1) * 2 > slots_.size()) enlarge();
    Slot& slot = slots_[place_of(id)];
    const auto index = static_cast<std::uint32_t>(links_.size());
    links_.push_back({value, none});
    if (slot.first == none) {
      slot = {id, index, index};
      ++ids_;
    } else {
      links_[slot.last].next = index;
      slot.last = index;
    }
  }
  /// The first value's index, none when the id has no value.
  [[nodiscard]] std::uint32_t first(std::int64_t id) const noexcept {
    return slots_.empty() ? none : slots_[place_of(id)].first;
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t index) const noexcept { return links_[index].next; }
  [[nodiscard]] const T& value(std::uint32_t index) const noexcept { return links_[index].value; }
  [[nodiscard]] bool empty() const noexcept { return links_.empty(); }

 private:
  struct Slot {
    std::int64_t id = 0;
    std::uint32_t first = none;
    std::uint32_t last = none;
  };
  struct Link {
    T value{};
    std::uint32_t next = none;
  };
  /// Where the id is, or would be put. Ids of a trace count up, so neighbours are kept apart by a multiplication whose
  /// high bits are taken (Fibonacci hashing).
  [[nodiscard]] std::size_t place_of(std::int64_t id) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t mixed = static_cast<std::uint64_t>(id) * 0x9e37'79b9'7f4a'7c15u;
    std::size_t at = (mixed ^ (mixed >> 32)) & mask;
    while (slots_[at].first != none && slots_[at].id != id) at = (at + 1) & mask;
    return at;
  }
  void enlarge() {
    HugeArray<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.first != none) slots_[place_of(slot.id)] = slot;
    }
  }

  HugeArray<Slot> slots_;  // a power of two, at most half full
  HugeArray<Link> links_;
  std::size_t ids_ = 0;
};
}  // namespace kinetoscope
