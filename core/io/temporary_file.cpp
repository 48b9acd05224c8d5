#include "core/io/temporary_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/base/error.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::size_t copied_bytes = 1 << 20;

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

[[noreturn]] void fail(const std::string& name) {
  throw Error({.code = ErrorCode::output_not_writable,
               .input = name,
               .argument = "TMPDIR",
               .received = temporary_folder(),
               .problem = "a temporary copy cannot be written: " + std::generic_category().message(errno),
               .next = "set TMPDIR to a folder with space, or give the archive as a file"});
}

FileDescriptor unnamed_file(const std::string& name) {
  const std::string folder = temporary_folder();
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.is_open()) return file;
  std::string path = folder + "/kinetoscope-XXXXXX";  // where the file system knows no unnamed files
  file = FileDescriptor(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.is_open()) fail(name);
  ::unlink(path.c_str());
  return file;
}

void write_all(const FileDescriptor& file, std::span<const char> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail(name);
    if (count > 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}
}  // namespace

FileDescriptor temporary_copy(ByteSource& source, const std::string& name) {
  FileDescriptor file = unnamed_file(name);
  std::vector<char> buffer(copied_bytes);
  std::uint64_t total_bytes = 0;
  for (std::size_t count = source.read(buffer); count > 0; count = source.read(buffer)) {
    total_bytes += count;
    if (total_bytes > most_temporary_bytes) {
      throw Error(
          {.code = ErrorCode::limit_reached, .input = name, .problem = "an archive above 64 GB cannot be copied"});
    }
    write_all(file, std::span(buffer).first(count), name);
  }
  if (::lseek(file.number(), 0, SEEK_SET) != 0) fail(name);
  return file;
}
}  // namespace kinetoscope::io
