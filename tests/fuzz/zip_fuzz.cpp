// Zip archives, by way of the temporary file that a pipe takes.
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/io/memory_source.hpp"
#include "core/io/temporary_file.hpp"
#include "core/io/zip_source.hpp"
#include "tests/fuzz/drain.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetoscope::io;
  try {
    MemorySource bytes(std::string(reinterpret_cast<const char*>(data), size));
    const ZipContent content = open_zip(temporary_copy(bytes, "fuzz"), "fuzz", std::make_shared<ReadProgress>());
    drain(*content.source);
  } catch (const kinetoscope::Error&) {  // no readable archive
  }
  return 0;
}
