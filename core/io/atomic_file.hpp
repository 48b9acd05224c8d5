#pragma once

// A file that appears whole or not at all: written under a passing name in the same folder, renamed when it is
// complete. An interrupt ends the program by unwinding (a stop request, then Error interrupted), and unwinding removes
// the passing file; a program that cannot unwind in time ends by exit_without_partial_files(). What a killed program
// left, a later one removes (passing_files.hpp). A crash of the machine is not guarded against.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/io/file_descriptor.hpp"

namespace kinetoscope::io {

class AtomicFile {
 public:
  /// The folder must exist. Error output_not_writable, here and in the functions below.
  explicit AtomicFile(std::string path);
  /// Removes what was written, unless committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// The file is at its path from here on, in place of what was there. Once, and last.
  void commit();
  /// As the user named it.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// For a library that writes to a path: what it writes there, instead of write(), is the file's content.
  [[nodiscard]] const std::string& passing_path() const noexcept { return passing_path_; }

 private:
  friend void commit_together(std::span<const std::unique_ptr<AtomicFile>> files,
                              std::span<const std::string> superseded);
  void flush();
  void close_written();
  void rename_locked();
  [[noreturn]] void fail(std::string problem) const;
  [[noreturn]] void fail(int error_number) const;

  std::string path_;
  std::string passing_path_;
  FileDescriptor file_;
  std::string buffer_;
  bool is_committed_ = false;
};

/// Commits all of them and removes the `superseded` files, with no interrupt between: either all is as before or all is
/// new, unless the system refuses a rename after it has granted others; what is there then is still whole, and the
/// Error says which files are new.
void commit_together(std::span<const std::unique_ptr<AtomicFile>> files, std::span<const std::string> superseded = {});

/// Removes the passing file of every AtomicFile of this process and ends it at once, without unwinding. From any
/// thread; no file appears or is renamed after the removal.
[[noreturn]] void exit_without_partial_files(int status) noexcept;

/// The whole of a file at once.
void write_file(std::string path, std::string_view bytes);
}  // namespace kinetoscope::io
