#include "core/report/text_files.hpp"

#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/made_folder.hpp"
#include "core/io/passing_files.hpp"

namespace kinetoscope::report {

void write_text_files(const std::string& folder, std::span<const TextFile> files, const std::stop_token& stop) {
  io::MadeFolder made(folder);
  io::remove_abandoned_files(folder);
  std::vector<std::unique_ptr<io::AtomicFile>> written;
  written.reserve(files.size());
  for (const TextFile& file : files) {
    written.push_back(std::make_unique<io::AtomicFile>((std::filesystem::path(folder) / file.name).string()));
    written.back()->write(file.text);
  }
  if (stop.stop_requested()) throw Error({.code = ErrorCode::interrupted});
  io::commit_together(written);
  made.keep();
}
}  // namespace kinetoscope::report
