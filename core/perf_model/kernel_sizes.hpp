#pragma once

// The sizes of a generated Triton kernel: of each dimension of its grid (x, y, z) and of its reduction (r, or r0_ and
// r1_). The body states those that were compiled in ("xnumel = 5000"); of the others size_hints has the next power of
// two of what the compiler saw.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace kinetoscope::perf_model {

class KernelSizes {
 public:
  /// "x", "r0_"; false for a dimension that there is not, or a size that is not above 0 and exact in a double.
  bool set_hint(std::string_view dimension, double size) { return set(dimension, size, hints_); }
  bool set_exact(std::string_view dimension, double size) { return set(dimension, size, exact_); }

  /// Of one dimension, exact or a hint. "r" is all of the reduction.
  [[nodiscard]] std::optional<double> of(std::string_view dimension) const;
  [[nodiscard]] double xnumel() const { return known(0) * known(1) * known(2); }
  [[nodiscard]] double rnumel() const { return has_parts() ? known(4) * known(5) : known(3); }
  [[nodiscard]] bool is_empty() const;
  /// No size that is used is a hint.
  [[nodiscard]] bool is_exact() const;

 private:
  static constexpr std::array<std::string_view, 6> dimensions = {"x", "y", "z", "r", "r0_", "r1_"};
  using Sizes = std::array<std::optional<double>, dimensions.size()>;
  static bool set(std::string_view dimension, double size, Sizes& sizes);
  /// The reduction has dimensions of its own: "r" is then another name of all of it.
  [[nodiscard]] bool has_parts() const { return exact_[4] || exact_[5] || hints_[4] || hints_[5]; }
  /// 1 of a dimension that the kernel does not have.
  [[nodiscard]] double known(std::size_t place) const { return exact_[place].value_or(hints_[place].value_or(1)); }

  Sizes exact_{};
  Sizes hints_{};
};
}  // namespace kinetoscope::perf_model
