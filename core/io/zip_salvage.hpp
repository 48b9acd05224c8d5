#pragma once

// A zip archive without its directory, as a copy that broke off leaves it: members are found by the headers before them
// (APPNOTE 4.3.7). The first that looks like a trace by its name is read, else the first file; a member whose header
// does not state its size cannot be passed over, so that it is the last that is looked at. Stored, deflated and zstd
// members are read up to the cut: truncated_zip. A deflated member that is whole is used whole.

#include <memory>
#include <string>

#include "core/io/file_descriptor.hpp"
#include "core/io/read_progress.hpp"
#include "core/io/zip_source.hpp"

namespace kinetoscope::io {

/// `archive` is a file that can be read anywhere; `name` is what an Error calls the input: input_unreadable without one
/// whole header, input_unsupported when the member is encrypted or compressed in another way. `progress` starts again
/// and counts the archive's bytes.
[[nodiscard]] ZipContent salvage_zip(FileDescriptor archive, const std::string& name,
                                     const std::shared_ptr<ReadProgress>& progress);
}  // namespace kinetoscope::io
