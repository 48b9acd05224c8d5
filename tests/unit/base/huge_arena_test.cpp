#include "core/base/huge_arena.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::detail {
namespace {

struct Block {
  unsigned char* begin = nullptr;
  std::size_t bytes = 0;
  unsigned char mark = 0;
};

Block taken(std::size_t bytes, unsigned char mark) {
  const Block block{static_cast<unsigned char*>(take_arena_block(bytes)), bytes, mark};
  std::memset(block.begin, mark, bytes);
  return block;
}

bool is_intact(const Block& block) {
  for (std::size_t i = 0; i < block.bytes; i += 1021) {
    if (block.begin[i] != block.mark) return false;
  }
  return block.begin[block.bytes - 1] == block.mark;
}

/// Blocks of all sizes come and go; false when one was written to by another's owner.
bool churn(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Block> blocks;
  bool are_intact = true;
  for (int round = 0; round < 2000; ++round) {
    if (blocks.size() < 20 || random() % 2 == 0) {
      blocks.push_back(taken(smallest_arena_block << (random() % 6), static_cast<unsigned char>(random())));
    } else {
      const std::size_t which = random() % blocks.size();
      are_intact = are_intact && is_intact(blocks[which]);
      give_arena_block(blocks[which].begin, blocks[which].bytes);
      blocks[which] = blocks.back();
      blocks.pop_back();
    }
    if (blocks.size() > 60) {
      for (const Block& block : blocks) give_arena_block(block.begin, block.bytes);
      blocks.clear();
    }
  }
  for (const Block& block : blocks) {
    are_intact = are_intact && is_intact(block);
    give_arena_block(block.begin, block.bytes);
  }
  return are_intact;
}
}  // namespace

TEST_CASE("huge arena: blocks of one huge page stand side by side, and each is aligned to its size") {
  const Block first = taken(smallest_arena_block, 1);
  const Block second = taken(largest_arena_block, 2);
  const Block third = taken(smallest_arena_block, 3);
  for (const Block& block : {first, second, third}) {
    CHECK(reinterpret_cast<std::uintptr_t>(block.begin) % block.bytes == 0);
    CHECK(is_intact(block));
  }
  for (const Block& block : {first, second, third}) give_arena_block(block.begin, block.bytes);
}

TEST_CASE("huge arena: blocks that come and go in any order never overlap") {
  for (unsigned seed = 1; seed <= 5; ++seed) CHECK(churn(seed));
}

TEST_CASE("huge arena: threads share it without a block in two hands") {
  bool is_first_intact = false;
  bool is_second_intact = false;
  {
    const std::jthread first([&] { is_first_intact = churn(11); });
    const std::jthread second([&] { is_second_intact = churn(12); });
  }
  CHECK(is_first_intact);
  CHECK(is_second_intact);
}

TEST_CASE("huge arena: trimming takes no block that is in use, and new blocks come after it") {
  const Block kept = taken(smallest_arena_block, 4);
  const Block freed = taken(largest_arena_block, 5);
  give_arena_block(freed.begin, freed.bytes);
  trim_huge_arena();
  CHECK(is_intact(kept));
  CHECK(churn(13));
  const Block next = taken(largest_arena_block, 6);
  CHECK(is_intact(kept));
  CHECK(is_intact(next));
  for (const Block& block : {kept, next}) give_arena_block(block.begin, block.bytes);
}
}  // namespace kinetoscope::detail
