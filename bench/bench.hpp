#pragma once

// The harness of all benchmarks. A stage is a function run on a file; its row says how long the fastest of five runs
// took, how far the slowest was from it, what that is beside the floor and the reference implementation, the most
// memory the stage held, and a hash of its result: a run that computes something else is no faster, it is wrong.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace kinetoscope::bench {

/// A part of a run that the stage measured by itself.
struct Part {
  std::string name;
  double duration_s = 0;
};

struct Run {
  std::uint64_t result_hash = 0;
  /// When not empty, the run took the sum of its parts, and what lies between them is not counted.
  std::vector<Part> parts{};
};

/// `prepare` does once what is not measured (reading a file into memory, loading what the stage starts from) and
/// returns what is measured, which is run several times.
struct Stage {
  std::string_view name;
  std::function<std::function<Run()>(const std::string& path)> prepare;
};

struct Row {
  std::string stage;
  std::string input;          ///< file name without its folder
  double ours_s = 0;          ///< the fastest run
  double slowest_s = 0;       ///< the slowest: the spread
  std::vector<Part> parts{};  ///< of the fastest run
  std::optional<double> floor_s{};
  std::optional<double> reference_s{};
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t result_hash = 0;
};

/// Runs each stage on each input, in a process of its own, so that the peak of memory is the stage's and no stage runs
/// in another's warm heap. Throws Error when a stage fails, and when its runs disagree in the hash.
[[nodiscard]] std::vector<Row> measure(std::span<const Stage> stages, std::span<const std::string> paths);

/// `runs` runs in this process, for a profiler around it; none shows what the preparation costs by itself.
void run_here(const Stage& stage, const std::string& path, int runs);

/// Gives each row the time of the stage `floor` on the same input, and of the reference by file name.
void set_floor_and_reference(std::vector<Row>& rows, const nlohmann::json& reference_s_by_input);

/// A whole file; throws Error when it cannot be read.
[[nodiscard]] std::string content_of(const std::string& path);

[[nodiscard]] std::string table_of(std::span<const Row> rows);
[[nodiscard]] nlohmann::ordered_json json_of(std::span<const Row> rows);
}  // namespace kinetoscope::bench
