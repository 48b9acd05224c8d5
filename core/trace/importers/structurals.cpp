#include "core/trace/importers/structurals.hpp"

#include <bit>
#include <new>

namespace kinetoscope::importers {
namespace {
constexpr std::size_t smallest_capacity = std::size_t{64} << 10;
/// Of the second stage, which is not used.
constexpr std::size_t unused_depth = 1;

void check(simdjson::error_code status) {
  if (status != simdjson::SUCCESS) throw std::bad_alloc();
}
}  // namespace

Structurals::Structurals() {
  check(simdjson::get_active_implementation()->create_dom_parser_implementation(smallest_capacity, unused_depth,
                                                                                first_stage_));
}

std::span<const std::uint32_t> Structurals::find(const char* text, std::size_t size) {
  if (size > first_stage_->capacity()) check(first_stage_->allocate(std::bit_ceil(size), unused_depth));
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text);
  if (first_stage_->stage1(bytes, size, simdjson::stage1_mode::regular) != simdjson::SUCCESS) return {};
  return {first_stage_->structural_indexes.get(), first_stage_->n_structural_indexes};
}
}  // namespace kinetoscope::importers
