#include "core/report/figures/waterfall_figure.hpp"

#include <doctest/doctest.h>

#include "tests/support/xml_elements.hpp"

namespace kinetoscope::report {
namespace {

/// 10 ms, of which 2 are idle and 5 lost in kernels; 3 are left.
WaterfallChart ten_milliseconds() {
  WaterfallChart chart;
  chart.title = "Where the time went";
  chart.caption = "of 989.5 TFLOP/s dense bf16 over 10 ms";
  chart.bars = {{"device time", 10'000'000, BarKind::total},
                {"idle", 2'000'000, BarKind::loss},
                {"kernels", 5'000'000, BarKind::loss, "aten::mm"},
                {"achieved", 3'000'000, BarKind::result}};
  return chart;
}

/// Without the background.
std::vector<XmlElement> bars_of(const XmlDocument& document) {
  std::vector<XmlElement> out;
  for (const XmlElement& element : document.all("rect")) {
    if (element.depth == 2) out.push_back(element);
  }
  return out;
}

XmlDocument well_formed(const std::string& svg) {
  XmlDocument document = read_xml(svg);
  REQUIRE(document.problem == "");
  for (const XmlElement& bar : document.all("rect")) {
    CHECK(bar.number("width") > 0);
    if (bar.depth == 2) {
      CHECK(bar.number("x") >= 290);
      CHECK(bar.number("x") + bar.number("width") <= 742);
    }
  }
  return document;
}
}  // namespace

TEST_CASE("waterfall figure: each loss floats where the bar above it ended, the result stands on zero") {
  const XmlDocument document = well_formed(waterfall_figure(ten_milliseconds()));
  const std::vector<XmlElement> bars = bars_of(document);
  REQUIRE(bars.size() == 4);
  // 0 to 100 % from 290 to 740: 4.5 units a percent.
  CHECK(bars[0].number("x") == 290);
  CHECK(bars[0].number("width") == 450);
  CHECK(bars[1].number("x") == 650);  // 80 to 100 %
  CHECK(bars[1].number("width") == 90);
  CHECK(bars[2].number("x") == 425);  // 30 to 80 %
  CHECK(bars[2].number("width") == 225);
  CHECK(bars[3].number("x") == 290);  // 0 to 30 %
  CHECK(bars[3].number("width") == 135);
  CHECK(bars[0].attributes.at("fill") != bars[1].attributes.at("fill"));
  CHECK(bars[3].attributes.at("fill") != bars[1].attributes.at("fill"));
}

TEST_CASE("waterfall figure: lines connect the end of a bar with the one below") {
  const XmlDocument document = well_formed(waterfall_figure(ten_milliseconds()));
  std::vector<double> connections;
  for (const XmlElement& line : document.all("line")) {
    if (line.number("y2") - line.number("y1") == doctest::Approx(14)) connections.push_back(line.number("x1"));
  }
  CHECK(connections == std::vector<double>{740, 650, 425});
}

TEST_CASE("waterfall figure: each row has its label, percent and time; caption and tooltip say of what") {
  const XmlDocument document = well_formed(waterfall_figure(ten_milliseconds()));
  for (const std::string_view shown : {"idle", "−20.0 %", "2.000 ms", "−50.0 %", "100.0 %", "30.0 %", "3.000 ms",
                                       "of 989.5 TFLOP/s dense bf16 over 10 ms"}) {
    CAPTURE(shown);
    CHECK(document.with_text(shown).name == "text");
  }
  CHECK(document.with_text("kernels\n−50.0 % of 100 %, 5.000 ms\naten::mm").name == "title");
}

TEST_CASE("waterfall figure: a gain goes up, and beyond 100 % it extends the axis") {
  WaterfallChart chart = ten_milliseconds();
  chart.bars.push_back({"above the roofline", 1'000'000, BarKind::gain});
  chart.bars.push_back({"at peak", 4'000'000, BarKind::result});
  std::vector<XmlElement> bars = bars_of(well_formed(waterfall_figure(chart)));
  CHECK(bars.at(4).number("x") == 425);  // 30 to 40 %
  CHECK(bars.at(4).number("width") == 45);
  chart.bars[4].time_ns = 17'000'000;  // 30 to 200 %: 2.25 units a percent
  bars = bars_of(well_formed(waterfall_figure(chart)));
  CHECK(bars.at(0).number("width") == 225);
  CHECK(bars.at(4).number("x") == 357.5);
  CHECK(bars.at(4).number("width") == 382.5);
}

TEST_CASE("waterfall figure: losses of more than there is go below zero, in sight") {
  WaterfallChart chart = ten_milliseconds();
  chart.bars[2].time_ns = 18'000'000;  // 80 to -100 %
  const std::vector<XmlElement> bars = bars_of(well_formed(waterfall_figure(chart)));
  CHECK(bars.at(0).number("x") == 515);
  CHECK(bars.at(2).number("x") == 290);
  CHECK(bars.at(2).number("width") == 405);
}

TEST_CASE("waterfall figure: a loss of nothing is seen to be there") {
  WaterfallChart chart = ten_milliseconds();
  chart.bars.insert(chart.bars.begin() + 2, {"recompute", 0, BarKind::loss});
  const XmlDocument document = well_formed(waterfall_figure(chart));
  CHECK(bars_of(document).at(2).number("width") == 1.5);
  CHECK(document.with_text("0 ns").name == "text");
}

TEST_CASE("waterfall figure: too many bars are drawn as one, the end stays") {
  WaterfallChart chart = ten_milliseconds();
  chart.bars.insert(chart.bars.begin() + 1, 100, {"small", 1'000, BarKind::loss});
  const XmlDocument document = well_formed(waterfall_figure(chart));
  CHECK(bars_of(document).size() == most_waterfall_bars);
  // 104 bars: the first 22 and the last are drawn, 81 are one. Of these 79 are of 1 us (21 are drawn), then 2 and 5 ms.
  CHECK(document.says("81 more rows, together"));
  CHECK(document.with_text("7.079 ms").name == "text");
  CHECK(document.with_text("achieved").name == "text");
}

TEST_CASE("waterfall figure: long and hostile labels stay inside, whole in the tooltip") {
  WaterfallChart chart = ten_milliseconds();
  const std::string label = std::string(190, 'W') + " <b>&\x01";
  chart.bars[1].label = label;
  chart.bars[2].label = std::string(100'000, 'y');
  chart.bars[2].time_ns = WideSum(1) << 100;
  const std::string svg = waterfall_figure(chart);
  const XmlDocument document = well_formed(svg);
  CHECK(document.says(std::string(190, 'W') + " <b>&\\u0001\n−20.0 %"));
  CHECK(svg.size() < 15'000);
  CHECK(waterfall_figure(chart) == svg);
}

TEST_CASE("waterfall figure: without device time it says so") {
  WaterfallChart chart = ten_milliseconds();
  chart.bars[0].time_ns = 0;
  CHECK(well_formed(waterfall_figure(chart)).says("there is nothing to draw"));
  CHECK(well_formed(waterfall_figure({})).says("there is nothing to draw"));
}
}  // namespace kinetoscope::report
