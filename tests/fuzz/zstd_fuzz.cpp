// Zstandard frames. The first byte says how much input a read gives.
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/io/memory_source.hpp"
#include "core/io/zstd_source.hpp"
#include "tests/fuzz/drain.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetoscope::io;
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    ZstdSource source(std::make_unique<MemorySource>(std::move(bytes), std::size_t{data[0]} + 1), "fuzz");
    drain(source);
  } catch (const kinetoscope::Error&) {  // a window beyond the limit
  }
  return 0;
}
