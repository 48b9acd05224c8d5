#pragma once

// An open file of the operating system, closed when its owner goes.

#include <unistd.h>
#include <utility>

namespace kinetoscope::io {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, none)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (is_open()) ::close(number_);
  }

  [[nodiscard]] bool is_open() const noexcept { return number_ != none; }
  [[nodiscard]] int number() const noexcept { return number_; }
  /// Gives the number away: the caller closes it.
  [[nodiscard]] int release() noexcept { return std::exchange(number_, none); }

 private:
  static constexpr int none = -1;
  int number_ = none;
};
}  // namespace kinetoscope::io
