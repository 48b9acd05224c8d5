#include "core/analysis/platform_choice.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/perf_model/platform_table.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

DeviceProperties mi300x(std::int64_t id) { return {id, "AMD Instinct MI300X", 192 * gib, 9, 4, 304, 64}; }

TraceMetadata devices_only(std::vector<DeviceProperties> devices) {
  TraceMetadata metadata;
  metadata.devices = std::move(devices);
  return metadata;
}

ErrorCode refused(const std::string& text) {
  try {
    static_cast<void>(platform_choice_of(text));
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}
}  // namespace

TEST_CASE("platform choice: a name of the table, a file, or none") {
  CHECK(platform_choice_of("none") == no_platform());
  CHECK(platform_choice_of("amd instinct mi300x").named == *perf_model::find_platform("MI300X"));
  const io::ScratchFolder folder;
  folder.file("mine.json", R"({"name": "mine", "mem_bw_gbps": 100, "tflops": {"matrix_bf16": 1}})");
  const PlatformChoice mine = platform_choice_of(folder.path("mine.json"));
  CHECK(mine.source == PlatformSource::named);
  CHECK(mine.named->name == "mine");
  CHECK(mine == platform_choice_of(folder.path("mine.json")));
  CHECK(mine != PlatformChoice());
}

TEST_CASE("platform choice: what is neither is told with the names that there are, a bad file by its own reason") {
  CHECK(refused("MI301X") == ErrorCode::usage);
  CHECK(refused("") == ErrorCode::usage);
  CHECK(refused("no/such/file") == ErrorCode::input_not_found);
  CHECK(refused("nosuch.json") == ErrorCode::input_not_found);
  const io::ScratchFolder folder;
  folder.file("bad", "{}");
  CHECK(refused(folder.path("bad")) == ErrorCode::data_file_invalid);
}

TEST_CASE("platform choice: without a name the trace decides") {
  const HeldAgainst held = settle_platform(devices_only({mi300x(0), mi300x(1)}), {});
  CHECK(held.source == PlatformSource::detected);
  CHECK(held.platform == *perf_model::find_platform("MI300X"));
  CHECK(held.warnings.empty());
  CHECK(held.reason.empty());
  CHECK(settled_choice(held) == platform_choice_of("MI300X"));
}

TEST_CASE("platform choice: unknown and different devices give none, and say why") {
  const HeldAgainst undescribed = settle_platform(TraceMetadata(), {});
  CHECK_FALSE(undescribed.platform.has_value());
  CHECK(undescribed.reason == "the trace does not describe its devices");
  CHECK(settled_choice(undescribed) == no_platform());

  DeviceProperties other = mi300x(1);
  other.name = "NVIDIA H100 80GB HBM3";
  other.memory_bytes = 80 * gib;
  other.compute_major = 9;
  other.compute_minor = 0;
  other.multiprocessors = 132;
  other.warp_size = 32;
  const HeldAgainst different = settle_platform(devices_only({mi300x(0), other}), {});
  CHECK_FALSE(different.platform.has_value());
  CHECK(different.reason.starts_with("the devices of the trace differ: "));
}

TEST_CASE("platform choice: a named platform is taken whatever the trace says, with a warning where they disagree") {
  const HeldAgainst same = settle_platform(devices_only({mi300x(0)}), platform_choice_of("MI300X"));
  CHECK(same.warnings.empty());
  const HeldAgainst other = settle_platform(devices_only({mi300x(0)}), platform_choice_of("MI355X"));
  CHECK(other.platform->name == "MI355X");
  REQUIRE(other.warnings.size() == 1);
  CHECK(other.warnings.front().find("MI300X") != std::string::npos);
  CHECK(settle_platform(TraceMetadata(), platform_choice_of("MI300X")).platform.has_value());
}

TEST_CASE("platform choice: none is none though the trace says one") {
  const HeldAgainst held = settle_platform(devices_only({mi300x(0)}), no_platform());
  CHECK_FALSE(held.platform.has_value());
  CHECK(held.reason == "none is wanted");
}
}  // namespace kinetoscope::analysis
