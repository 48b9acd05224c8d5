#include "core/perf_model/structured_sparsity.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kinetoscope::perf_model {
namespace {

constexpr double sparsity_factor = 2;
constexpr std::string_view capability_prefix = "cc ";

struct SparsePath {
  std::string_view spec;
  /// Compute capabilities from the first to the second, as ten times the major number plus the minor one.
  int first_capability = 0;
  int last_capability = 0;
  bool is_of_cdna = false;  ///< gfx942 and gfx950, too
};
constexpr int no_last_capability = 1'000'000;
constexpr std::array sparse_paths = {
    SparsePath{"matrix_tf32", 80, no_last_capability, false},
    SparsePath{"matrix_fp16", 80, no_last_capability, true},
    SparsePath{"matrix_bf16", 80, no_last_capability, true},
    SparsePath{"matrix_fp8", 80, no_last_capability, true},
    SparsePath{"matrix_int8", 80, no_last_capability, true},
    SparsePath{"matrix_fp6", 100, no_last_capability, false},
    SparsePath{"matrix_fp4", 100, 100, false},
};

/// 90 of "cc 9.0"; absent for anything else.
std::optional<int> capability_number(std::string_view arch) {
  if (!arch.starts_with(capability_prefix)) return {};
  arch.remove_prefix(capability_prefix.size());
  const std::size_t point = arch.find('.');
  if (point > 3 || arch.size() != point + 2) return {};  // npos is above 3
  int major = 0;
  int minor = 0;
  const char* const middle = arch.data() + point;
  const char* const end = arch.data() + arch.size();
  const auto before = std::from_chars(arch.data(), middle, major);
  const auto behind = std::from_chars(middle + 1, end, minor);
  if (before.ec != std::errc() || before.ptr != middle || behind.ec != std::errc() || behind.ptr != end) return {};
  return 10 * major + minor;
}
}  // namespace

std::optional<double> peak_with_sparsity(const Platform& platform, std::string_view spec, double dense_tflops) {
  const auto* const path = std::ranges::find(sparse_paths, spec, &SparsePath::spec);
  if (path == sparse_paths.end()) return {};
  const bool is_cdna = platform.arch == "gfx942" || platform.arch == "gfx950";
  const std::optional<int> capability = capability_number(platform.arch);
  const bool has_path = capability ? path->first_capability <= *capability && *capability <= path->last_capability
                                   : is_cdna && path->is_of_cdna;
  return has_path ? std::optional(sparsity_factor * dense_tflops) : std::nullopt;
}
}  // namespace kinetoscope::perf_model
