#include "core/report/figures/roofline_figure.hpp"

#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "core/report/figures/roofline_groups.hpp"
#include "tests/support/xml_elements.hpp"

namespace kinetoscope::report {
namespace {

RooflineChart mi300x_chart() {
  RooflineChart chart;
  chart.title = "Roofline";
  chart.caption = "MI300X; shares are of 12.3 ms";
  chart.bandwidth_gb_per_s = 5300;
  chart.ceilings = {{"matrix_bf16", 708, "measured"}, {"vector_fp32", 163.4, "peak"}};
  chart.points = {{"aten::mm", "GEMM", 692.8, 466.4, 0.25, 0.6588},
                  {"aten::add", "elementwise", 0.125, 0.5, 0.04, 0.75}};
  return chart;
}

/// Well-formed, and no shape and no place of text outside of the canvas.
XmlDocument checked_figure(const std::string& svg) {
  XmlDocument document = read_xml(svg);
  REQUIRE(document.problem == "");
  const double height = document.elements.at(0).number("height");
  for (const XmlElement& element : document.elements) {
    for (const auto& attribute : element.attributes) {
      const std::string& name = attribute.first;
      const bool is_across = name == "x" || name == "x1" || name == "x2" || name == "cx";
      const bool is_down = name == "y" || name == "y1" || name == "y2" || name == "cy";
      if (!is_across && !is_down) continue;
      CAPTURE(element.name);
      CAPTURE(name);
      const double at = element.number(name);
      const double reach = element.attributes.contains("r") ? element.number("r") : 0;
      CHECK(at - reach >= 0);
      CHECK(at + reach <= (is_across ? 960 : height));
    }
  }
  return document;
}

/// Disks of points are alone in their group, behind its title.
std::vector<XmlElement> points_of(const XmlDocument& document) {
  std::vector<XmlElement> out;
  for (const XmlElement& element : document.all("circle")) {
    if (element.depth == 2) out.push_back(element);
  }
  return out;
}
}  // namespace

TEST_CASE("roofline figure: points stand at the logarithm of their intensity and rate, with the area of their share") {
  const XmlDocument document = checked_figure(roofline_figure(mi300x_chart()));
  const std::vector<XmlElement> points = points_of(document);
  REQUIRE(points.size() == 2);
  // x: from 0.125 to 692.8 FLOPs/byte (the ridges, 708/5.3 = 133.6 and 163.4/5.3 = 30.8, lie between), log10 -0.903090
  // and 2.840608, 0.3 more at each end, from 84 to 756: 672 units for 4.343698 decades.
  CHECK(points[0].number("cx") == doctest::Approx(84 + 672 * 4.043698 / 4.343698).epsilon(0.0002));
  CHECK(points[1].number("cx") == doctest::Approx(84 + 672 * 0.3 / 4.343698).epsilon(0.0005));
  // y: from 0.5 to 708 TFLOP/s, log10 -0.301030 and 2.850033, 0.3 more at each end, 420 units for 3.751063 decades,
  // from the axis at the bottom upwards.
  const double bottom = document.with_text("arithmetic intensity, FLOPs/byte").number("y") - 40;
  CHECK(points[0].number("cy") == doctest::Approx(bottom - 420 * (2.668759 + 0.601030) / 3.751063).epsilon(0.0005));
  CHECK(points[1].number("cy") == doctest::Approx(bottom - 420 * 0.3 / 3.751063).epsilon(0.0005));
  CHECK(points[0].number("r") == 20);  // 40 * sqrt(0.25)
  CHECK(points[1].number("r") == 8);   // 40 * sqrt(0.04)
  CHECK(points[0].attributes.at("fill") != points[1].attributes.at("fill"));
}

TEST_CASE("roofline figure: a tooltip has name, category, intensity, rate, share and percent of roofline") {
  const XmlDocument document = checked_figure(roofline_figure(mi300x_chart()));
  CHECK(document.says("aten::mm\nGEMM\n692.8 FLOPs/byte, 466.4 TFLOP/s, 25.0 % of the time, 65.9 % of its roofline"));
  CHECK(document.with_text("aten::mm, 25.0 %").name == "text");
  CHECK(document.with_text("GEMM, 25.0 %").name == "text");  // the legend
}

TEST_CASE("roofline figure: slope and ceilings are labelled, and a ceiling begins where the slope meets it") {
  const XmlDocument document = checked_figure(roofline_figure(mi300x_chart()));
  CHECK(document.with_text("5300 GB/s").name == "text");
  CHECK(document.with_text("matrix_bf16").name == "text");
  CHECK(document.with_text("708 TFLOP/s, measured").name == "text");
  CHECK(document.with_text("163.4 TFLOP/s, peak").name == "text");
  std::vector<XmlElement> roof;
  for (const XmlElement& line : document.all("line")) {
    if (line.attributes.at("stroke-width") == "1.6") roof.push_back(line);
  }
  REQUIRE(roof.size() == 3);  // the slope, then the ceilings, the highest first
  CHECK(roof[0].number("x1") == 84);
  CHECK(roof[0].number("x2") == roof[1].number("x1"));
  CHECK(roof[0].number("y2") == roof[1].number("y1"));
  // log10(163.4 / 5.3) = 1.488967, from -1.203090 on
  CHECK(roof[2].number("x1") == doctest::Approx(84 + 672 * 2.692057 / 4.343698).epsilon(0.0003));
  CHECK(roof[2].number("x2") == 756);
}

TEST_CASE("roofline figure: what cannot stand on a logarithmic axis is counted under it") {
  RooflineChart chart = mi300x_chart();
  chart.points.push_back({"aten::copy_", "copy", 0, 0, 0.1, {}});
  chart.points.push_back({"aten::cat", "copy", 0, 0, 0.02, {}});
  chart.points.push_back({"odd", "copy", std::numeric_limits<double>::infinity(), 3, 0.05, {}});
  chart.unmodelled_share = 0.17;
  chart.notes = {"A note of the caller's."};
  const XmlDocument document = checked_figure(roofline_figure(chart));
  CHECK(points_of(document).size() == 2);
  CHECK(document.says("2 groups without arithmetic, 12.0 % of the time, are not shown."));
  CHECK(document.says("1 group without bytes or without a rate, 5.0 % of the time, is not shown."));
  CHECK(document.says("Work that no model explains, 17.0 % of the time, is not shown."));
  CHECK(document.says("A note of the caller's."));
  CHECK(!document.says("dark rim"));
}

TEST_CASE("roofline figure: a point above the roof extends the axis, has a rim, and is told") {
  RooflineChart chart = mi300x_chart();
  chart.points.push_back({"fast", "GEMM", 1000, 70'800, 3, 100});
  const XmlDocument document = checked_figure(roofline_figure(chart));
  CHECK(document.says("1 group with a dark rim, 300.0 % of the time, ran faster than the roofline"));
  CHECK(document.says("300.0 % of the time, 10000.0 % of its roofline"));
  const XmlElement fast = points_of(document).at(0);
  CHECK(fast.number("r") == 40);  // not beyond the whole time
  CHECK(fast.attributes.at("stroke-width") == "2");
  CHECK(points_of(document).at(1).attributes.at("stroke-width") != "2");
}

TEST_CASE(
    "roofline figure: of too many points the greatest are drawn, the rest is counted, in any order the same bytes") {
  RooflineChart chart = mi300x_chart();
  chart.points.clear();
  for (int i = 0; i < 10'000; ++i) {
    chart.points.push_back({"op " + std::to_string(i),
                            "category " + std::to_string(i % 12),
                            1.0 + i % 700,
                            0.001 * (1 + i % 90'000),
                            i < 300 ? 0.003 : 0.00001,
                            {}});
  }
  const std::string svg = roofline_figure(chart);
  const XmlDocument document = checked_figure(svg);
  CHECK(points_of(document).size() == most_roofline_points);
  CHECK(document.says("9,700 groups with the least time, 9.7 % of the time, are not drawn."));
  CHECK(document.says("4 other categories"));
  CHECK(svg.size() < 200'000);
  std::reverse(chart.points.begin(), chart.points.end());
  CHECK(roofline_figure(chart) == svg);
}

TEST_CASE("roofline figure: hostile values make a whole figure all the same") {
  constexpr double greatest = std::numeric_limits<double>::max();
  constexpr double least = std::numeric_limits<double>::denorm_min();
  RooflineChart chart = mi300x_chart();
  chart.title = std::string(5'000, 'W');
  chart.points = {{"<&\">\x01\xff", "", least, greatest, 1e300, greatest},
                  {std::string(100'000, 'x'), "</svg>", greatest, least, -3, 0},
                  {"", "", 1, 1, 0, {}}};
  chart.ceilings = {{"a", greatest, "b"}, {"c", least, ""}, {"zero", 0, "peak"}, {"", -1, ""}};
  for (const double bandwidth : {0.0, -1.0, least, 1.0, greatest}) {
    CAPTURE(bandwidth);
    chart.bandwidth_gb_per_s = bandwidth;
    const std::string svg = roofline_figure(chart);
    CHECK(points_of(checked_figure(svg)).size() == 3);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    CHECK(svg.size() < 30'000);
  }
  chart.ceilings.clear();
  CHECK(points_of(checked_figure(roofline_figure(chart))).size() == 3);
}

TEST_CASE("roofline figure: ceilings beyond the limit are counted, labels of near ones do not overlap") {
  RooflineChart chart = mi300x_chart();
  chart.ceilings.assign(10, {"matrix_bf16", 708, "measured"});
  const XmlDocument document = checked_figure(roofline_figure(chart));
  CHECK(document.says("2 lower ceilings are not drawn."));
  std::vector<double> labels;
  for (const XmlElement& text : document.all("text")) {
    if (text.text == "matrix_bf16") labels.push_back(text.number("y"));
  }
  REQUIRE(labels.size() == most_roofline_ceilings);
  for (std::size_t i = 1; i < labels.size(); ++i) CHECK(labels[i] - labels[i - 1] >= 30);
}

TEST_CASE("roofline figure: without any point it says so") {
  RooflineChart chart = mi300x_chart();
  chart.points = {{"aten::copy_", "copy", 0, 0, 0.3, {}}};
  const XmlDocument document = checked_figure(roofline_figure(chart));
  CHECK(document.all("circle").empty());
  CHECK(document.says("there is nothing to draw"));
  CHECK(document.says("1 group without arithmetic, 30.0 % of the time, is not shown."));
  CHECK(checked_figure(roofline_figure({})).says("there is nothing to draw"));
}

TEST_CASE("roofline groups: categories are coloured by time, the ninth and later are grey") {
  RooflineChart chart;
  for (int i = 0; i < 10; ++i) {
    chart.points.push_back({"op", std::string(1, static_cast<char>('a' + i)), 1, 1, 0.01 * (10 - i), {}});
  }
  const RooflineGroups groups = roofline_groups(chart);
  REQUIRE(groups.legend.size() == 9);
  CHECK(groups.legend[0].category == "a");
  CHECK(groups.legend[8].category == "2 other categories");
  CHECK(groups.legend[8].time_share == doctest::Approx(0.03));  // 0.02 and 0.01
  CHECK(groups.points[8].colour == groups.points[9].colour);
  CHECK(groups.points[8].colour == groups.legend[8].colour);
  chart.points.pop_back();
  CHECK(roofline_groups(chart).legend[8].category == "i");  // one alone has its name
}
}  // namespace kinetoscope::report
