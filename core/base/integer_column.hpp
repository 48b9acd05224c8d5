#pragma once

// A sparse column of 64-bit values that takes 32 bits a value for as long as all fit: ids, sizes and counters of traces
// nearly always do, and there are half a dozen an event.

#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/ids.hpp"
#include "core/base/sparse_column.hpp"

namespace kinetoscope {

template <Id Key>
class IntegerColumn {
 public:
  /// Keys never fall; the last value given for a key stays. Amortised O(1); once in a column's life, at the first value
  /// above 32 bits, O(size).
  void set(Key key, std::uint64_t value) {
    if (!is_wide_) {
      if (value <= UINT32_MAX) {
        narrow_.set(key, static_cast<std::uint32_t>(value));
        return;
      }
      wide_ = SparseColumn<Key, std::uint64_t>(std::move(narrow_));
      is_wide_ = true;
    }
    wide_.set(key, value);
  }
  [[nodiscard]] std::optional<std::uint64_t> find(Key key) const noexcept {
    if (is_wide_) return copy_of(wide_.find(key));
    return copy_of(narrow_.find(key));
  }
  /// How many keys have a value.
  [[nodiscard]] std::size_t size() const noexcept { return is_wide_ ? wide_.size() : narrow_.size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// For a column that is to stay as it is.
  void trim() noexcept {
    narrow_.trim();
    wide_.trim();
  }
  [[nodiscard]] std::size_t allocated_bytes() const noexcept {
    return narrow_.allocated_bytes() + wide_.allocated_bytes();
  }

 private:
  template <typename T>
  [[nodiscard]] static std::optional<std::uint64_t> copy_of(const T* value) noexcept {
    return value == nullptr ? std::nullopt : std::optional<std::uint64_t>(*value);
  }

  SparseColumn<Key, std::uint32_t> narrow_;
  SparseColumn<Key, std::uint64_t> wide_;
  bool is_wide_ = false;
};
}  // namespace kinetoscope
