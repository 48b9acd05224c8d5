#pragma once

// Memory in blocks of 32 KiB to 1 MiB that stand side by side in huge pages. A page fault is the dearest operation on
// many virtual machines (measured for 128 MB: 350 ms in pages of 4 KiB, 8 ms in pages of 2 MiB that were used before,
// 170 to 220 ms the very first time), and a trace has dozens of columns too small for a mapping of their own. Blocks
// are powers of two; what is freed is used again, and of huge pages whose last block is freed 32 MiB are kept.
// Safe from any thread: a lock for each block, which is rare.

#include <cstddef>

namespace kinetoscope::detail {

inline constexpr std::size_t smallest_arena_block = std::size_t{32} << 10;
inline constexpr std::size_t largest_arena_block = std::size_t{1} << 20;

/// Uninitialised; `bytes` is a power of two between the two bounds. Throws std::bad_alloc.
[[nodiscard]] void* take_arena_block(std::size_t bytes);
/// `bytes` as it was asked for.
void give_arena_block(void* block, std::size_t bytes) noexcept;

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
/// Address space aligned to huge pages, and marked for them; `bytes` is a multiple of huge_page_bytes. Throws
/// std::bad_alloc; ends with munmap().
[[nodiscard]] void* map_huge_pages(std::size_t bytes);
}  // namespace kinetoscope::detail

namespace kinetoscope {
/// Gives the huge pages without blocks back to the machine: between two phases of work, of which the second needs its
/// memory in larger pieces than the first had. From any thread.
void trim_huge_arena() noexcept;
}  // namespace kinetoscope
