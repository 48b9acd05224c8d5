#pragma once

// Parts of the JSON that commands print, one function a kind of row or object.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/diagnostics.hpp"
#include "core/base/known.hpp"
#include "core/base/unicode.hpp"
#include "core/trace/trace.hpp"
#include "core/analysis/gpu_population.hpp"
#include "core/analysis/overview.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// Foreign text as valid UTF-8.
[[nodiscard]] inline Json text_json(std::string_view foreign) { return valid_utf8(foreign).text; }

/// A whole number without a fraction, so that 40 launches are not 40.0; null for what JSON cannot say.
[[nodiscard]] inline Json number_json(double value) {
  constexpr double exact = 9'007'199'254'740'992.0;
  if (!std::isfinite(value)) return nullptr;
  if (std::trunc(value) == value && std::abs(value) <= exact) return static_cast<std::int64_t>(value);
  return value;
}

/// The value, or null and why.
template <typename T>
void put(Json& object, const std::string& key, const std::optional<T>& value, Reason reason) {
  object[key] = value ? Json(*value) : Json(nullptr);
  if (!value) object[key + "_reason"] = spelling_of(reason);
}

/// The same.
template <typename T>
void put_known(Json& object, const std::string& key, const Known<T>& value) {
  if constexpr (std::is_floating_point_v<T>) {
    object[key] = value ? number_json(*value) : Json(nullptr);
  } else {
    object[key] = value ? Json(*value) : Json(nullptr);
  }
  if (!value) object[key + "_reason"] = spelling_of(value.reason());
}

/// Null for an empty text.
[[nodiscard]] inline Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : text_json(text);
}

[[nodiscard]] Json diagnostics_json(const Diagnostics& diagnostics);
[[nodiscard]] Json partial_json(const std::optional<PartialRead>& partial);
[[nodiscard]] Json population_json(const analysis::GpuPopulation& population);
[[nodiscard]] Json unlinked_json(const analysis::Unlinked& unlinked);
[[nodiscard]] Json step_json(const analysis::StepOverview& step);
[[nodiscard]] Json device_json(const analysis::DeviceOverview& device);
[[nodiscard]] Json stream_json(const analysis::StreamOverview& stream);
/// `<key>_reason` where it does not fit 64 bits.
void put_sum(Json& object, const std::string& key, WideSum sum);
/// Vendor, frameworks, versions, ranks, host and clock.
void put_identity(Json& object, const analysis::Overview& overview);
}  // namespace kinetoscope::report
