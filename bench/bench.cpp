#include "bench/bench.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/format.hpp"

namespace kinetoscope::bench {
namespace {

constexpr int repetitions = 5;

double total_s(const Run& run, double elapsed_s) {
  if (run.parts.empty()) return elapsed_s;
  return std::accumulate(run.parts.begin(), run.parts.end(), 0.0,
                         [](double sum, const Part& part) { return sum + part.duration_s; });
}

Error failed(const Stage& stage, const std::string& path, std::string_view problem) {
  return Error({.code = ErrorCode::internal,
                .input = path,
                .argument = "--stage",
                .received = std::string(stage.name),
                .problem = std::string(problem)});
}

Row measure_here(const Stage& stage, const std::string& path) {
  Row row{.stage = std::string(stage.name), .input = std::filesystem::path(path).filename().string()};
  const std::function<Run()> run_stage = stage.prepare(path);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const auto begin = std::chrono::steady_clock::now();
    Run run = run_stage();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    const double seconds = total_s(run, elapsed.count());
    if (repetition > 0 && run.result_hash != row.result_hash)
      throw failed(stage, path, "its runs differ in their result");
    row.result_hash = run.result_hash;
    row.slowest_s = std::max(row.slowest_s, seconds);
    if (repetition > 0 && seconds >= row.ours_s) continue;
    row.ours_s = seconds;
    row.parts = std::move(run.parts);
  }
  return row;
}

std::string text_of(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

nlohmann::ordered_json json_of(const Row& row) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::object();
  for (const Part& part : row.parts) parts[part.name] = part.duration_s;
  const auto ratio = [&](const std::optional<double>& to) {
    return to && *to > 0 ? nlohmann::ordered_json(row.ours_s / *to) : nlohmann::ordered_json();
  };
  const auto known = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  return {{"stage", row.stage},
          {"input", row.input},
          {"ours_s", row.ours_s},
          {"slowest_s", row.slowest_s},
          {"floor_s", known(row.floor_s)},
          {"reference_s", known(row.reference_s)},
          {"ratio_to_floor", ratio(row.floor_s)},
          {"ratio_to_reference", ratio(row.reference_s)},
          {"peak_memory_bytes", row.peak_memory_bytes},
          {"result_hash", text_of(row.result_hash)},
          {"parts_s", std::move(parts)}};
}

Row row_of(const nlohmann::ordered_json& json) {
  Row row{.stage = json.at("stage"), .input = json.at("input")};
  row.ours_s = json.at("ours_s");
  row.slowest_s = json.at("slowest_s");
  row.result_hash = std::stoull(json.at("result_hash").get<std::string>(), nullptr, 16);
  for (const auto& [name, duration_s] : json.at("parts_s").items()) row.parts.push_back({name, duration_s});
  return row;
}

/// The child's side: measures, writes the row into the pipe, and ends without the parent's clean-up.
[[noreturn]] void measure_and_exit(const Stage& stage, const std::string& path, int pipe_end) {
  int status = 1;
  try {
    const std::string text = json_of(measure_here(stage, path)).dump();
    if (write(pipe_end, text.data(), text.size()) == static_cast<ssize_t>(text.size())) status = 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "kinetoscope-bench: {}\n", problem.what());
  }
  _exit(status);
}

std::string read_all(int pipe_end) {
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = read(pipe_end, piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  return text;
}

Row measure_apart(const Stage& stage, const std::string& path) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw failed(stage, path, "no pipe could be made");
  const pid_t child = fork();
  if (child < 0) throw failed(stage, path, "no process could be started");
  if (child == 0) {
    close(ends[0]);
    measure_and_exit(stage, path, ends[1]);
  }
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw failed(stage, path, "the stage failed");
  Row row = row_of(nlohmann::ordered_json::parse(text));
  row.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return row;
}

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.3f}", *seconds) : std::string("-");
}

std::string ratio_text(double ours_s, const std::optional<double>& other_s) {
  return other_s && *other_s > 0 ? fmt::format("{:.2f}", ours_s / *other_s) : std::string("-");
}
}  // namespace

std::vector<Row> measure(std::span<const Stage> stages, std::span<const std::string> paths) {
  std::vector<Row> rows;
  for (const std::string& path : paths) {
    for (const Stage& stage : stages) rows.push_back(measure_apart(stage, path));
  }
  return rows;
}

void run_here(const Stage& stage, const std::string& path, int runs) {
  const std::function<Run()> run_stage = stage.prepare(path);
  for (int i = 0; i < runs; ++i) run_stage();
}

void set_floor_and_reference(std::vector<Row>& rows, const nlohmann::json& reference_s_by_input) {
  for (Row& row : rows) {
    const auto floor =
        std::ranges::find_if(rows, [&](const Row& r) { return r.stage == "floor" && r.input == row.input; });
    if (floor != rows.end()) row.floor_s = floor->ours_s;
    const auto reference = reference_s_by_input.find(row.input);
    if (reference != reference_s_by_input.end()) row.reference_s = reference->get<double>();
  }
}

std::string content_of(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw Error({.code = ErrorCode::input_not_found, .input = path});
  std::string content(std::filesystem::file_size(path), '\0');
  content.resize(std::fread(content.data(), 1, content.size(), file.get()));
  return content;
}

std::string table_of(std::span<const Row> rows) {
  std::string table = fmt::format("{:<8} {:<28} {:>8} {:>8} {:>8} {:>9} {:>7} {:>7} {:>9}{}\n", "stage", "input",
                                  "ours s", "slowest", "floor s", "refer. s", "/floor", "/refer.", "peak", "  parts s");
  for (const Row& row : rows) {
    std::string parts;
    for (const Part& part : row.parts) parts += fmt::format("  {} {:.3f}", part.name, part.duration_s);
    table += fmt::format("{:<8} {:<28} {:>8.3f} {:>8.3f} {:>8} {:>9} {:>7} {:>7} {:>9}{}\n", row.stage, row.input,
                         row.ours_s, row.slowest_s, seconds_text(row.floor_s), seconds_text(row.reference_s),
                         ratio_text(row.ours_s, row.floor_s), ratio_text(row.ours_s, row.reference_s),
                         bytes_text(row.peak_memory_bytes), parts);
  }
  return table;
}

nlohmann::ordered_json json_of(std::span<const Row> rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Row& row : rows) json.push_back(json_of(row));
  return json;
}
}  // namespace kinetoscope::bench
