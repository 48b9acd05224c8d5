#pragma once

// What the generated sources in an Inductor cache say of kernels, by name: the fallback for calls whose arguments the
// trace does not have. Names are counted up anew in each compiled graph, so that one name may stand for several
// kernels: where sources differ, the name is ambiguous and says nothing. A value: cheap to copy, equal by content.
// Threads: safe to read at once.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/files_below.hpp"
#include "core/perf_model/compiled_kernel.hpp"

namespace kinetoscope::perf_model {

struct CompiledFolder {
  std::vector<CompiledKernel> kernels;  ///< by name, each once
  std::vector<std::string> ambiguous;   ///< names of which sources say different things, sorted
  std::uint64_t files = 0;              ///< that were read
  std::uint64_t not_understood = 0;     ///< kernels in them that are not in the form expected
  std::string first_not_understood{};   ///< the first file with one
  io::LeftOut left_out{};  ///< files and folders that were not read: links, unreadable, too large, too deep
  friend bool operator==(const CompiledFolder&, const CompiledFolder&) = default;
};

inline constexpr std::size_t most_compiled_file_bytes = std::size_t{4} << 20;
inline constexpr std::size_t most_compiled_folder_bytes = std::size_t{256} << 20;

/// Reads the *.py files below a folder. Throws Error: of files_below(), limit_reached of more bytes than
/// `most_bytes` in all, interrupted.
[[nodiscard]] CompiledFolder read_compiled_folder(const std::string& folder, const std::stop_token& stop = {},
                                                  std::size_t most_bytes = most_compiled_folder_bytes);

class CompiledKernels {
 public:
  /// No folder was named.
  CompiledKernels() = default;
  explicit CompiledKernels(CompiledFolder folder)
      : folder_(std::make_shared<const CompiledFolder>(std::move(folder))) {}

  /// nullptr where no source says it, or several say different things. Valid as long as this or a copy of it.
  [[nodiscard]] const CompiledKernel* find(std::string_view name) const noexcept;
  /// nullptr where no folder was named.
  [[nodiscard]] const CompiledFolder* folder() const noexcept { return folder_.get(); }

  friend bool operator==(const CompiledKernels& left, const CompiledKernels& right) {
    if (left.folder_ == nullptr || right.folder_ == nullptr) return left.folder_ == right.folder_;
    return left.folder_ == right.folder_ || *left.folder_ == *right.folder_;
  }

 private:
  std::shared_ptr<const CompiledFolder> folder_;
};
}  // namespace kinetoscope::perf_model
