#include "core/study/trace_identity.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/io/file_source.hpp"
#include "core/io/read_progress.hpp"

namespace kinetoscope {
namespace {

constexpr std::size_t bytes_a_read = 1 << 20;

struct FreeHash {
  void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
};
}  // namespace

std::string trace_identity(const std::string& path, const std::stop_token& stop) {
  io::FileSource file(path, std::make_shared<io::ReadProgress>(), stop);
  const std::unique_ptr<XXH3_state_t, FreeHash> state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<char> bytes(bytes_a_read);
  while (const std::size_t count = file.read(bytes)) XXH3_128bits_update(state.get(), bytes.data(), count);
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("t_{:016x}{:016x}", hash.high64, hash.low64);
}
}  // namespace kinetoscope
