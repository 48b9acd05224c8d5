#pragma once

// One member of a zip archive as a stream: the largest that looks like a trace, else the only one. Stored, deflated and
// zstd members are read; the checksums of the first two are verified. Holds the archive's directory in memory.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/io/byte_source.hpp"
#include "core/io/file_descriptor.hpp"
#include "core/io/read_progress.hpp"

namespace kinetoscope::io {

struct ZipMember {
  std::string name;
  std::uint64_t index = 0;
  std::uint64_t size_bytes = 0;  ///< decompressed
};

struct ZipChoice {
  std::optional<std::size_t> position;  ///< in the members given; nothing when none is a trace by its name
  std::size_t candidates = 0;
};
/// The largest member named *.json, *.json.gz or *.json.zst (case ignored; the first name of equals); without one, the
/// only file there is. Folders and what macOS adds (__MACOSX/) do not count. O(members).
[[nodiscard]] ZipChoice choose_member(std::span<const ZipMember> members);

/// Numbers of APPNOTE 4.4.5.
namespace zip_method {
inline constexpr unsigned stored = 0;
inline constexpr unsigned deflated = 8;
inline constexpr unsigned zstd = 93;
}  // namespace zip_method
/// Error input_unsupported for a member that is encrypted or of another method.
void require_readable_member(const std::string& member_name, bool is_encrypted, unsigned method,
                             const std::string& name);

struct ZipContent {
  std::unique_ptr<ByteSource> source;
  std::string member_name;
};
/// Opens the chosen member of an archive in a file; without a directory what zip_salvage.hpp finds. `name` is what an
/// Error calls the input: input_unreadable when the archive is damaged, input_unsupported without such a member or when
/// it is encrypted or compressed in another way. `progress` starts again and counts the member's bytes.
[[nodiscard]] ZipContent open_zip(FileDescriptor archive, const std::string& name,
                                  const std::shared_ptr<ReadProgress>& progress);
}  // namespace kinetoscope::io
