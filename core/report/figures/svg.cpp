#include "core/report/figures/svg.hpp"

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/base/unicode.hpp"
#include "core/report/figures/figure_text.hpp"

namespace kinetoscope::report {
namespace {

constexpr double heading_size = 18;
constexpr double caption_size = 13;
constexpr double notes_size = 12;
constexpr double notes_line_height = 18;
constexpr double full_width = figure_width - 2 * figure_margin;
constexpr std::size_t most_line_characters = 1'000;  // of a title, caption or note: more than the width holds

std::string svg_number(double value) {
  std::string out = fmt::format("{:.1f}", value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string svg_stroke(const Stroke& stroke) {
  return fmt::format(R"( stroke="{}" stroke-width="{}"{})", stroke.colour, svg_number(stroke.width),
                     stroke.is_dashed ? R"( stroke-dasharray="5 4")" : "");
}

std::string_view svg_anchor(TextAnchor anchor) noexcept {
  switch (anchor) {
    case TextAnchor::start: return "start";
    case TextAnchor::middle: return "middle";
    case TextAnchor::end: return "end";
  }
  return "start";
}

/// Each line by itself, so that the ends of lines stay.
std::string tooltip_text(std::string_view tooltip) {
  std::string out;
  while (true) {
    const std::size_t end = tooltip.find('\n');
    out += xml_escaped(shown_text(tooltip.substr(0, end), most_tooltip_characters));
    if (end == std::string_view::npos) return out;
    out += '\n';
    tooltip.remove_prefix(end + 1);
  }
}
}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t character = next_character(text, position);
    switch (character) {
      case U'&': out += "&amp;"; continue;
      case U'<': out += "&lt;"; continue;
      case U'>': out += "&gt;"; continue;
      case U'"': out += "&quot;"; continue;
      default: break;
    }
    const bool is_refused = character < 0x20 || character == 0xfffe || character == 0xffff;
    append_utf8(out, is_refused ? replacement_character : character);
  }
  return out;
}

void Svg::begin_group(std::string_view tooltip) {
  body_ += "<g>";
  if (!tooltip.empty()) body_ += "<title>" + tooltip_text(tooltip) + "</title>";
  body_ += '\n';
}

void Svg::end_group() { body_ += "</g>\n"; }

void Svg::line(Place from, Place to, const Stroke& stroke) {
  fmt::format_to(std::back_inserter(body_), R"(<line x1="{}" y1="{}" x2="{}" y2="{}"{}/>)", svg_number(from.x),
                 svg_number(from.y), svg_number(to.x), svg_number(to.y), svg_stroke(stroke));
  body_ += '\n';
}

void Svg::path(std::span<const Place> places, const Stroke& stroke) {
  std::string points;
  for (const Place& place : places) {
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", svg_number(place.x), svg_number(place.y));
  }
  body_ += fmt::format(R"(<polyline points="{}" fill="none"{}/>)", points, svg_stroke(stroke)) + '\n';
}

void Svg::rectangle(const Box& box, std::string_view fill) {
  fmt::format_to(std::back_inserter(body_), R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>)",
                 svg_number(box.left), svg_number(box.top), svg_number(box.width()), svg_number(box.height()), fill);
  body_ += '\n';
}

void Svg::circle(Place middle, double radius, std::string_view fill, const Stroke& rim) {
  fmt::format_to(std::back_inserter(body_), R"(<circle cx="{}" cy="{}" r="{}" fill="{}" fill-opacity="0.8"{}/>)",
                 svg_number(middle.x), svg_number(middle.y), svg_number(radius), fill, svg_stroke(rim));
  body_ += '\n';
}

void Svg::text(Place at, std::string_view shown, const TextStyle& style) {
  fmt::format_to(std::back_inserter(body_), R"(<text x="{}" y="{}" font-size="{}" fill="{}")", svg_number(at.x),
                 svg_number(at.y), svg_number(style.size), style.fill);
  if (style.anchor != TextAnchor::start) body_ += fmt::format(R"( text-anchor="{}")", svg_anchor(style.anchor));
  if (style.is_bold) body_ += R"( font-weight="600")";
  if (style.has_halo) {
    body_ +=
        fmt::format(R"( stroke="{}" stroke-width="3" stroke-linejoin="round" paint-order="stroke")", ink::background);
  }
  if (style.angle != 0) {
    body_ += fmt::format(R"svg( transform="rotate({} {} {})")svg", svg_number(style.angle), svg_number(at.x),
                         svg_number(at.y));
  }
  body_ += '>' + xml_escaped(printable(shown, most_line_characters)) + "</text>\n";
}

std::string Svg::finish(double height, std::string_view title, std::string_view description) const {
  const std::string width = svg_number(figure_width);
  const std::string high = svg_number(height);
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" )"
      R"(font-family="system-ui, sans-serif">)",
      width, high);
  out += "\n<title>" + tooltip_text(title) + "</title>\n<desc>" + tooltip_text(description) + "</desc>\n";
  out += fmt::format(R"(<rect width="{}" height="{}" rx="6" fill="{}"/>)", width, high, ink::background);
  return out + '\n' + body_ + "</svg>\n";
}

double draw_heading(Svg& svg, std::string_view title, std::string_view caption) {
  const std::string shown_title = shown_text(title, most_line_characters);
  svg.text({figure_margin, 34}, cut_to_width(shown_title, heading_size * bold_widening, full_width),
           {.size = heading_size, .is_bold = true});
  double y = 34;
  for (const std::string& line : wrapped(shown_text(caption, most_line_characters), caption_size, full_width, 2)) {
    svg.text({figure_margin, y += 20}, line, {.size = caption_size, .fill = ink::faint_text});
  }
  return y + 14;
}

double draw_notes(Svg& svg, std::span<const std::string> notes, double top) {
  constexpr std::size_t most_lines_a_note = 3;
  double y = top;
  for (const std::string& note : notes) {
    const std::string shown = shown_text(note, most_line_characters);
    for (const std::string& line : wrapped(shown, notes_size, full_width, most_lines_a_note)) {
      svg.text({figure_margin, y + notes_size}, line, {.size = notes_size, .fill = ink::faint_text});
      y += notes_line_height;
    }
  }
  return y;
}

std::string empty_figure(std::string_view title, std::string_view caption, std::string_view why,
                         std::span<const std::string> notes) {
  Svg svg;
  double y = draw_heading(svg, title, caption) + 24;
  for (const std::string& line : wrapped(shown_text(why, most_line_characters), 15, full_width, 3)) {
    svg.text({figure_width / 2, y += 22}, line, {.size = 15, .anchor = TextAnchor::middle});
  }
  y = draw_notes(svg, notes, y + 34);
  return svg.finish(y + figure_margin, title, why);
}
}  // namespace kinetoscope::report
