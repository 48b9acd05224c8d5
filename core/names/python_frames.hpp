#pragma once

// What the name of a Python frame says: "torch/nn/modules/linear.py(125): forward", "<built-in function linear>",
// "nn.Module: Linear_3". One table, python_frames.json. Any text is a valid name.
// Cost: O(length) for each piece of the table; callers ask once a distinct name. Threads: safe to call at once.

#include <string>
#include <string_view>

namespace kinetoscope::names {

/// Does all below such a frame do forward work again, for the backward pass?
[[nodiscard]] bool is_recompute_frame(std::string_view name);
/// Does it say something to the reader of a call stack?
[[nodiscard]] bool is_shown_frame(std::string_view name);
/// Does it only pass the call on?
[[nodiscard]] bool is_wrapper_frame(std::string_view name);
/// It names a source file.
[[nodiscard]] bool is_source_frame(std::string_view name);
/// What stands behind the last "): "; empty when the name has none.
[[nodiscard]] std::string_view function_of_frame(std::string_view name);
/// Each "_" with the digits behind it is left out: frames of different layers become the same.
[[nodiscard]] std::string without_numbers(std::string_view name);
}  // namespace kinetoscope::names
