#pragma once

// A trace of a dozen events, written event by event, that knows its own right outcome. Most defects are one change to
// the core: two aten::mm, launched at 105 and 135 us, whose kernels run on stream 7 at 150-180 and 200-250 us: busy 80,
// span 100, idle 20 us.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "examples/generator/truth.hpp"

namespace kinetoscope::examples {

inline constexpr std::int64_t us = 1'000;  ///< nanoseconds of a microsecond

/// A row of GPU work. `start` and `duration` replace the written times, to say what no schedule says.
struct GpuRow {
  std::string name{};
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::optional<std::int64_t> correlation{};
  std::optional<std::int64_t> external_id{};
  std::string category = "kernel";
  Work work = Work::computation;
  std::int64_t device = 0;
  std::int64_t stream = 7;
  std::string start{};
  std::string duration{};
  std::string more_args{};  ///< `, "key": value` ...
  bool is_linked = true;
  bool is_timed = true;
};

class SmallTrace {
 public:
  /// The core, with a header that says rank 0.
  [[nodiscard]] static SmallTrace core();

  SmallTrace& add(std::string event_json);
  /// Host calls of `process` and `thread`.
  SmallTrace& op(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns,
                 std::string_view more_args = "");
  SmallTrace& frame(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns);
  SmallTrace& annotation(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns);
  /// A call with a correlation id; counted as a launch.
  SmallTrace& launch(std::string_view name, std::int64_t start_ns, std::int64_t correlation,
                     std::string_view category = "cuda_runtime");
  /// The same, not counted: for copies and for calls that launch nothing.
  SmallTrace& call(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns, std::int64_t correlation);
  SmallTrace& gpu(const GpuRow& row);
  SmallTrace& arrow_start(std::int64_t id, std::int64_t time_ns);
  SmallTrace& arrow_end(std::int64_t id, std::int64_t time_ns, std::int64_t device = 0, std::int64_t stream = 7);
  /// Operator at `start_ns`, launch 5 us later, kernel `row` linked by correlation and arrow.
  SmallTrace& mm(std::int64_t start_ns, std::int64_t correlation, GpuRow row);

  /// The document. Events stand between "[" and "]", each on a line of its own.
  [[nodiscard]] std::string text() const;
  /// Without the closing brackets, for documents that end early.
  [[nodiscard]] std::string open_text() const;
  /// An array at the root, as legacy exporters wrote it.
  [[nodiscard]] std::string array_text() const;

  /// events, gpu, linked, launches and launches_without_kernel, by construction: linked are the rows that say so,
  /// launches are the calls counted; those without kernel are what the member says.
  [[nodiscard]] nlohmann::json expected() const;
  /// The same with the diagnostics that are due.
  [[nodiscard]] nlohmann::json expected(nlohmann::json diagnostics) const;

  std::string header =
      R"("schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X", "numSms": 304}], )"
      R"("distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1}, )"
      R"("baseTimeNanoseconds": 1700000000000000000)";
  std::string trailer{};  ///< `, "key": value` behind the events
  std::int64_t process = 100;
  std::int64_t thread = 10;
  std::string process_text{};  ///< replaces `process` where pids are text
  std::string launch_name = "hipLaunchKernel";
  std::int64_t launches = 0;
  std::int64_t launches_without_kernel = 0;  ///< set by who leaves a launch without a kernel
  std::vector<std::string> events{};
  std::vector<GpuSlice> slices{};

 private:
  [[nodiscard]] std::string host_row() const;
  std::int64_t next_external_id_ = 1;
};

/// `text` with its only, or first, `from` replaced. Throws Error when there is none: a case must be what it says.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);
/// Figures as `info --json` spells them.
[[nodiscard]] nlohmann::json figures_json(const GpuFigures& figures);
}  // namespace kinetoscope::examples
