#pragma once

// Durations added up: one may last 2^63 ns, a trace has up to 2^32 of them, so a sum has 128 bits and cannot overflow,
// whatever the file says. It becomes a double where it is divided or printed, 64 bits only where a document asks for
// them.

#include <cstdint>

#include "core/base/known.hpp"

namespace kinetoscope {

using WideSum = __int128;

/// In 64 bits; out_of_range where it does not fit.
[[nodiscard]] inline Known<std::int64_t> narrowed(WideSum sum) {
  if (sum > INT64_MAX || sum < INT64_MIN) return Reason::out_of_range;
  return static_cast<std::int64_t>(sum);
}

/// 100 `part` / `whole`; not_applicable where the whole is 0.
[[nodiscard]] inline Known<double> percentage_of(WideSum part, WideSum whole) {
  if (whole == 0) return Reason::not_applicable;
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}
}  // namespace kinetoscope
