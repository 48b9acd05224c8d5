#include "core/report/platforms_text.hpp"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/text_parts.hpp"
#include "core/report/text_table.hpp"

namespace kinetoscope::report {
namespace {

using perf_model::Figure;
using perf_model::FigureKind;
using perf_model::FigureStatus;
using perf_model::Platform;

constexpr std::array<std::string_view, 11> main_specs = {
    "matrix_fp64", "matrix_tf32", "matrix_fp16", "matrix_bf16", "matrix_fp8",  "matrix_fp6",
    "matrix_fp4",  "matrix_int8", "vector_fp64", "vector_fp32", "vector_fp16",
};

std::string marks_of(const Figure& figure) {
  std::string out;
  if (figure.kind == FigureKind::measured) out += 'm';
  if (figure.status == FigureStatus::unverified) out += '?';
  return out;
}

Cell figure_cell(const std::optional<Figure>& figure) {
  if (!figure) return {"", Colour::plain, true};
  const Colour colour = figure->status == FigureStatus::unverified ? Colour::doubtful : Colour::plain;
  return {fmt::format("{}{}", figure->value, marks_of(*figure)), colour, true};
}

Cell compute_cell(const Platform& platform, std::string_view spec) {
  const auto found = platform.compute.find(spec);
  if (found == platform.compute.end()) return figure_cell({});
  if (found->second.has_no_path) return {"-", Colour::faint, true};
  return figure_cell(ceiling_of(platform, spec).figure);
}

void add_headings(TextTable& table) {
  std::vector<Cell> units = {{""}, {""}, {""}};
  std::vector<Cell> names = {{"platform", Colour::faint}, {"GB", Colour::faint, true}, {"GB/s", Colour::faint, true}};
  std::string_view before;
  for (const std::string_view spec : main_specs) {
    const std::size_t cut = spec.find('_');
    const std::string_view unit = spec.substr(0, cut);
    units.push_back({unit == before ? "" : std::string(unit), Colour::faint, true});
    names.push_back({std::string(spec.substr(cut + 1)), Colour::faint, true});
    before = unit;
  }
  table.add(std::move(units));
  table.add(std::move(names));
}

std::string devices_without_figures(const perf_model::PlatformTable& table) {
  std::string out;
  for (const perf_model::DeviceWithoutFigures& device : table.without_figures) {
    out += (out.empty() ? "" : ", ") + device.name;
  }
  return out;
}
}  // namespace

std::string platforms_text(const perf_model::PlatformTable& table, bool is_coloured) {
  std::string out =
      fmt::format("{} platforms: dense TFLOP/s (int8: TOP/s) that rooflines are drawn with\n", table.platforms.size());
  TextTable figures(is_coloured);
  add_headings(figures);
  for (const Platform& platform : table.platforms) {
    std::vector<Cell> row = {{printable(platform.name) + (platform.is_informational ? " *" : "")},
                             figure_cell(platform.memory_gb),
                             figure_cell(platform.mem_bw_gbps)};
    for (const std::string_view spec : main_specs) row.push_back(compute_cell(platform, spec));
    figures.add(std::move(row));
  }
  out += figures.render();
  out +=
      "  m measured, the others are peaks; ? no source states it; - the hardware has no such path; empty: not known\n";
  out += "  * not one device to a process: never detected in a trace\n";
  out += "  without figures: " + devices_without_figures(table) + "\n";
  out += "  all figures with their sources and conditions: kinetoscope platforms --json\n";
  return out;
}
}  // namespace kinetoscope::report
