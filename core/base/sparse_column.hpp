#pragma once

// A column that few events have a value in: a bit an event says whether, and the values stand packed in event order.
// O(1) look-up (one word and its rank), 1.5 bits an event beside the values, nothing for events after the last value.

#include <bit>
#include <cstdint>
#include <utility>

#include "core/base/huge_array.hpp"
#include "core/base/ids.hpp"

namespace kinetoscope {

namespace detail {
struct SparseWord {
  std::uint64_t present = 0;
  std::uint32_t values_before = 0;
};
}  // namespace detail

template <Id Key, typename T>
class SparseColumn {
 public:
  SparseColumn() = default;
  /// The same keys and values in another type.
  template <typename Other>
  explicit SparseColumn(SparseColumn<Key, Other> other) : words_(std::move(other.words_)) {
    values_.reserve(other.values_.size());
    for (const Other& value : other.values_) values_.push_back(static_cast<T>(value));
  }

  /// Keys never fall; the last value given for a key stays. Amortised O(1).
  void set(Key key, const T& value) {
    const std::size_t word = index_of(key) / 64;
    const std::uint64_t bit = std::uint64_t{1} << (index_of(key) % 64);
    while (words_.size() <= word) words_.push_back({0, static_cast<std::uint32_t>(values_.size())});
    if ((words_[word].present & bit) != 0) {
      values_.back() = value;
      return;
    }
    words_[word].present |= bit;
    values_.push_back(value);
  }

  /// Valid until the next set(); nullptr when the key has no value.
  [[nodiscard]] const T* find(Key key) const noexcept {
    const std::size_t word = index_of(key) / 64;
    if (word >= words_.size()) return nullptr;
    const std::uint64_t bit = std::uint64_t{1} << (index_of(key) % 64);
    const detail::SparseWord& w = words_[word];
    if ((w.present & bit) == 0) return nullptr;
    return &values_[w.values_before + static_cast<std::size_t>(std::popcount(w.present & (bit - 1)))];
  }
  /// How many keys have a value.
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  /// For a column that is to stay as it is.
  void trim() noexcept {
    words_.trim();
    values_.trim();
  }
  [[nodiscard]] std::size_t allocated_bytes() const noexcept {
    return words_.allocated_bytes() + values_.allocated_bytes();
  }

 private:
  template <Id OtherKey, typename Other>
  friend class SparseColumn;

  HugeArray<detail::SparseWord> words_;
  HugeArray<T> values_;
};
}  // namespace kinetoscope
