#include "core/perf_model/platform_table.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/platforms.hpp"
#include "core/base/error.hpp"
#include "tests/support/schema_check.hpp"

namespace kinetoscope::perf_model {
namespace {

struct Row {
  std::string_view platform;
  std::string_view cells;
};

/// Published dense peaks, as the vendors' texts print them: matrix fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8,
/// then vector fp64, fp32, fp16, bf16. v, s, u: verified, single source, unverified; - no such path; . not found.
constexpr Row published_peaks[] = {
    // clang-format off
    {"MI210", "45.3v 45.3v - 181.0v 181.0v - - - 181.0v 22.6v 22.6v 45.3u 22.6u"},
    {"MI250X", "47.9v 47.9v - 191.5v 191.5v - - - 191.5v 23.9v 23.9v 47.9u 23.9u"},
    {"MI250X card", "95.7v 95.7v - 383.0v 383.0v - - - 383.0v 47.9v 47.9v 95.7u 47.9u"},
    {"MI300A", "122.6v 122.6v 490.3v 980.6v 980.6v 1961.2v - - 1961.2v 61.3v 122.6v 122.6u 61.3u"},
    {"MI300X", "163.4v 163.4v 653.7v 1307.4v 1307.4v 2614.9v - - 2614.9v 81.7v 163.4v 163.4u 81.7u"},
    {"MI325X", "163.4v 163.4v 653.7v 1307.4v 1307.4v 2614.9v - - 2614.9v 81.7v 163.4v 163.4u 81.7u"},
    {"MI350X", "72.1v 144.2v - 2306.9v 2306.9v 4614v 9227.5s 9227.5s 4614v 72.1v 144.2v 144.2s 72.1u"},
    {"MI355X", "78.6v 157.3v - 2516.6v 2516.6v 5033.2v 10066.3v 10066.3v 5033.2v 78.6v 157.3v 157.3s 78.6u"},
    {"V100 SXM2 16GB", "- - - 125v - - - - - 7.8v 15.7v 31.4s -"},
    {"V100 SXM2 32GB", "- - - 125v - - - - - 7.8v 15.7v 31.4s -"},
    {"V100 PCIe 16GB", "- - - 112v - - - - - 7.0v 14.0v 28u -"},
    {"V100 PCIe 32GB", "- - - 112v - - - - - 7.0v 14.0v 28u -"},
    {"T4", "- - - 65v - - - - 130v 0.25u 8.1v 16.2u -"},
    {"A10", "- - 62.5v 125v 125v - - - 250v 0.49u 31.2v 31.2u 31.2u"},
    {"A100 SXM 40GB", "19.5v - 156v 312v 312v - - - 624v 9.7v 19.5v 78v 39v"},
    {"A100 SXM 80GB", "19.5v - 156v 312v 312v - - - 624v 9.7v 19.5v 78v 39v"},
    {"A100 PCIe 40GB", "19.5v - 156v 312v 312v - - - 624v 9.7v 19.5v 78v 39v"},
    {"A100 PCIe 80GB", "19.5v - 156v 312v 312v - - - 624v 9.7v 19.5v 78v 39v"},
    {"L4", "- - 60v 121v 121v 242v - - 242v 0.47u 30.3v 30.3u 30.3u"},
    {"L40S", "- - 183v 362v 362v 733v - - 733v 1.43u 91.6v 91.6u 91.6u"},
    {"RTX 4090", "- - 82.6v 165.2v 165.2v 330.3v - - 660.6v 1.29s 82.6v 82.6s 82.6s"},
    {"H100 SXM", "66.9v - 494.7v 989.4v 989.4v 1978.9v - - 1978.9v 33.5v 66.9v 133.8s 133.8s"},
    {"H100 PCIe", "51.2v - 378v 756v 756v 1513v - - 1513v 25.6v 51.2v 102.4s 102.4s"},
    {"H100 NVL", "60v - 417.5v 835.5v 835.5v 1670.5v - - 1670.5v 30v 60v 120u 120u"},
    {"H200 SXM", "67v - 494.5v 989.5v 989.5v 1979v - - 1979v 34v 67v 133.8u 133.8u"},
    {"H20", "1s - 74s 148v 148v 296s - - 296s 1s 44v . ."},
    {"B100", "30s - 900s 1750v 1750v 3500s 3500s 7000s 3500s 30s 60u . ."},
    {"B200", "37v - 1125v 2250v 2250v 4500v 4500v 9000v 4500v 37v 75v 150u 150u"},
    {"GB200", "40s - 1250v 2500v 2500v 5000v 5000v 10000v 5000v 40s 80v 160u 160u"},
    {"B300", "1.2v - 1125v 2250v 2250v 4500v 4500v 13500v 154s 1.2v 75v 150u 150u"},
    // clang-format on
};

constexpr std::string_view columns[] = {
    "matrix_fp64", "matrix_fp32", "matrix_tf32", "matrix_fp16", "matrix_bf16", "matrix_fp8",  "matrix_fp6",
    "matrix_fp4",  "matrix_int8", "vector_fp64", "vector_fp32", "vector_fp16", "vector_bf16",
};

/// The figure as such a cell.
std::string cell_of(const Platform& platform, std::string_view spec) {
  const auto found = platform.compute.find(spec);
  if (found == platform.compute.end()) return ".";
  if (found->second.has_no_path) return "-";
  const Figure& peak = *found->second.peak;
  CHECK(peak.kind == FigureKind::peak);
  return fmt::format("{}{}", peak.value, spelling_of(peak.status).front());
}

/// "181.0v" and "181v" are the same figure.
std::string plain_cell(std::string cell) {
  if (const std::size_t zero = cell.find(".0"); zero != std::string::npos && cell.size() == zero + 3)
    cell.erase(zero, 2);
  return cell;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

struct Memory {
  std::string_view platform;
  double memory_gb;
  double mem_bw_gbps;
  std::optional<double> units;
  std::optional<double> link_gbps_per_direction;
};

/// As the vendors print them; units are compute units or streaming multiprocessors, links one direction of all links.
constexpr Memory published_memory[] = {
    // clang-format off
    {"MI210", 64, 1638, 104, 150},
    {"MI250X", 64, 1638, 110, 200},
    {"MI250X card", 128, 3277, 220, 400},
    {"MI300A", 128, 5300, 228, 64},
    {"MI300X", 192, 5300, 304, 448},
    {"MI325X", 256, 6000, 304, 448},
    {"MI350X", 288, 8000, 256, 537.6},
    {"MI355X", 288, 8000, 256, 537.6},
    {"V100 SXM2 16GB", 16, 900, 80, 150},
    {"V100 PCIe 16GB", 16, 900, 80, {}},
    {"T4", 16, 320, 40, {}},
    {"A10", 24, 600, 72, {}},
    {"A100 SXM 40GB", 40, 1555, 108, 300},
    {"A100 SXM 80GB", 80, 2039, 108, 300},
    {"A100 PCIe 40GB", 40, 1555, 108, 300},
    {"A100 PCIe 80GB", 80, 1935, 108, 300},
    {"L4", 24, 300, 58, {}},
    {"L40S", 48, 864, 142, {}},
    {"RTX 4090", 24, 1008, 128, {}},
    {"H100 SXM", 80, 3350, 132, 450},
    {"H100 PCIe", 80, 2000, 114, 300},
    {"H100 NVL", 94, 3938, 132, 300},
    {"H200 SXM", 141, 4800, 132, 450},
    {"H20", 96, 4000, 78, 450},
    {"B100", 192, 8000, {}, 900},
    {"B200", 180, 7700, 148, 900},
    {"GB200", 186, 8000, 152, 900},
    {"B300", 270, 8000, 148, 900},
    // clang-format on
};

std::optional<double> value_of(const std::optional<Figure>& figure) {
  return figure ? std::optional<double>(figure->value) : std::nullopt;
}

double clock_of(const Platform& platform, const std::string& spec) {
  const bool is_tensor = spec.starts_with("matrix_") && spec != "matrix_fp64" && platform.clock_tensor_mhz.has_value();
  return is_tensor ? platform.clock_tensor_mhz->value : platform.clock_mhz->value;
}

std::vector<Figure> figures_of(const Platform& platform) {
  std::vector<Figure> out = {platform.mem_bw_gbps};
  for (const auto* const figure :
       {&platform.mem_bw_achievable_gbps, &platform.memory_gb, &platform.units, &platform.clock_mhz,
        &platform.clock_tensor_mhz, &platform.link_gbps_per_direction, &platform.last_level_cache_bytes}) {
    if (*figure) out.push_back(**figure);
  }
  for (const auto& [spec, rate] : platform.compute) {
    if (rate.peak) out.push_back(*rate.peak);
    if (rate.measured) out.push_back(*rate.measured);
  }
  return out;
}
}  // namespace

TEST_CASE("platform table: fits its schema, and each entry that of a user's file") {
  CHECK(schema_problems("schemas/data/platforms.schema.json", embedded::platforms()).empty());
  CHECK_FALSE(schema_problems("schemas/data/platforms.schema.json", R"({"about": "no lists"})").empty());
  const SchemaCheck one("schemas/data/platform.schema.json");
  const auto document = nlohmann::json::parse(embedded::platforms());
  for (const auto& entry : document.at("platforms")) {
    CAPTURE(entry.at("name"));
    CHECK(one.problems(entry.dump()).empty());
  }
}

TEST_CASE("platform table: every published dense peak is in it, with its status") {
  std::size_t cells_checked = 0;
  for (const Row& row : published_peaks) {
    const Platform* const platform = find_platform(row.platform);
    REQUIRE_MESSAGE(platform != nullptr, row.platform);
    const std::vector<std::string> cells = words_of(row.cells);
    REQUIRE(cells.size() == std::size(columns));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      CAPTURE(row.platform);
      CAPTURE(columns[i]);
      CHECK(cell_of(*platform, columns[i]) == plain_cell(cells[i]));
      ++cells_checked;
    }
  }
  CHECK(cells_checked == 30 * 13);  // all entries but MI250, whose figures are shares of its card's
}

TEST_CASE("platform table: memory, bandwidth, units and links are the published ones") {
  for (const Memory& row : published_memory) {
    CAPTURE(row.platform);
    const Platform& platform = known_platform(row.platform);
    CHECK(value_of(platform.memory_gb) == row.memory_gb);
    CHECK(platform.mem_bw_gbps.value == row.mem_bw_gbps);
    CHECK(platform.mem_bw_gbps.kind == FigureKind::peak);
    CHECK(value_of(platform.units) == row.units);
    if (row.platform != "MI300A") CHECK(value_of(platform.link_gbps_per_direction) == row.link_gbps_per_direction);
  }
  CHECK(known_platform("MI300A").link_gbps_per_direction->value == 384);         // of one device; a link of x16 has 64
  CHECK(known_platform("MI300X").last_level_cache_bytes->value == 268'435'456);  // 256 MiB
  CHECK(known_platform("A100 SXM 80GB").last_level_cache_bytes->value == 41'943'040);
}

TEST_CASE("platform table: measured figures stand beside the peaks that they do not exceed") {
  const auto measured = [](std::string_view name, std::string_view spec) {
    const auto& figure = known_platform(name).compute.find(spec)->second.measured;
    return figure ? figure->value : 0.0;
  };
  CHECK(measured("MI355X", "matrix_bf16") == 1565);
  CHECK(measured("MI355X", "matrix_fp8") == 3130);
  CHECK(measured("A100 SXM 80GB", "matrix_bf16") == 271);
  CHECK(measured("H100 SXM", "matrix_bf16") == 795);
  CHECK(measured("H100 SXM", "matrix_fp8") == 1403);
  CHECK(measured("H200 SXM", "matrix_fp8") == 1453);
  CHECK(measured("B200", "matrix_bf16") == 1745);
  CHECK(measured("GB200", "matrix_fp8") == 3616);
  CHECK(measured("B300", "matrix_bf16") == 1769);
  for (const Platform& platform : platform_table().platforms) {
    for (const auto& entry : platform.compute) {
      const auto& [spec, rate] = entry;
      if (!rate.measured) continue;
      CAPTURE(platform.name);
      CAPTURE(entry.first);
      CHECK(rate.measured->kind == FigureKind::measured);
      CHECK_FALSE(rate.measured->conditions.empty());
      REQUIRE(rate.peak.has_value());
      CHECK(rate.measured->value < rate.peak->value);
    }
  }
}

TEST_CASE("platform table: a peak is units x rate x clock wherever all are given") {
  std::size_t checked = 0;
  for (const Platform& platform : platform_table().platforms) {
    for (const auto& entry : platform.compute) {
      const auto& [spec, rate] = entry;
      if (!rate.per_clock_and_unit) continue;
      CAPTURE(platform.name);
      CAPTURE(entry.first);
      REQUIRE(rate.peak.has_value());
      if (!platform.units || !platform.clock_mhz) continue;
      const double computed = platform.units->value * *rate.per_clock_and_unit * clock_of(platform, spec) * 1e-6;
      CHECK(computed / rate.peak->value == doctest::Approx(1).epsilon(0.02));  // tables round to two or three digits
      ++checked;
    }
  }
  CHECK(checked > 250);  // 28 platforms with a clock, four to thirteen rates each
}

TEST_CASE("platform table: every figure names its sources in the legend, and every source is named") {
  std::set<std::string> keys;
  for (const FigureSource& source : platform_table().sources) CHECK(keys.insert(source.key).second);
  std::set<std::string> used;
  for (const Platform& platform : platform_table().platforms) {
    for (const Figure& figure : figures_of(platform)) {
      CAPTURE(platform.name);
      std::string_view rest = figure.source;
      REQUIRE_FALSE(rest.empty());
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find("; "), rest.size());
        used.emplace(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 2, rest.size()));
      }
      CHECK(figure.kind != FigureKind::stated);
    }
  }
  CHECK(used == keys);
}

TEST_CASE("platform table: names are found as users and drivers write them") {
  CHECK(find_platform("mi300x")->name == "MI300X");
  CHECK(find_platform("AMD Instinct MI300X")->name == "MI300X");
  CHECK(find_platform("h100-sxm")->name == "H100 SXM");
  CHECK(find_platform("NVIDIA H100 80GB HBM3")->name == "H100 SXM");
  CHECK(find_platform("a100_sxm_80gb")->name == "A100 SXM 80GB");
  CHECK(find_platform("H200")->name == "H200 SXM");
  CHECK(find_platform("MI250X")->name == "MI250X");
  CHECK(find_platform("MI250X / MI250") == nullptr);  // two devices have this name
  CHECK(find_platform("A100") == nullptr);
  CHECK(find_platform("MI308X") == nullptr);
  CHECK(find_platform("") == nullptr);
  CHECK(find_platform("MI300") == nullptr);
  CHECK_THROWS_WITH_AS(static_cast<void>(known_platform("MI999")), doctest::Contains("MI300X"), Error);
}

TEST_CASE("platform table: a damaged table is refused by name") {
  CHECK_THROWS_WITH_AS(static_cast<void>(read_platform_table("{}")), doctest::Contains("platforms.json"), Error);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(read_platform_table(
          R"({"sources": {}, "names_that_say_nothing": [], "without_figures": [], "platforms": [{"name": "x"}]})")),
      doctest::Contains("platforms[0].mem_bw_gbps"), Error);
}
}  // namespace kinetoscope::perf_model
