#pragma once

// Small numbers for the distinct values of a column, in order of appearance: what tables group by. A tree, not a hash
// table, so that no choice of values makes it slow. O(log n) a look-up for n distinct values.

#include <cstdint>
#include <map>
#include <vector>

namespace kinetoscope {

template <typename Value>
class DenseIds {
 public:
  DenseIds() = default;
  DenseIds(DenseIds&&) noexcept = default;
  DenseIds& operator=(DenseIds&&) noexcept = default;
  DenseIds(const DenseIds&) = delete;
  DenseIds& operator=(const DenseIds&) = delete;
  ~DenseIds() = default;

  /// The value's number; a new one at its first appearance. What views point to must outlive this.
  [[nodiscard]] std::uint32_t of(const Value& value) {
    const auto [found, is_new] = ids_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(&found->first);
    return found->second;
  }
  [[nodiscard]] const Value& value(std::uint32_t id) const noexcept { return *values_[id]; }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

 private:
  std::map<Value, std::uint32_t> ids_;
  std::vector<const Value*> values_;  // keys of ids_, which stay where they are
};
}  // namespace kinetoscope
