#pragma once

// The bytes of a file or of standard input ("-"), as they are. A pipe is waited for at most 10 ms at a time, so that a
// stop request ends the reading whichever thread a signal reaches.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/io/byte_source.hpp"
#include "core/io/file_descriptor.hpp"
#include "core/io/read_progress.hpp"

namespace kinetoscope::io {

class FileSource final : public ByteSource {
 public:
  /// Opens `name`; "-" is standard input, which stays open. Error input_not_found or input_unreadable (a folder, with
  /// the traces in it; a device; no permission). `progress` counts the bytes that are read.
  FileSource(std::string name, std::shared_ptr<ReadProgress> progress, std::stop_token stop = {});

  /// Error input_unreadable when the system cannot read on, interrupted when a stop is requested.
  [[nodiscard]] std::size_t read(std::span<char> into) override;

  /// The whole size of a file; nothing for a pipe or a terminal.
  [[nodiscard]] std::optional<std::uint64_t> size_bytes() const noexcept { return size_bytes_; }
  /// Another descriptor of a file, whose position is shared with this source; to be read instead of it.
  [[nodiscard]] FileDescriptor duplicate() const;

 private:
  [[noreturn]] void fail(int error_number) const;
  void wait_for_input() const;

  std::string name_;
  std::shared_ptr<ReadProgress> progress_;
  std::stop_token stop_;
  FileDescriptor opened_;  // not open for standard input
  int number_ = 0;
  std::optional<std::uint64_t> size_bytes_;
};
}  // namespace kinetoscope::io
