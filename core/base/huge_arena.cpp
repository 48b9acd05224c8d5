#include "core/base/huge_arena.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace kinetoscope::detail {
namespace {

constexpr std::size_t classes = std::bit_width(largest_arena_block) - std::bit_width(smallest_arena_block) + 1;

/// Kept for the next blocks: what reading a trace gives back, building its tree takes.
constexpr std::size_t most_empty_pages = 16;

std::size_t class_of(std::size_t bytes) {
  return static_cast<std::size_t>(std::bit_width(bytes)) - std::bit_width(smallest_arena_block);
}

char* page_of(char* block) { return block - reinterpret_cast<std::uintptr_t>(block) % huge_page_bytes; }

class Arena {
 public:
  char* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::size_t wanted = class_of(bytes);
    std::size_t found = wanted;
    while (found < classes && free_[found].empty()) ++found;
    if (found == classes) {
      add_page();
      found = classes - 1;
    }
    char* const block = free_[found].back();
    free_[found].pop_back();
    // The upper half of each larger block that is split stays free.
    while (found > wanted) {
      --found;
      free_[found].push_back(block + (smallest_arena_block << found));
    }
    std::size_t& used_bytes = used_bytes_of_pages_[page_of(block)];
    if (used_bytes == 0) --empty_pages_;
    used_bytes += bytes;
    return block;
  }

  void give(char* block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    free_[class_of(bytes)].push_back(block);
    char* const page = page_of(block);
    const auto used = used_bytes_of_pages_.find(page);
    used->second -= bytes;
    if (used->second > 0) return;
    drop_blocks_of(page);
    if (empty_pages_ == most_empty_pages) {
      used_bytes_of_pages_.erase(used);
      munmap(page, huge_page_bytes);
      return;
    }
    ++empty_pages_;
    add_blocks_of(page);
  }

  void trim() {
    const std::lock_guard lock(mutex_);
    for (auto next = used_bytes_of_pages_.begin(); next != used_bytes_of_pages_.end();) {
      const auto page = next++;
      if (page->second > 0) continue;
      drop_blocks_of(page->first);
      munmap(page->first, huge_page_bytes);
      used_bytes_of_pages_.erase(page);
    }
    empty_pages_ = 0;
  }

 private:
  void add_page() {
    char* const page = static_cast<char*>(map_huge_pages(huge_page_bytes));
    used_bytes_of_pages_.emplace(page, 0);
    ++empty_pages_;
    // Room for all blocks that there can be, so that giving one back never needs memory.
    for (std::size_t i = 0; i < classes; ++i) {
      free_[i].reserve(used_bytes_of_pages_.size() * (huge_page_bytes / (smallest_arena_block << i)));
    }
    add_blocks_of(page);
  }

  void drop_blocks_of(const char* page) {
    for (std::vector<char*>& blocks : free_) std::erase_if(blocks, [&](char* free) { return page_of(free) == page; });
  }

  void add_blocks_of(char* page) {
    for (std::size_t at = huge_page_bytes; at > 0; at -= largest_arena_block) {
      free_.back().push_back(page + at - largest_arena_block);
    }
  }

  std::mutex mutex_;
  std::array<std::vector<char*>, classes> free_;      // guarded by mutex_; by size, each twice the one before
  std::map<char*, std::size_t> used_bytes_of_pages_;  // guarded by mutex_
  std::size_t empty_pages_ = 0;                       // guarded by mutex_
};

/// Never destroyed: arrays of static objects may outlive any other.
Arena& arena() {
  static auto* const only = new Arena;
  return *only;
}
}  // namespace

void* take_arena_block(std::size_t bytes) { return arena().take(bytes); }

void give_arena_block(void* block, std::size_t bytes) noexcept { arena().give(static_cast<char*>(block), bytes); }

void* map_huge_pages(std::size_t bytes) {
  // A larger mapping is asked for, and its edges are given back.
  void* const raw = mmap(nullptr, bytes + huge_page_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  auto* const base = static_cast<char*>(raw);
  const std::size_t before =
      (huge_page_bytes - reinterpret_cast<std::uintptr_t>(base) % huge_page_bytes) % huge_page_bytes;
  if (before > 0) munmap(base, before);
  munmap(base + before + bytes, huge_page_bytes - before);
  madvise(base + before, bytes, MADV_HUGEPAGE);  // advice: a kernel without huge pages may refuse it
  return base + before;
}
}  // namespace kinetoscope::detail

namespace kinetoscope {
void trim_huge_arena() noexcept { detail::arena().trim(); }
}  // namespace kinetoscope
