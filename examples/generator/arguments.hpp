#pragma once

// The arguments of an operator as PyTorch's profiler records them: one entry for each parameter of the schema, in four
// lists of the same length. Tensors have sizes, strides and an element type; numbers and truth values are `Scalar` with
// a text; lists of them `ScalarList`; what is absent, or of a type that the profiler knows nothing of (devices, texts),
// is empty in all four.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "examples/generator/document.hpp"

namespace kinetoscope::examples {

using Sizes = std::vector<std::int64_t>;

inline constexpr std::string_view bfloat16 = "c10::BFloat16";
inline constexpr std::string_view float32 = "float";
inline constexpr std::string_view int32 = "int";
inline constexpr std::string_view int64 = "long int";

/// Strides of a tensor whose elements stand one after another, the last dimension fastest.
[[nodiscard]] Sizes contiguous(const Sizes& sizes);

class Arguments {
 public:
  Arguments& tensor(std::string_view type, const Sizes& sizes) { return tensor(type, sizes, contiguous(sizes)); }
  Arguments& tensor(std::string_view type, const Sizes& sizes, const Sizes& strides);
  /// A list of contiguous tensors, of which the profiler writes no element types, and no sizes beyond 30 tensors.
  Arguments& tensors(const std::vector<Sizes>& list);
  /// As the profiler prints it: "1", "0.125", "False".
  Arguments& scalar(std::string_view value);
  Arguments& scalars(std::string_view values);
  Arguments& none();

  [[nodiscard]] bool empty() const noexcept { return types_.empty(); }
  /// Adds the four lists to an operator's args.
  void write(Fields& args) const;

 private:
  Arguments& add(std::string sizes, std::string strides, std::string_view type, std::string_view value);

  std::vector<std::string> sizes_;  ///< JSON, as all texts here
  std::vector<std::string> strides_;
  std::vector<std::string> types_;
  std::vector<std::string> values_;
};
}  // namespace kinetoscope::examples
