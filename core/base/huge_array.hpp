#pragma once

// An array that grows to hundreds of megabytes without ever copying itself: what a column of a trace is made of.
//
// A page fault is the dearest operation on many virtual machines, so above 2 MiB the memory comes in its own mapping,
// aligned and marked for huge pages, and grows by moving page tables instead of bytes; smaller arrays, from 32 KiB,
// share huge pages (huge_arena.hpp). Elements must be trivially copyable. Not thread-safe; const access is.

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace kinetoscope {

namespace detail {
/// A block of memory that remembers its size. `grow` keeps the contents and throws std::bad_alloc.
class HugeBlock {
 public:
  HugeBlock() = default;
  HugeBlock(const HugeBlock& other);
  HugeBlock& operator=(const HugeBlock& other);
  HugeBlock(HugeBlock&& other) noexcept { swap(other); }
  HugeBlock& operator=(HugeBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HugeBlock();
  void grow(std::size_t at_least_bytes);
  /// Memory behind the first `used_bytes` that was touched goes back to the machine; the block stays as large.
  void trim(std::size_t used_bytes) noexcept;
  void swap(HugeBlock& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};
}  // namespace detail

template <typename T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HugeArray() = default;
  explicit HugeArray(std::size_t size, const T& value = {}) { resize(size, value); }
  HugeArray(const HugeArray& other)
      : block_(other.block_), data_(static_cast<T*>(block_.data())), size_(other.size_), capacity_(other.capacity_) {}
  HugeArray& operator=(const HugeArray& other) {
    if (this == &other) return *this;
    HugeArray copy(other);
    swap(copy);
    return *this;
  }
  HugeArray(HugeArray&& other) noexcept { swap(other); }
  HugeArray& operator=(HugeArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HugeArray() = default;

  /// Amortised O(1).
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_[size_++] = value;
  }
  void pop_back() noexcept { --size_; }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    block_.grow(capacity * sizeof(T));
    data_ = static_cast<T*>(block_.data());
    capacity_ = block_.bytes() / sizeof(T);
  }
  void resize(std::size_t size, const T& value = {}) {
    reserve(size);
    for (std::size_t i = size_; i < size; ++i) data_[i] = value;
    size_ = size;
  }
  /// New elements have no value until they are written.
  void resize_for_overwrite(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  void clear() noexcept { size_ = 0; }
  /// For an array that is to stay as it is: what its last huge page holds beyond it goes back to the machine.
  void trim() noexcept { block_.trim(size_ * sizeof(T)); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t index) noexcept { return data_[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept { return data_[index]; }
  [[nodiscard]] T& back() noexcept { return data_[size_ - 1]; }
  [[nodiscard]] const T& back() const noexcept { return data_[size_ - 1]; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }
  /// What it takes from the machine: what was ever used. Room to grow is address space only.
  [[nodiscard]] std::size_t allocated_bytes() const noexcept { return size_ * sizeof(T); }

 private:
  void swap(HugeArray& other) noexcept {
    block_.swap(other.block_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  detail::HugeBlock block_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};
}  // namespace kinetoscope
