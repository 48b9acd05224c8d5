#pragma once

// From a name to the JSON bytes behind it, through whatever compression there is. No more than buffers is held in
// memory, whatever the size of the input or of its content.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/byte_source.hpp"
#include "core/io/read_progress.hpp"
#include "core/io/sniff.hpp"

namespace kinetoscope::io {

/// A file in a container in a container is read; a fourth layer is refused.
inline constexpr std::size_t most_layers = 3;

struct InputProgress {
  std::uint64_t consumed_bytes = 0;          ///< compressed, as in the file; of a zip archive those of the member
  std::optional<std::uint64_t> total_bytes;  ///< absent for a pipe
};

struct Input {
  std::string name;
  std::string member_name;             ///< what was read of the zip archive, else empty
  std::vector<Format> layers;          ///< outermost first; empty for plain JSON
  std::unique_ptr<ByteSource> source;  ///< text that begins like JSON
  std::shared_ptr<const ReadProgress> counters;

  /// From any thread.
  [[nodiscard]] InputProgress progress() const noexcept;
};

/// Opens a file, or standard input as "-". Throws Error: input_not_found, input_unreadable, empty_input (no bytes, or
/// none behind the compression), input_unsupported (with what the content is), limit_reached (too many layers), and
/// what the sources throw. Reads the first 4 KB of each layer; a zip archive that is no file by itself is copied to an
/// unnamed temporary file first.
[[nodiscard]] Input open_input(std::string name, std::stop_token stop = {});
}  // namespace kinetoscope::io
