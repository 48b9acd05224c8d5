#include "core/base/huge_array.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include "core/base/huge_arena.hpp"

namespace kinetoscope::detail {
namespace {

constexpr std::size_t smallest_bytes = 256;
constexpr std::size_t mapped_growth = 8;
constexpr std::size_t small_page_bytes = std::size_t{64} << 10;  // the largest of the systems we know

bool is_mapped(std::size_t bytes) { return bytes >= huge_page_bytes; }
bool is_in_arena(std::size_t bytes) { return bytes >= smallest_arena_block && !is_mapped(bytes); }

void release(void* data, std::size_t bytes) {
  if (is_mapped(bytes)) {
    munmap(data, bytes);
  } else if (is_in_arena(bytes)) {
    give_arena_block(data, bytes);
  } else {
    std::free(data);
  }
}

void* enlarge(void* data, std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes < smallest_arena_block) {
    void* const larger = std::realloc(data, new_bytes);
    if (larger == nullptr) throw std::bad_alloc();
    return larger;
  }
  void* const larger = is_mapped(new_bytes) ? map_huge_pages(new_bytes) : take_arena_block(new_bytes);
  if (is_mapped(old_bytes)) {
    // Page tables move, bytes do not; both ends are aligned, so huge pages stay whole.
    if (mremap(data, old_bytes, old_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, larger) != MAP_FAILED) return larger;
  }
  if (old_bytes > 0) std::memcpy(larger, data, old_bytes);
  release(data, old_bytes);
  return larger;
}
}  // namespace

HugeBlock::HugeBlock(const HugeBlock& other) {
  if (other.bytes_ == 0) return;
  grow(other.bytes_);
  std::memcpy(data_, other.data_, other.bytes_);
}

HugeBlock& HugeBlock::operator=(const HugeBlock& other) {
  HugeBlock copy(other);
  swap(copy);
  return *this;
}

HugeBlock::~HugeBlock() { release(data_, bytes_); }

void HugeBlock::trim(std::size_t used_bytes) noexcept {
  if (!is_mapped(bytes_)) return;
  const std::size_t kept = std::min((used_bytes + small_page_bytes - 1) / small_page_bytes * small_page_bytes, bytes_);
  madvise(static_cast<char*>(data_) + kept, bytes_ - kept, MADV_DONTNEED);
}

void HugeBlock::grow(std::size_t at_least_bytes) {
  std::size_t bytes = std::max({at_least_bytes, bytes_ * 2, smallest_bytes});
  if (is_mapped(bytes)) {
    // Address space costs nothing until it is touched, but changing a mapping interrupts the other threads' processors.
    bytes = std::max(bytes, bytes_ * mapped_growth);
    bytes = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  } else if (is_in_arena(bytes)) {
    bytes = std::bit_ceil(bytes);  // at most one huge page, which is a mapping of its own
  }
  data_ = enlarge(data_, bytes_, bytes);
  bytes_ = bytes;
}
}  // namespace kinetoscope::detail
