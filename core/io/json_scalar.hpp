#pragma once

// One bare word of damaged JSON: what valid value it stands for. Exporters print floating-point numbers by their
// language's own rules ("inf", "-nan(ind)", "1.#QNAN"), and values of Python ("None", "True").

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope::io {

struct Scalar {
  enum class Kind : std::uint8_t {
    valid,      ///< JSON already
    nonfinite,  ///< infinity or not-a-number, also a number beyond binary64: null
    repaired,   ///< a number in another notation, or another language's literal
    unknown,    ///< some word: null
  };
  Kind kind = Kind::valid;
  std::string text;  ///< valid JSON
};

/// `word` has no white space, quotes, brackets, braces, commas or colons. O(length).
[[nodiscard]] Scalar read_scalar(std::string_view word);
}  // namespace kinetoscope::io
