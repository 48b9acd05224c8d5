#include "core/perf_model/platform_detection.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/perf_model/platform_reader.hpp"
#include "core/perf_model/platform_table.hpp"
#include "tests/support/shared_files.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t gib = 1 << 30;

struct Observed {
  std::string name;
  std::int64_t major;
  std::int64_t minor;
  std::int64_t warp_size;
  std::optional<std::int64_t> units;
  std::optional<std::int64_t> memory_bytes;
};

DeviceProperties properties(const Observed& observed) {
  DeviceProperties device;
  device.name = observed.name;
  device.memory_bytes = observed.memory_bytes;
  device.compute_major = observed.major;
  device.compute_minor = observed.minor;
  device.multiprocessors = observed.units;
  device.warp_size = observed.warp_size;
  return device;
}

DeviceDetection detect(const Observed& observed) { return detect_device(properties(observed)); }

std::string platform_name(const Observed& observed) {
  const DeviceDetection found = detect(observed);
  CHECK(found.platform.has_value() == found.reason.empty());
  return found.platform ? found.platform->name : "none";
}

double bf16_peak(const DeviceDetection& found) { return found.platform->compute.at("matrix_bf16").peak->value; }

bool says(const std::vector<std::string>& texts, std::string_view part) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}
}  // namespace

TEST_CASE("platform detection: devices are known by the names and properties that traces show") {
  // As recorded traces, public logs and test data print them.
  const std::pair<Observed, std::string_view> cases[] = {
      {{"AMD Instinct MI300X", 9, 4, 64, 304, 206141652992}, "MI300X"},
      {{"AMD Instinct MI300X VF", 9, 4, 64, 304, 205571227648}, "MI300X"},
      {{"AMD Instinct MI300X HF", 9, 4, 64, 304, 206141652992}, "MI300X"},
      {{"AMD Instinct MI325X", 9, 4, 64, 304, {}}, "MI325X"},
      {{"AMD Instinct Mi325X VF", 9, 4, 64, 304, 2556 * gib / 10}, "MI325X"},
      {{"AMD Instinct MI300A", 9, 4, 64, 228, 96 * gib}, "MI300A"},
      {{"AMD Instinct MI350X", 9, 5, 64, 256, 309220868096}, "MI350X"},
      {{"AMD Instinct MI350X VF", 9, 5, 64, 256, 309220868096}, "MI350X"},
      {{"AMD Instinct MI355X", 9, 5, 64, 256, 309220868096}, "MI355X"},
      {{"AMD Instinct MI355X VF", 9, 5, 64, 256, 309220868096}, "MI355X"},
      {{"AMD Instinct MI210", 9, 0, 64, 104, 68702699520}, "MI210"},
      {{"AMD Instinct MI250X", 9, 0, 64, 110, 68702699520}, "MI250X"},
      {{"AMD Instinct MI250X / MI250", 9, 0, 64, 110, 68702699520}, "MI250X"},
      {{"AMD Instinct MI250X/MI250", 9, 0, 64, 110, 68702699520}, "MI250X"},
      {{"AMD Instinct MI250X / MI250", 9, 0, 64, 104, 68702699520}, "MI250"},
      {{"NVIDIA H100 80GB HBM3", 9, 0, 32, 132, 85018279936}, "H100 SXM"},
      {{"NVIDIA H100", 9, 0, 32, 132, 81090 * mib}, "H100 SXM"},
      {{"NVIDIA H100 PCIe", 9, 0, 32, 114, 81008 * mib}, "H100 PCIe"},
      {{"NVIDIA H100 NVL", 9, 0, 32, 132, 95830 * mib}, "H100 NVL"},
      {{"NVIDIA H200", 9, 0, 32, 132, 150149398528}, "H200 SXM"},
      {{"NVIDIA H20", 9, 0, 32, 78, 97285 * mib}, "H20"},
      {{"NVIDIA B200", 10, 0, 32, 148, 191503138816}, "B200"},
      {{"NVIDIA GB200", 10, 0, 32, 152, 189471 * mib}, "GB200"},
      {{"NVIDIA B300 SXM6 AC", 10, 3, 32, 148, 287416123392}, "B300"},
      {{"NVIDIA A100-SXM4-80GB", 8, 0, 32, 108, 81920 * mib}, "A100 SXM 80GB"},
      {{"A100-SXM4-40GB", 8, 0, 32, 108, 40960 * mib}, "A100 SXM 40GB"},
      {{"NVIDIA A100 80GB PCIe", 8, 0, 32, 108, 81920 * mib}, "A100 PCIe 80GB"},
      {{"NVIDIA A100-PCIE-40GB", 8, 0, 32, 108, 40326 * mib}, "A100 PCIe 40GB"},
      {{"NVIDIA L40S", 8, 9, 32, 142, 45589 * mib}, "L40S"},
      {{"NVIDIA L4", 8, 9, 32, 58, 23034 * mib}, "L4"},
      {{"NVIDIA GeForce RTX 4090", 8, 9, 32, 128, 24563 * mib}, "RTX 4090"},
      {{"NVIDIA A10", 8, 6, 32, 72, 23028 * mib}, "A10"},
      {{"Tesla T4", 7, 5, 32, 40, 14930 * mib}, "T4"},
      {{"Tesla T4", 7, 5, 32, 40, 15109 * mib}, "T4"},
      {{"Tesla V100-SXM2-16GB", 7, 0, 32, 80, 16130 * mib}, "V100 SXM2 16GB"},
      {{"Tesla V100-PCIE-16GB", 7, 0, 32, 80, 16160 * mib}, "V100 PCIe 16GB"},
      {{"Tesla V100-SXM2-32GB", 7, 0, 32, 80, {}}, "V100 SXM2 32GB"},
  };
  for (const auto& example : cases) {
    const auto& [observed, expected] = example;
    CAPTURE(example.second);
    CHECK(platform_name(observed) == expected);
    const DeviceDetection found = detect(observed);
    CHECK_FALSE(found.is_ambiguous);
    CHECK_FALSE(found.is_part);
    CHECK(found.candidates == std::vector<std::string>{std::string(expected)});
    CHECK(found.platform == *find_platform(expected));  // nothing scaled, nothing left out
  }
}

TEST_CASE("platform detection: a device that is known by name only gets no figures of its relatives") {
  const Observed cases[] = {
      {"AMD Instinct MI308X", 9, 4, 64, 80, 206141652992}, {"AMD Instinct MI308X HF", 9, 4, 64, {}, {}},
      {"NVIDIA H200 NVL", 9, 0, 32, 132, 150149398528},    {"NVIDIA H20-3e", 9, 0, 32, 78, 150149398528},
      {"NVIDIA GB300", 10, 3, 32, 152, 284208 * mib},      {"NVIDIA A10G", 8, 6, 32, 80, 22723 * mib},
      {"NVIDIA L40", 8, 9, 32, 142, 45589 * mib},          {"NVIDIA H100", 9, 0, 32, 132, 101997215744},
      {"NVIDIA GH200 480GB", 9, 0, 32, 132, 101997215744}, {"NVIDIA GeForce RTX 4090 D", 8, 9, 32, 114, 24 * gib},
  };
  for (const Observed& observed : cases) {
    CAPTURE(observed.name);
    const DeviceDetection found = detect(observed);
    CHECK_FALSE(found.platform.has_value());
    CHECK(found.reason.find("of which no figures are known") != std::string::npos);
    CHECK(found.candidates.size() == 1);
  }
}

TEST_CASE("platform detection: an unknown name gets nothing, whatever its properties are") {
  for (const std::string name : {"NVIDIA H800", "AMD Instinct MI400X", "B2000", "NVIDIA XH100", "MI300", "xMI300X"}) {
    CAPTURE(name);
    const DeviceDetection found = detect({name, 9, 0, 32, 132, 85018279936});
    CHECK_FALSE(found.platform.has_value());
    CHECK(found.candidates.empty());
    CHECK(found.reason.find("is not in the table") != std::string::npos);
  }
}

TEST_CASE("platform detection: a name that its properties deny gets nothing") {
  // 114 units are the PCIe card's, and no partition of the SXM module.
  const DeviceDetection units = detect({"NVIDIA H100 80GB HBM3", 9, 0, 32, 114, 85018279936});
  CHECK_FALSE(units.platform.has_value());
  CHECK(
      units.reason ==
      R"(the device "NVIDIA H100 80GB HBM3" (114 units, 79.2 GiB, compute capability 9.0, warps of 32) does not have the units, memory and compute capability of H100 SXM: it is another device of that name)");
  CHECK_FALSE(detect({"AMD Instinct MI300X", 9, 5, 64, 304, 206141652992}).platform.has_value());
  CHECK_FALSE(detect({"AMD Instinct MI300X", 9, 4, 64, 304, 128 * gib}).platform.has_value());
  CHECK_FALSE(detect({"AMD Instinct MI250X", 9, 0, 32, 110, 68702699520}).platform.has_value());
}

TEST_CASE("platform detection: without a name, warp, capability, units and memory decide together") {
  const std::pair<Observed, std::string_view> cases[] = {
      {{"", 9, 4, 64, 304, 206141652992}, "MI300X"},
      {{"AMD Radeon Graphics", 9, 4, 64, 304, 206141652992}, "MI300X"},
      {{"", 9, 4, 64, 304, 2556 * gib / 10}, "MI325X"},
      {{"", 9, 4, 64, 228, 120 * gib}, "MI300A"},
      {{"", 9, 0, 64, 110, 68702699520}, "MI250X"},
      {{"", 9, 0, 32, 132, 85018279936}, "H100 SXM"},
      {{"", 9, 0, 32, 114, 81008 * mib}, "H100 PCIe"},
      {{"", 9, 0, 32, 78, 97285 * mib}, "H20"},
      {{"", 10, 0, 32, 148, 191503138816}, "B200"},
      {{"", 10, 0, 32, 152, 189471 * mib}, "GB200"},
      {{"", 10, 3, 32, 148, 287416123392}, "B300"},
      {{"", 9, 4, 64, 304, {}}, "none"},             // memory tells MI300X from MI325X
      {{"", 9, 4, 64, {}, 206141652992}, "none"},    // memory alone tells nothing
      {{"", 9, 4, 64, 38, 206141652992}, "none"},    // a partition of either
      {{"", 9, 4, 32, 304, 206141652992}, "none"},   // another warp
      {{"", 10, 0, 32, 148, 287416123392}, "none"},  // memory of B300, capability of B200
      {{"", 8, 6, 32, 84, 48 * gib}, "none"},
  };
  for (const auto& example : cases) {
    const auto& [observed, expected] = example;
    CAPTURE(example.second);
    CHECK(platform_name(observed) == expected);
  }
}

TEST_CASE("platform detection: memory fits within 3 percent") {
  const auto with_memory = [](double share) {
    return Observed{"", 9, 4, 64, 304, static_cast<std::int64_t>(share * 206141652992.0)};
  };
  CHECK(platform_name(with_memory(0.975)) == "MI300X");
  CHECK(platform_name(with_memory(1.025)) == "MI300X");
  CHECK(platform_name(with_memory(0.965)) == "none");
  CHECK(platform_name(with_memory(1.035)) == "none");
}

TEST_CASE("platform detection: of devices that cannot be told apart the lower figures are taken") {
  const DeviceDetection mi35 = detect({"", 9, 5, 64, 256, 309220868096});
  REQUIRE(mi35.platform.has_value());
  CHECK(mi35.is_ambiguous);
  CHECK(mi35.candidates == std::vector<std::string>{"MI350X", "MI355X"});
  CHECK(mi35.platform->name == "MI350X or MI355X");
  CHECK(bf16_peak(mi35) == 2306.9);                                            // MI350X's; MI355X has 2516.6
  CHECK_FALSE(mi35.platform->compute.at("matrix_bf16").measured.has_value());  // of MI355X only
  CHECK(mi35.platform->clock_mhz->value == 2200);
  CHECK(mi35.platform->compute.at("matrix_tf32").has_no_path);
  CHECK(says(mi35.notes, "may be MI350X or MI355X"));

  const DeviceDetection a100 = detect({"", 8, 0, 32, 108, 81920 * mib});
  REQUIRE(a100.platform.has_value());
  CHECK(a100.candidates == std::vector<std::string>{"A100 SXM 80GB", "A100 PCIe 80GB"});
  CHECK(a100.platform->mem_bw_gbps.value == 1935);  // the card's; the module has 2039
  CHECK(a100.platform->compute.at("matrix_bf16").measured->value == 253);

  const DeviceDetection mi200 = detect({"", 9, 0, 64, 104, 68702699520});
  CHECK(mi200.candidates == std::vector<std::string>{"MI210", "MI250"});
  CHECK(mi200.is_ambiguous);

  const DeviceDetection h200 = detect({"", 9, 0, 32, 132, 150149398528});
  CHECK(h200.is_ambiguous);
  CHECK(h200.candidates == std::vector<std::string>{"H200 SXM", "GH200", "H200 NVL"});
  CHECK(says(h200.notes, "no figures are known of GH200 and H200 NVL: those of H200 SXM are taken"));
}

TEST_CASE("platform detection: a partition has its share of units and memory") {
  // 304 units in two, four and eight; memory split alike.
  const std::pair<std::int64_t, std::int64_t> parts[] = {{152, 2}, {76, 4}, {38, 8}};
  for (const auto& part : parts) {
    const auto& [units, count] = part;
    CAPTURE(part.first);
    const DeviceDetection found = detect({"AMD Instinct MI300X", 9, 4, 64, units, 206141652992 / count});
    REQUIRE(found.platform.has_value());
    CHECK(found.is_part);
    CHECK(found.candidates == std::vector<std::string>{"MI300X"});
    CHECK(bf16_peak(found) == doctest::Approx(1307.4 / static_cast<double>(count)));
    CHECK(found.platform->mem_bw_gbps.value == doctest::Approx(5300.0 / static_cast<double>(count)).epsilon(0.001));
    CHECK(found.platform->units->value == doctest::Approx(static_cast<double>(units)));
    CHECK_FALSE(found.platform->compute.at("matrix_bf16").measured.has_value());
    CHECK(says(found.notes, "is a part of MI300X"));
  }
  // Compute split in eight, memory not: each part may use all of it.
  const DeviceDetection shared = detect({"AMD Instinct MI300X", 9, 4, 64, 38, 206141652992});
  REQUIRE(shared.platform.has_value());
  CHECK(shared.compute_share == 0.125);
  CHECK(shared.memory_share == 1);
  CHECK(shared.platform->mem_bw_gbps.value == 5300);

  CHECK_FALSE(detect({"AMD Instinct MI300X", 9, 4, 64, 100, 206141652992}).platform.has_value());  // no such partition
  CHECK_FALSE(detect({"AMD Instinct MI300X", 9, 4, 64, 38, {}}).platform.has_value());
  CHECK(detect({"AMD Instinct MI355X", 9, 5, 64, 32, 309220868096 / 8}).is_part);
  CHECK(detect({"AMD Instinct MI300A", 9, 4, 64, 76, 32 * gib}).is_part);
}

TEST_CASE("platform detection: a MIG slice has its share, of units and of memory apart") {
  // A seventh of the units, a quarter of the memory: 18 of 132 and 35 of 141 GB.
  const DeviceDetection slice = detect({"NVIDIA H200 MIG 1g.35gb", 9, 0, 32, 18, 150149398528 / 4});
  REQUIRE(slice.platform.has_value());
  CHECK(slice.is_part);
  CHECK(slice.compute_share == doctest::Approx(18.0 / 132));
  CHECK(slice.platform->mem_bw_gbps.value == doctest::Approx(1200).epsilon(0.001));
  CHECK(bf16_peak(slice) == doctest::Approx(989.5 * 18 / 132));

  const DeviceDetection h100 = detect({"NVIDIA H100 80GB HBM3 MIG 1g.10gb", 9, 0, 32, 16, 85018279936 / 8});
  REQUIRE(h100.platform.has_value());
  CHECK(h100.platform->name == "H100 SXM, 16 of 132 units");
  CHECK(h100.platform->mem_bw_gbps.value == doctest::Approx(3350.0 / 8).epsilon(0.001));

  CHECK_FALSE(detect({"NVIDIA H200 MIG 1g.35gb", 9, 0, 32, {}, {}}).platform.has_value());
}

TEST_CASE("platform detection: a trace has one platform when all its devices have") {
  const DeviceProperties mi300 = properties({"AMD Instinct MI300X", 9, 4, 64, 304, 206141652992});
  const DeviceProperties virtual_mi300 = properties({"AMD Instinct MI300X VF", 9, 4, 64, 304, 205571227648});
  const DeviceProperties h100 = properties({"NVIDIA H100 80GB HBM3", 9, 0, 32, 132, 85018279936});
  TraceMetadata metadata;
  CHECK(detect_platform(metadata).reason == "the trace does not describe its devices");

  metadata.devices = {mi300, mi300, virtual_mi300};
  for (std::size_t i = 0; i < metadata.devices.size(); ++i) metadata.devices[i].id = static_cast<std::int64_t>(i);
  const PlatformDetection alike = detect_platform(metadata);
  REQUIRE(alike.platform.has_value());
  CHECK(alike.platform->name == "MI300X");
  CHECK(alike.devices.size() == 2);
  CHECK(alike.devices[0].device_ids == std::vector<std::int64_t>{0, 1});
  CHECK(alike.reason.empty());

  metadata.devices[2] = h100;
  metadata.devices[2].id = 2;
  const PlatformDetection different = detect_platform(metadata);
  CHECK_FALSE(different.platform.has_value());
  CHECK(different.reason == "the devices of the trace differ: devices 0, 1: MI300X, device 2: H100 SXM");
  CHECK(different.devices[1].detection.platform->name == "H100 SXM");

  metadata.devices[2].name = "NVIDIA H800";
  CHECK(detect_platform(metadata).reason.find("is not in the table") != std::string::npos);
}

TEST_CASE("platform detection: a trace of many different devices has none") {
  TraceMetadata metadata;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    metadata.devices.push_back(properties({"AMD Instinct MI300X", 9, 4, 64, 304, 206141652992 + i}));
  }
  const PlatformDetection found = detect_platform(metadata);
  CHECK_FALSE(found.platform.has_value());
  CHECK(found.devices.size() == most_different_devices);
  CHECK(found.reason == "the trace describes more than 64 different devices");
}

TEST_CASE("platform detection: what the user names and the trace denies is a warning") {
  TraceMetadata metadata;
  metadata.devices = {properties({"AMD Instinct MI300X", 9, 4, 64, 304, 206141652992})};
  CHECK(detect_platform(metadata, find_platform("MI300X")).warnings.empty());
  const PlatformDetection denied = detect_platform(metadata, find_platform("MI325X"));
  REQUIRE(denied.warnings.size() == 1);
  CHECK(
      denied.warnings.front() ==
      R"(the platform named is "MI325X", and device 0 of the trace: the device "AMD Instinct MI300X" (304 units, 192.0 GiB, compute capability 9.4, warps of 64) is MI300X)");
  CHECK(denied.platform->name == "MI300X");

  const Platform own =
      read_platform(R"({"name": "MI300X, ours", "mem_bw_gbps": 1, "tflops": {"matrix_bf16": 1}})", "f");
  CHECK(detect_platform(metadata, &own).warnings.empty());

  metadata.devices = {properties({"", 9, 5, 64, 256, 309220868096})};
  CHECK(detect_platform(metadata, find_platform("MI355X")).warnings.empty());  // one of the two it may be
  CHECK(detect_platform(metadata, find_platform("MI300X")).warnings.size() == 1);

  metadata.devices = {properties({"AMD Instinct MI300X", 9, 4, 64, 38, 206141652992 / 8})};
  CHECK(says(detect_platform(metadata, find_platform("MI300X")).warnings, "the whole"));
  metadata.devices.front().name = "unheard of";
  CHECK(detect_platform(metadata, find_platform("MI300X")).warnings.empty());  // nothing is known that denies it
}

TEST_CASE("platform detection: every shared trace gives a known platform or says why not") {
  std::size_t known = 0;
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const PlatformDetection found = detect_platform(shared_trace(name).metadata());
    CHECK(found.platform.has_value() == found.reason.empty());
    CHECK(found.platform.has_value() == !found.devices.empty());
    if (!found.platform) continue;
    ++known;
    const std::string_view expected = name.starts_with("h100/")    ? "H100 SXM"
                                      : name.starts_with("mi210/") ? "MI210"
                                                                   : "MI300X";
    CHECK(found.platform->name == expected);
  }
  CHECK(known > 0);
}
}  // namespace kinetoscope::perf_model
