#include "core/report/figures/svg.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "core/report/figures/figure_text.hpp"
#include "core/report/figures/label_places.hpp"
#include "core/report/figures/log_axis.hpp"
#include "tests/support/xml_elements.hpp"

namespace kinetoscope::report {

TEST_CASE("svg: a document that is not well-formed is seen by these tests") {
  for (const std::string_view broken :
       {"<a>", "<a></b>", "<a b=1/>", "<a>&nbsp;</a>", "<a>\x01</a>", "<a>\xff</a>", "<a/><b/>", "<a b=\"<\"/>",
        "<a b=\"1\" b=\"2\"/>", "<a>\xef\xbf\xbf</a>", "x<a/>", ""}) {
    CAPTURE(broken);
    CHECK(read_xml(broken).problem != "");
  }
  CHECK(read_xml("<a b=\"&quot;\">&lt;x<c/></a>\n").problem == "");
}

TEST_CASE("svg: foreign text comes out as it is, in elements and in tooltips, and what XML cannot say as escapes") {
  struct Case {
    std::string foreign;
    std::string read;
  };
  const std::vector<Case> cases = {
      {"at::Foo<int, &x> \"q\" 'p' ]]>", "at::Foo<int, &x> \"q\" 'p' ]]>"},
      {"</text><script>alert(1)</script>", "</text><script>alert(1)</script>"},
      {std::string("a\0b", 3), "a\\u0000b"},
      {"a\x1b[31m\x7f", "a\\u001b[31m\\u007f"},
      {"\xff", "\\ufffd"},               // no UTF-8
      {"\xef\xbf\xbf", "\xef\xbf\xbd"},  // U+FFFF, which XML 1.0 does not have
      {"\xe2\x80\xae"
       "abc",
       "\\u202eabc"},  // would turn what follows around
      {"模型 🚀", "模型 🚀"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.foreign);
    Svg svg;
    svg.begin_group(one.foreign);
    svg.text({10, 20}, one.foreign, {});
    svg.end_group();
    const XmlDocument document = read_xml(svg.finish(100, one.foreign, one.foreign));
    CHECK(document.problem == "");
    REQUIRE(document.elements.size() == 7);  // svg, its title, desc and background, the group with its title and text
    CHECK(document.elements[1].text == one.read);
    CHECK(document.elements[2].text == one.read);
    CHECK(document.elements[5].text == one.read);
    CHECK(document.elements[6].text == one.read);
  }
}

TEST_CASE("svg: coordinates have one decimal at most, and no negative zero") {
  Svg svg;
  svg.line({-0.04, 1.26}, {2, 3.04}, {});
  const XmlElement line = read_xml(svg.finish(100, "t", "d")).all("line").at(0);
  CHECK(line.attributes.at("x1") == "0");
  CHECK(line.attributes.at("y1") == "1.3");
  CHECK(line.attributes.at("x2") == "2");
  CHECK(line.attributes.at("y2") == "3");
}

TEST_CASE("svg: a figure is an image with a title and a description, 960 wide, on a background of its own") {
  const XmlDocument document = read_xml(Svg().finish(200, "Name", "Words"));
  const XmlElement& root = document.elements.at(0);
  CHECK(root.attributes.at("viewBox") == "0 0 960 200");
  CHECK(root.attributes.at("role") == "img");
  CHECK(root.attributes.at("font-family") == "system-ui, sans-serif");
  CHECK(document.elements.at(1).text == "Name");
  CHECK(document.elements.at(2).text == "Words");
  const XmlElement& background = document.elements.at(3);
  CHECK(background.name == "rect");
  CHECK(background.number("width") == 960);
  CHECK(background.number("height") == 200);
}

TEST_CASE("svg: a tooltip is cut at its limit") {
  Svg svg;
  svg.begin_group(std::string(most_tooltip_characters + 1, 'x'));
  svg.end_group();
  CHECK(read_xml(svg.finish(100, "t", "d")).all("title").at(1).text == std::string(most_tooltip_characters, 'x') + "…");
}

TEST_CASE("figure text: what is shown is cut at characters, escapes counted as they are written") {
  CHECK(shown_text("abcdef", 6) == "abcdef");
  CHECK(shown_text("abcdef", 5) == "abcde…");
  CHECK(shown_text("äöü", 2) == "äö…");
  CHECK(shown_text("\x01xyz", 6) == "\\u0001…");  // an escape is six characters
}

TEST_CASE("figure text: lines break at spaces, long words anywhere, and the last line says that there is more") {
  const double width = text_width("aaaa aaaa", 10);
  CHECK(wrapped("aaaa aaaa aaaa", 10, width, 3) == std::vector<std::string>{"aaaa aaaa", "aaaa"});
  CHECK(wrapped("aaaaaa bbbb", 10, width, 3) == std::vector<std::string>{"aaaaaa", "bbbb"});
  // A space near the beginning would leave most of the line empty.
  CHECK(wrapped("aa bbbbbbbbbb", 10, width, 3) == std::vector<std::string>{"aa bbbbbb", "bbbb"});
  CHECK(wrapped("", 10, width, 3).empty());
  for (const std::string& line : wrapped(std::string(100, 'W') + " " + std::string(100, 'm'), 10, 50, 3)) {
    CHECK(text_width(line, 10) <= 50);
  }
  const std::vector<std::string> cut = wrapped(std::string(100, 'a'), 10, 50, 2);
  REQUIRE(cut.size() == 2);
  CHECK(cut[0].find("…") == std::string::npos);
  CHECK(cut[1].ends_with("…"));
  CHECK(wrapped("W", 10, 1, 5).size() == 1);  // narrower than any character: it ends all the same
}

TEST_CASE("figure text: shares tell nothing from little, and stay short") {
  CHECK(figure_share(0) == "0.0 %");
  CHECK(figure_share(0.0004) == "< 0.1 %");
  CHECK(figure_share(0.0005) != "< 0.1 %");
  CHECK(figure_share(0.123) == "12.3 %");
  CHECK(figure_share(1.34) == "134.0 %");
  CHECK(figure_share(1e300) == "1e+302 %");
  CHECK(figure_share(1e307) == "1.8e+308 %");  // 1e309 is no number: the greatest
}

TEST_CASE("log axis: decades are equally long, with room beyond the values") {
  // 1 to 100 with 0.3 decades at each end: 2.6 decades on 260 units, 100 a decade.
  const LogAxis axis({100, 1, 10}, 0, 260);
  CHECK(axis.at(1) == doctest::Approx(30));
  CHECK(axis.at(10) == doctest::Approx(130));
  CHECK(axis.at(100) == doctest::Approx(230));
  CHECK(axis.at(20) == doctest::Approx(130 + 30.103));  // log10(2) = 0.30103
  CHECK(axis.decades() == std::vector<int>{0, 1, 2});
  // 0.6 to 0.9, 2 to 9, 20 to 90, and no more: the axis ends at 199.5. It begins at 0.501.
  CHECK(axis.between_decades().size() == 4 + 8 + 8);
}

TEST_CASE("log axis: one value stands in the middle of two decades") {
  const LogAxis axis({7}, 100, 300);
  CHECK(axis.at(7) == doctest::Approx(200));
  CHECK(axis.high() - axis.low() == doctest::Approx(2));
}

TEST_CASE("log axis: the least and the greatest numbers stand on it, with few lines") {
  const LogAxis axis({std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()}, 0, 1000);
  CHECK(axis.at(std::numeric_limits<double>::denorm_min()) > 0);
  CHECK(axis.at(std::numeric_limits<double>::max()) < 1000);
  CHECK(axis.decades().size() >= 2);
  CHECK(axis.decades().size() <= 12);
  CHECK(axis.between_decades().empty());
}

TEST_CASE("log axis: labels are plain where that is short") {
  CHECK(decade_label(-2) == "0.01");
  CHECK(decade_label(0) == "1");
  CHECK(decade_label(5) == "100,000");
  CHECK(decade_label(6) == "1e6");
  CHECK(decade_label(-5) == "1e-5");
}

TEST_CASE("label places: no label on another, none outside, none on an obstacle, what has no room is left out") {
  const Box area = {0, 0, 400, 200};
  const std::vector<Box> obstacles = {{0, 0, 400, 60}};
  const std::vector<WantedLabel> labels(40, WantedLabel{{{200, 100}, 5}, 120, 15});
  const std::vector<PlacedCircle> points = {{{200, 100}, 5}};
  const std::vector<std::optional<Box>> places = label_places(labels, area, obstacles, points);
  REQUIRE(places.size() == labels.size());
  std::vector<Box> placed;
  for (const std::optional<Box>& place : places) {
    if (!place) continue;
    CHECK(area.contains(*place));
    CHECK(!overlap(*place, obstacles[0]));
    for (const Box& other : placed) CHECK(!overlap(*place, other));
    placed.push_back(*place);
  }
  CHECK(placed.size() >= 8);
  CHECK(placed.size() < labels.size());
  CHECK(placed[0] == Box{209, 92.5, 329, 107.5});  // first to the right: 4 beyond a radius of 5, in the middle
}

TEST_CASE("label places: a label keeps off the middle of another labelled point") {
  const std::vector<WantedLabel> labels = {{{{100, 100}, 6}, 80, 15}, {{{150, 100}, 6}, 80, 15}};
  const std::vector<std::optional<Box>> places = label_places(labels, {0, 0, 400, 200}, {}, {});
  REQUIRE(places[0]);
  CHECK(!overlap(*places[0], {147, 97, 153, 103}));
}
}  // namespace kinetoscope::report
