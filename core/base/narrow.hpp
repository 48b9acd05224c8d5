#pragma once

// Narrowing that cannot lose a value silently: the only way from a wide integer to a narrow one.

#include <concepts>
#include <stdexcept>
#include <utility>

namespace kinetoscope {

/// `value` as a `To`; throws std::range_error when it does not fit. For values that our own limits keep small: a value
/// from a trace is checked before, with an Error or a diagnostic that names it.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr To narrow(From value) {
  if (!std::in_range<To>(value)) throw std::range_error("an integer does not fit its narrower type");
  return static_cast<To>(value);
}
}  // namespace kinetoscope
