#include "core/perf_model/data_file.hpp"

#include <memory>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/io/file_source.hpp"

namespace kinetoscope::perf_model {

std::string read_data_file(const std::string& path, std::size_t most_bytes, const std::string& next) {
  io::FileSource source(path, std::make_shared<io::ReadProgress>());
  std::string text(most_bytes + 1, '\0');
  text.resize(io::read_fully(source, text));
  if (text.size() <= most_bytes) return text;
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = path,
               .problem = fmt::format("it has more than {} bytes", most_bytes),
               .next = next});
}
}  // namespace kinetoscope::perf_model
