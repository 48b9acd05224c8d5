#pragma once

// Literal arguments as profilers write them, "True", "[1, 1]", "0.125", read by what a model expects; never evaluated.
// Cost: O(length) a literal.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kinetoscope::perf_model {

/// "True", "false", "1", "0"; absent for any other text.
[[nodiscard]] std::optional<bool> truth_in(std::string_view literal) noexcept;
/// A whole number that fits 64 bits; absent for any other text.
[[nodiscard]] std::optional<std::int64_t> whole_number_in(std::string_view literal) noexcept;
/// "0.", "1e-05", "7"; absent for any other text, and for what is not finite.
[[nodiscard]] std::optional<double> number_in(std::string_view literal) noexcept;
/// "[1, 1]" or "(1, 1)"; one whole number is a list of one. Absent unless all of it are whole numbers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> whole_numbers_in(std::string_view literal);
/// "[2., 2.]", the same of numbers.
[[nodiscard]] std::optional<std::vector<double>> numbers_in(std::string_view literal);
/// "[True, True, False]"; absent unless all of it are truths.
[[nodiscard]] std::optional<std::vector<bool>> truths_in(std::string_view literal);
/// A list stands there, whatever it holds: "[...]".
[[nodiscard]] bool is_list(std::string_view literal) noexcept;
}  // namespace kinetoscope::perf_model
