#pragma once

// A value, or the reason why it is unknown. In JSON: null and `<field>_reason`. Never 0, NaN or infinity for unknown.

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

namespace kinetoscope {

enum class Reason : std::uint8_t {
  not_recorded,    ///< the trace has no such field
  not_applicable,  ///< the question does not arise here
  elided,          ///< the profiler wrote only part of a list
  nonfinite,       ///< the file says infinity or not-a-number
  out_of_range,    ///< a number that no column holds exactly
  no_gpu_events,   ///< nothing ran on a device in this trace
  ambiguous,       ///< several values are possible
};

[[nodiscard]] constexpr std::string_view spelling_of(Reason reason) noexcept {
  switch (reason) {
    case Reason::not_recorded: return "not_recorded";
    case Reason::not_applicable: return "not_applicable";
    case Reason::elided: return "elided";
    case Reason::nonfinite: return "nonfinite";
    case Reason::out_of_range: return "out_of_range";
    case Reason::no_gpu_events: return "no_gpu_events";
    case Reason::ambiguous: return "ambiguous";
  }
  return "not_recorded";
}

template <typename T>
class Known {
 public:
  Known(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): a value is a known value
  Known(Reason reason) : value_(reason) {}      // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const noexcept { return value_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Only when has_value().
  [[nodiscard]] const T& value() const { return std::get<0>(value_); }
  [[nodiscard]] const T& operator*() const { return value(); }
  /// Only when not has_value().
  [[nodiscard]] Reason reason() const { return std::get<1>(value_); }
  [[nodiscard]] T value_or(T other) const { return has_value() ? value() : std::move(other); }
  friend bool operator==(const Known&, const Known&) = default;

 private:
  std::variant<T, Reason> value_;
};
}  // namespace kinetoscope
