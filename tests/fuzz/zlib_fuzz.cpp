// Gzip by zlib's inflater, and by the one that users run: of what is whole, both deliver the same.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/io/gzip_source.hpp"
#include "core/io/memory_source.hpp"

namespace {

using namespace kinetoscope::io;

struct Outcome {
  std::string text;
  bool is_damaged = false;
};

Outcome inflate(const std::string& bytes, std::size_t input_bytes, std::unique_ptr<Inflater> inflater) {
  constexpr std::size_t most_bytes = 1 << 22;
  GzipSource source(std::make_unique<MemorySource>(bytes, input_bytes), std::move(inflater));
  static std::array<char, 4093> buffer;
  Outcome outcome;
  for (std::size_t count = source.read(buffer); count > 0; count = source.read(buffer)) {
    outcome.text.append(buffer.data(), count);
    if (outcome.text.size() > most_bytes) return {};
  }
  outcome.is_damaged = source.damage() != nullptr;
  return outcome;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Outcome zlib = inflate(bytes, std::size_t{data[0]} + 1, make_zlib_inflater());
  const Outcome usual = inflate(bytes, std::size_t{data[0]} + 1, make_isal_inflater());
  if (!zlib.is_damaged && !usual.is_damaged && zlib.text != usual.text) std::abort();
  // Damaged, one may come a few symbols further than the other.
  const std::size_t common = std::min(zlib.text.size(), usual.text.size());
  if (zlib.text.compare(0, common, usual.text, 0, common) != 0) std::abort();
  return 0;
}
