#pragma once

// An SVG document in the making: shapes and text become elements in the order in which they are drawn.
//
// A figure is one file that shows the same everywhere: 960 units wide, on its own light background, so that it reads on
// pages of any colour, in an <img>, in mail and on paper; colours that follow the reader's theme were refused because
// converters and inlined copies ignore or leak style sheets. No scripts, no style sheet, no ids (several figures may be
// inlined into one page), no fonts from elsewhere. Same calls, same bytes: coordinates have one decimal, no locale.
// What comes out is well-formed XML whatever the text: XML's own characters become references, and what XML cannot say
// or would not show (control characters, bytes that are no UTF-8) is written as the escapes of core/base/format.hpp.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/report/figures/geometry.hpp"

namespace kinetoscope::report {

inline constexpr double figure_width = 960;
inline constexpr double figure_margin = 24;
/// Of a tooltip; what is longer is cut with "…".
inline constexpr std::size_t most_tooltip_characters = 2'000;

/// Colours that more than one figure uses, on the background.
namespace ink {
inline constexpr std::string_view background = "#ffffff";
inline constexpr std::string_view text = "#1f2328";
inline constexpr std::string_view faint_text = "#57606a";
inline constexpr std::string_view axis = "#6e7781";
inline constexpr std::string_view grid = "#d8dee4";
inline constexpr std::string_view faint_grid = "#eef1f4";
}  // namespace ink

struct Stroke {
  std::string_view colour = ink::axis;
  double width = 1;
  bool is_dashed = false;
};

enum class TextAnchor : std::uint8_t { start, middle, end };

struct TextStyle {
  double size = 12;
  TextAnchor anchor = TextAnchor::start;
  std::string_view fill = ink::text;
  bool is_bold = false;
  bool has_halo = false;  ///< a rim in the colour of the background, to be read on lines and points
  double angle = 0;       ///< degrees clockwise, around its place
};

/// `text` as XML has it between tags and in attributes. O(n).
[[nodiscard]] std::string xml_escaped(std::string_view text);

/// Coordinates must be finite. All colours are ours; all text may be foreign.
class Svg {
 public:
  /// What is drawn until end_group() has this tooltip; its lines end with \n. Groups must be ended.
  void begin_group(std::string_view tooltip);
  void end_group();
  void line(Place from, Place to, const Stroke& stroke);
  void path(std::span<const Place> places, const Stroke& stroke);
  void rectangle(const Box& box, std::string_view fill);
  void circle(Place middle, double radius, std::string_view fill, const Stroke& rim);
  /// `at` is on the base line.
  void text(Place at, std::string_view shown, const TextStyle& style);
  /// The document; `title` names the figure, `description` says it in words.
  [[nodiscard]] std::string finish(double height, std::string_view title, std::string_view description) const;

 private:
  std::string body_;
};

/// Title and caption at the top of a figure; returns where the rest may begin.
double draw_heading(Svg& svg, std::string_view title, std::string_view caption);
/// Faint lines of text from `top` on, wrapped to the figure's width, an entry at most three lines; returns where they
/// end.
double draw_notes(Svg& svg, std::span<const std::string> notes, double top);
/// A figure that says why there is nothing to draw.
[[nodiscard]] std::string empty_figure(std::string_view title, std::string_view caption, std::string_view why,
                                       std::span<const std::string> notes);
}  // namespace kinetoscope::report
