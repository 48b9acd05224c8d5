#pragma once

// One operator call as models see it: shapes, types and strides of its operands, and its literal arguments. Read from
// the four JSON lists that a profiler writes beside an operator ("Input Dims", "Input type", "Input Strides",
// "Concrete Inputs"). What is malformed is absent: a model then says which argument it lacks.
// Cost: O(length of the texts); done once for each distinct set of arguments.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::perf_model {

using Shape = std::vector<std::int64_t>;

/// One operand. A literal has no dimensions and no type, or the type "Scalar".
struct Operand {
  Shape dims;
  std::string type;
  std::optional<Shape> strides;  ///< as many as dims; absent when they were not recorded
  std::vector<Shape> items;      ///< of a list of tensors: the shape of each; dims is empty then
  friend bool operator==(const Operand&, const Operand&) = default;

  /// A tensor that the call really has: optional ones that were left out have neither shape nor type.
  [[nodiscard]] bool is_tensor() const noexcept {
    return !dims.empty() || (!type.empty() && type != "Scalar" && type != "ScalarList" && items.empty());
  }
};

struct Call {
  std::string name;
  std::vector<Operand> operands;
  std::vector<std::string> literals;  ///< empty where an argument is a tensor
  friend bool operator==(const Call&, const Call&) = default;
};

/// The JSON texts of a call's arguments; absent or empty for what was not recorded.
struct CallTexts {
  std::string_view dims;
  std::string_view types;
  std::string_view strides;
  std::string_view literals;
};
[[nodiscard]] Call read_call(std::string_view name, const CallTexts& texts);

/// Product of the dimensions; 1 of none. A double: no shape that a file claims can overflow it.
[[nodiscard]] double elements_of(const Shape& dims) noexcept;
/// Elements that lie in memory: dimensions of stride 0 repeat the same ones.
[[nodiscard]] double stored_elements_of(const Operand& operand) noexcept;
/// Strides are those of a dense row-major tensor, or are not known.
[[nodiscard]] bool is_contiguous(const Operand& operand) noexcept;
/// The shape that two broadcast to; absent where they do not fit.
[[nodiscard]] std::optional<Shape> broadcast_shape(const Shape& left, const Shape& right);
}  // namespace kinetoscope::perf_model
