#pragma once

// What rows of launchers are grouped by, as numbers: two launchers are of one row when the numbers of the row's parts
// are the same. Texts have one number each, so arguments count as the same when they are printed the same, and names
// when they read the same. Each distinct argument is printed once, however many launchers have it.
// Cost: O(launchers). 56 bytes a launcher, while the tables are made.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/huge_array.hpp"
#include "core/base/text_index.hpp"
#include "core/tree/recompute.hpp"
#include "core/analysis/call_stacks.hpp"
#include "core/analysis/launchers.hpp"

namespace kinetoscope::analysis {

enum class KeyPart : std::uint8_t {
  name,
  category,  ///< perf_model::CategoryId
  parent_module,
  process_name,
  process_label,
  thread_name,
  input_dims,
  input_types,
  input_strides,
  concrete_inputs,
  kernels,
  is_recompute,
  overlapping_names,
  parameters,  ///< what a model read from the arguments
};
inline constexpr std::size_t key_parts = static_cast<std::size_t>(KeyPart::parameters) + 1;

/// The number of each part: of a text, its place in the texts; 0 where the options do not ask.
struct LauncherKey {
  std::array<std::uint32_t, key_parts> parts{};
  [[nodiscard]] std::uint32_t of(KeyPart part) const noexcept { return parts[static_cast<std::size_t>(part)]; }
  void set(KeyPart part, std::uint32_t number) noexcept { parts[static_cast<std::size_t>(part)] = number; }
};

/// The number of an argument that was not recorded.
inline constexpr std::uint32_t no_text = TextIndex::not_found;

/// What is looked at beside the launcher; nullptr where the options do not ask.
struct KeySources {
  const CallStacks* stacks = nullptr;
  const RecomputeMarks* recompute = nullptr;
};

/// One key for each launcher. Their texts are added to `texts`.
[[nodiscard]] HugeArray<LauncherKey> launcher_keys(const TableInput& input, const Launchers& launchers,
                                                   const KeySources& sources, TextIndex& texts);

/// Launchers in groups: by their places, group by group in order of first appearance, each group's in order.
struct LauncherGroups {
  HugeArray<std::uint32_t> first;   ///< by group, and one behind the last: where its places begin
  HugeArray<std::uint32_t> places;  ///< of launchers

  [[nodiscard]] std::size_t size() const noexcept { return first.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t group) const noexcept {
    return places.span().subspan(first[group], first[group + 1] - first[group]);
  }
};
/// By these parts only. O(launchers).
[[nodiscard]] LauncherGroups group_launchers(std::span<const LauncherKey> keys, std::span<const KeyPart> by);
}  // namespace kinetoscope::analysis
