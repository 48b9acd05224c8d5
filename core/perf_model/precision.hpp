#pragma once

// In which unit of a GPU an operator's arithmetic runs, and at which precision: together the name of the ceiling that
// it is held against, such as matrix_bf16.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::perf_model {

enum class Precision : std::uint8_t { fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8 };
inline constexpr std::array precisions = {
    names::Spelled{Precision::fp64, "fp64"}, names::Spelled{Precision::fp32, "fp32"},
    names::Spelled{Precision::tf32, "tf32"}, names::Spelled{Precision::fp16, "fp16"},
    names::Spelled{Precision::bf16, "bf16"}, names::Spelled{Precision::fp8, "fp8"},
    names::Spelled{Precision::fp6, "fp6"},   names::Spelled{Precision::fp4, "fp4"},
    names::Spelled{Precision::int8, "int8"},
};
static_assert(names::follows_enum(precisions, Precision::int8));
[[nodiscard]] constexpr std::string_view spelling_of(Precision precision) noexcept {
  return precisions[static_cast<std::size_t>(precision)].spelling;
}

enum class ComputeUnit : std::uint8_t {
  none,    ///< moves data only
  vector,  ///< the ordinary lanes
  matrix,  ///< tensor cores, matrix cores
};
inline constexpr std::array compute_units = {
    names::Spelled{ComputeUnit::none, "none"},
    names::Spelled{ComputeUnit::vector, "vector"},
    names::Spelled{ComputeUnit::matrix, "matrix"},
};
static_assert(names::follows_enum(compute_units, ComputeUnit::matrix));
[[nodiscard]] constexpr std::string_view spelling_of(ComputeUnit unit) noexcept {
  return compute_units[static_cast<std::size_t>(unit)].spelling;
}

/// "matrix_bf16"; empty where either is unknown, and for integers in vector lanes, whose rate nobody states.
[[nodiscard]] inline std::string compute_spec(ComputeUnit unit, std::optional<Precision> precision) {
  if (unit == ComputeUnit::none || !precision) return {};
  if (unit == ComputeUnit::vector && *precision == Precision::int8) return {};
  return std::string(spelling_of(unit)) + "_" + std::string(spelling_of(*precision));
}
}  // namespace kinetoscope::perf_model
