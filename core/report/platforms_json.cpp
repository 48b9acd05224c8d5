#include "core/report/platforms_json.hpp"

#include <optional>
#include <string>

#include "core/report/info_parts.hpp"

namespace kinetoscope::report {
namespace {

using perf_model::Ceiling;
using perf_model::ComputeRate;
using perf_model::Figure;
using perf_model::Platform;

Json compute_json(const Platform& platform, const std::string& spec) {
  const Ceiling ceiling = ceiling_of(platform, spec);
  const auto found = platform.compute.find(spec);
  const ComputeRate own = found == platform.compute.end() ? ComputeRate{} : found->second;
  return {{"spec", spec},
          {"tflops", ceiling.figure ? number_json(ceiling.figure->value) : Json(nullptr)},
          {"kind", ceiling.figure ? Json(spelling_of(ceiling.figure->kind)) : Json(nullptr)},
          {"answered_by", ceiling.figure ? Json(ceiling.answered_by) : Json(nullptr)},
          {"is_estimated", ceiling.is_estimated},
          {"note", text_or_null(ceiling.note)},
          {"reason", text_or_null(ceiling.reason)},
          {"peak", figure_json(own.peak)},
          {"measured", figure_json(own.measured)},
          {"no_path", own.has_no_path}};
}

Json platform_json(const Platform& platform) {
  Json out = {{"name", text_json(platform.name)},
              {"about", text_or_null(platform.about)},
              {"vendor", text_json(platform.vendor)},
              {"arch", text_json(platform.arch)},
              {"informational", platform.is_informational},
              {"mem_bw_gbps", figure_json(platform.mem_bw_gbps)},
              {"mem_bw_achievable_gbps", figure_json(platform.mem_bw_achievable_gbps)},
              {"memory_gb", figure_json(platform.memory_gb)},
              {"units", figure_json(platform.units)},
              {"clock_mhz", figure_json(platform.clock_mhz)},
              {"clock_tensor_mhz", figure_json(platform.clock_tensor_mhz)},
              {"link_gbps_per_direction", figure_json(platform.link_gbps_per_direction)},
              {"last_level_cache_bytes", figure_json(platform.last_level_cache_bytes)},
              {"device_names", platform.detect.names}};
  Json compute = Json::array();
  for (const std::string& spec : perf_model::compute_specs()) compute.push_back(compute_json(platform, spec));
  out["compute"] = std::move(compute);
  return out;
}
}  // namespace

Json figure_json(const std::optional<Figure>& figure) {
  if (!figure) return nullptr;
  return {{"value", number_json(figure->value)},
          {"kind", spelling_of(figure->kind)},
          {"status", spelling_of(figure->status)},
          {"source", text_json(figure->source)},
          {"conditions", text_or_null(figure->conditions)}};
}

Json platforms_json(const perf_model::PlatformTable& table) {
  Json sources = Json::array();
  for (const perf_model::FigureSource& source : table.sources) {
    sources.push_back({{"key", source.key}, {"meaning", source.meaning}});
  }
  Json platforms = Json::array();
  for (const Platform& platform : table.platforms) platforms.push_back(platform_json(platform));
  Json without = Json::array();
  for (const perf_model::DeviceWithoutFigures& device : table.without_figures) {
    without.push_back({{"name", device.name}, {"reason", device.about}});
  }
  return {{"schema", "kinetoscope.platforms.1"},
          {"sources", std::move(sources)},
          {"platforms", std::move(platforms)},
          {"without_figures", std::move(without)}};
}
}  // namespace kinetoscope::report
