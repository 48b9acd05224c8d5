#pragma once

// The shapes of an operator's inputs, read from `Input Dims` and `Input type`: a tensor has dimensions, a scalar has
// none, a tensor list has a shape for each member, or none at all when the profiler left them out, which is not the
// same as a scalar.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope {

using TensorShape = std::vector<std::int64_t>;

struct InputShape {
  enum class Form : std::uint8_t {
    tensor,       ///< `dims` is its shape; no dimensions for a scalar or a value
    tensor_list,  ///< `members` has the shape of each
    unknown,      ///< a tensor list whose shapes were not recorded, or text that is no shape
  };
  Form form = Form::unknown;
  TensorShape dims;
  std::vector<TensorShape> members;
  std::string type;  ///< as written: "c10::BFloat16", "TensorList", "Scalar", ""
  friend bool operator==(const InputShape&, const InputShape&) = default;
};

/// One entry an input. Both texts are JSON as `Trace::json_text` gives it; an empty `dims` or `types` (not recorded)
/// gives unknown shapes or empty types. Never throws on any text; O(length).
[[nodiscard]] std::vector<InputShape> parse_input_shapes(std::string_view dims, std::string_view types);

/// Some input is a tensor list without shapes.
[[nodiscard]] bool has_unknown_lists(std::string_view dims, std::string_view types);
}  // namespace kinetoscope
