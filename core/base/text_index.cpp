#include "core/base/text_index.hpp"

#include <algorithm>
#include <cstring>

#include <xxhash.h>

#include "core/base/error.hpp"
#include "core/base/same_text.hpp"

namespace kinetoscope {
namespace {
constexpr std::size_t largest_chunk_bytes = 1u << 20;

std::uint64_t hash_of(std::string_view text) noexcept { return XXH3_64bits(text.data(), text.size()); }
}  // namespace

TextIndex::Entry TextIndex::add(std::string_view text) {
  if ((texts_.size() + 1) * 2 > slots_.size()) enlarge_slots();
  const std::uint64_t hash = hash_of(text);
  const auto high = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.index == not_found) {
      if (texts_.size() >= not_found) {
        throw Error({.code = ErrorCode::limit_reached, .problem = "more than 4,294,967,294 different texts"});
      }
      slot = {high, static_cast<std::uint32_t>(texts_.size())};
      texts_.push_back(store(text));
      return {slot.index, true};
    }
    if (slot.hash_high == high && same_text(texts_[slot.index], text)) return {slot.index, false};
  }
}

std::uint32_t TextIndex::find(std::string_view text) const noexcept {
  if (slots_.empty()) return not_found;
  const std::uint64_t hash = hash_of(text);
  const auto high = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.index == not_found || (slot.hash_high == high && texts_[slot.index] == text)) return slot.index;
  }
}

std::size_t TextIndex::allocated_bytes() const noexcept {
  return slots_.allocated_bytes() + texts_.capacity() * sizeof(std::string_view) + chunk_bytes_;
}

std::string_view TextIndex::store(std::string_view text) {
  if (text.size() > chunk_free_bytes_) {
    // Chunks grow with what is stored, so that a small trace takes little; a long text gets a chunk of its own.
    const std::size_t wanted = std::clamp<std::size_t>(chunk_bytes_, 4096, largest_chunk_bytes);
    const std::size_t bytes = std::max(wanted, text.size());
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    chunk_bytes_ += bytes;
    if (text.size() * 2 > wanted) {
      std::memcpy(chunks_.back().get(), text.data(), text.size());
      return {chunks_.back().get(), text.size()};
    }
    chunk_next_ = chunks_.back().get();
    chunk_free_bytes_ = bytes;
  }
  char* const at = chunk_next_;
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  chunk_next_ += text.size();
  chunk_free_bytes_ -= text.size();
  return {at, text.size()};
}

void TextIndex::enlarge_slots() {
  const std::size_t count = std::max<std::size_t>(64, slots_.size() * 2);
  HugeArray<Slot> larger(count);
  const std::size_t mask = count - 1;
  for (std::uint32_t index = 0; index < texts_.size(); ++index) {
    const std::uint64_t hash = hash_of(texts_[index]);
    std::size_t at = hash & mask;
    while (larger[at].index != not_found) at = (at + 1) & mask;
    larger[at] = {static_cast<std::uint32_t>(hash >> 32), index};
  }
  slots_ = std::move(larger);
}
}  // namespace kinetoscope
