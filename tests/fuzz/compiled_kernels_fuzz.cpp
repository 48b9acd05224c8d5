// Generated sources of kernels: whatever a file holds, the reader comes to an end, finds no more kernels than names,
// and says the same twice.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/perf_model/compiled_kernel_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetoscope::perf_model;
  const std::string_view python(reinterpret_cast<const char*>(data), size);
  const CompiledSource read = read_compiled_kernels(python);
  if (read.kernels.size() + read.not_understood > size) std::abort();
  for (const CompiledKernel& kernel : read.kernels) {
    if (python.find(kernel.name) == std::string_view::npos) std::abort();
  }
  if (read_compiled_kernels(python) != read) std::abort();
  return 0;
}
