#pragma once

// Text that has to fit into a figure: how wide it is, where it is cut or wrapped, and how numbers are written.
// The font is not known, so widths are those of a wide one (DejaVu Sans); text in a narrower one leaves room. No
// locale.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::report {

/// Foreign text as a figure shows it: printable (core/base/format.hpp), and beyond `most_characters`, escapes counted
/// as they are written, cut with "…". O(most_characters).
[[nodiscard]] std::string shown_text(std::string_view foreign, std::size_t most_characters);

/// Bold letters are that much wider: where one is asked for the size of bold text, its size times this.
inline constexpr double bold_widening = 1.14;

/// In units of the view box, of printable text whose letters are `size` high. O(n).
[[nodiscard]] double text_width(std::string_view printable_text, double size) noexcept;
/// The text, or as much of it as fits with "…" behind. O(n).
[[nodiscard]] std::string cut_to_width(std::string_view printable_text, double size, double width);
/// Lines no wider than `width`, broken at a space where one is in their second half, else anywhere; too much for
/// `most_lines` is cut with "…". No lines for empty text. O(n).
[[nodiscard]] std::vector<std::string> wrapped(std::string_view printable_text, double size, double width,
                                               std::size_t most_lines);

/// At most `digits` significant digits: 5300, 989.5, 1e+12.
[[nodiscard]] std::string figure_number(double value, int digits = 4);
/// A share as "12.3 %"; what is above 0 and would be rounded to it as "< 0.1 %"; from a million percent on "1.2e+10 %".
[[nodiscard]] std::string figure_share(double share);
}  // namespace kinetoscope::report
