#include "tests/support/program.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/support/shared_files.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

template <typename Action>
double milliseconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return Milliseconds(std::chrono::steady_clock::now() - start).count();
}

/// 100 ms as promised on an idle machine; a loaded one is allowed ten times what starting and ending the program costs
/// there at the moment.
double longest_end_ms() {
  double baseline_ms = 0;
  for (int i = 0; i < 3; ++i) {
    baseline_ms = std::max(baseline_ms, milliseconds_of([] { CHECK(run_program({"--version"}).status == 0); }));
  }
  return 100 + 10 * baseline_ms;
}

/// How long the program takes to end after the signal; its exit status is checked.
double end_after(RunningProgram& program, int signal) {
  return milliseconds_of([&] {
    program.send(signal);
    CHECK(program.wait() == 130);
  });
}
}  // namespace

TEST_CASE("program: exit statuses say what kind of failure it was") {
  CHECK(run_program({"info", field_input("F01_windows_backslash.json")}).status == 0);
  CHECK(run_program({"--help"}).status == 0);
  CHECK(run_program({"info", "--help"}).status == 0);
  CHECK(run_program({}).status == 2);
  CHECK(run_program({"info"}).status == 2);
  CHECK(run_program({"no-such-command"}).status == 2);
  CHECK(run_program({"info", "--threads", "0", "x"}).status == 2);
  CHECK(run_program({"info", "no/such/file.json"}).status == 3);
  CHECK(run_program({"info", field_input("F09_empty_payload.json.gz")}).status == 3);
  CHECK(run_program({"info", "CMakeLists.txt"}).status == 3);
}

TEST_CASE("program: a failure is one line on standard error, with the input's name and a code") {
  const ProgramRun run = run_program({"info", "no/such/file.json"});
  CHECK(run.output.empty());
  CHECK(run.errors == "kinetoscope: no/such/file.json: there is no such file; check the path [input_not_found]\n");
}

TEST_CASE("program: a name that is no text cannot break the line") {
  const ProgramRun run = run_program({"info", "no\nsuch\x1b[2J"});
  CHECK(run.status == 3);
  CHECK(std::ranges::count(run.errors, '\n') == 1);
  CHECK(run.errors.find('\x1b') == std::string::npos);
}

TEST_CASE("program: strict refuses a repaired input and takes a sound one") {
  const ProgramRun refused = run_program({"--strict", "info", field_input("F01_windows_backslash.json")});
  CHECK(refused.status == 3);
  CHECK(refused.errors.find("invalid_escape_repaired 2") != std::string::npos);
  CHECK(refused.output.empty());
  CHECK(run_program({"info", "--strict", field_input("F32_display_time_unit_ns.json")}).status == 0);
}

TEST_CASE("program: a reader that has gone and a full disk are failures of the output") {
  const std::string trace = field_input("F32_display_time_unit_ns.json");
  const ProgramRun gone = run_program_without_reader({"info", trace});
  CHECK(gone.status == 2);
  CHECK(gone.errors.find("[output_not_writable]") != std::string::npos);
  const ProgramRun full = run_program({"info", trace}, "/dev/full");
  CHECK(full.status == 2);
  CHECK(full.errors.find("[output_not_writable]") != std::string::npos);
}

TEST_CASE("program: output is the same bytes with one and two threads, and is no colour in a pipe") {
  const std::string trace = field_input("F30_sglang_step_annotations.json");
  const ProgramRun one = run_program({"info", "--threads", "1", trace});
  CHECK(one.output == run_program({"info", "--threads", "2", trace}).output);
  CHECK(one.output.find('\x1b') == std::string::npos);
  CHECK(one.errors.empty());
}

TEST_CASE("program: several traces give an array, and a rank claimed twice is told") {
  const std::string trace = field_input("F32_display_time_unit_ns.json");
  const ProgramRun run = run_program({"info", "--json", trace, trace});
  const nlohmann::json infos = nlohmann::json::parse(run.output);
  REQUIRE(infos.size() == 2);
  for (const nlohmann::json& info : infos) {
    CHECK(info["common_clock"]["aligned"] == true);
    bool is_told = false;
    for (const nlohmann::json& found : info["diagnostics"]) is_told = is_told || found["code"] == "rank_conflict";
    CHECK(is_told);
  }
}

TEST_CASE("program: of several traces one that cannot be read is told, and the others are reported") {
  const std::string sound = field_input("F32_display_time_unit_ns.json");
  const std::string other = field_input("F11_legacy_array_root.json");
  const ProgramRun text = run_program({"info", sound, "no/such/file.json", other});
  CHECK(text.status == 3);
  CHECK(text.errors == "kinetoscope: no/such/file.json: there is no such file; check the path [input_not_found]\n");
  CHECK(text.output.find("F32_display_time_unit_ns.json") != std::string::npos);
  CHECK(text.output.find("F11_legacy_array_root.json") != std::string::npos);
  const ProgramRun json = run_program({"info", "--json", sound, "no/such/file.json", other});
  CHECK(json.status == 3);
  const nlohmann::json infos = nlohmann::json::parse(json.output);
  REQUIRE(infos.size() == 2);
  CHECK(infos[0]["file"] == sound);
  CHECK(infos[1]["file"] == other);
}

TEST_CASE("program: several named traces give an array, whether one or none of them can be read") {
  const std::string sound = field_input("F32_display_time_unit_ns.json");
  const ProgramRun one = run_program({"info", "--json", "no/such/file.json", sound});
  const nlohmann::json infos = nlohmann::json::parse(one.output);
  REQUIRE(infos.is_array());
  REQUIRE(infos.size() == 1);
  CHECK(infos[0]["common_clock"]["aligned"] == true);
  const ProgramRun none = run_program({"info", "--json", "no/such/file.json", "nor/this.json"});
  CHECK(none.status == 3);
  CHECK(none.output == "[]\n");
  CHECK(std::ranges::count(none.errors, '\n') == 2);
  CHECK(run_program({"info", "no/such/file.json", "nor/this.json"}).output.empty());
}

TEST_CASE("program: standard input named twice is a mistake of usage, found before anything is read") {
  const ProgramRun run = run_program({"info", "-", field_input("F32_display_time_unit_ns.json"), "-"});
  CHECK(run.status == 2);
  CHECK(run.output.empty());
  CHECK(run.errors.find("TRACE \"-\": standard input can be read only once") != std::string::npos);
}

TEST_CASE("program: traces without a base are not put on one clock, and the reason is given") {
  const ProgramRun run = run_program(
      {"info", "--json", field_input("F33a_rank0_base_time.json"), field_input("F11_legacy_array_root.json")});
  const nlohmann::json infos = nlohmann::json::parse(run.output);
  CHECK(infos[0]["common_clock"]["aligned"] == false);
  CHECK(infos[0]["common_clock"]["reason"] == "1 of 2 files lack baseTimeNanoseconds");
  CHECK(infos[0]["common_clock"]["first_gpu_event_ns"].is_null());
}

TEST_CASE("program: redacted output and errors do not name the input's folder") {
  const std::string trace = field_input("F32_display_time_unit_ns.json");
  const std::string folder = std::filesystem::path(trace).parent_path();
  const ProgramRun run = run_program({"info", "--json", "--redact", trace});
  CHECK(run.output.find(folder) == std::string::npos);
  CHECK(run.output.find("\"file\": \"redacted-") != std::string::npos);
  CHECK(run.output == run_program({"info", "--json", "--redact", trace}).output);
  CHECK(run_program({"--redact", "info", folder + "/absent.json"}).errors.find(folder) == std::string::npos);
}

TEST_CASE("program: a redacted failure does not name the files of a folder, which bear host names") {
  const io::ScratchFolder folder;
  folder.file("node17_4711.pt.trace.json", "");
  CHECK(run_program({"info", folder.path("")}).errors.find("node17_4711") != std::string::npos);
  const ProgramRun redacted = run_program({"--redact", "info", folder.path("")});
  CHECK(redacted.errors.find("node17") == std::string::npos);
  CHECK(redacted.errors.find("it is a folder") != std::string::npos);
}

TEST_CASE("program: Ctrl-C ends it in time while a large trace is in memory, and at any stage behind reading it") {
  const double limit_ms = longest_end_ms();
  const std::string event =
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "args": {"a": 1}},)";
  std::string events = R"({"traceEvents": [)";
  while (events.size() < std::size_t{32} << 20) events += event;
  for (const bool is_whole : {false, true}) {
    CAPTURE(is_whole);
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    RunningProgram program({"info", "-"}, ends[0]);
    ::close(ends[0]);
    // What has gone into the pipe has, but for what the pipe holds, been read.
    for (std::string_view rest = events; !rest.empty();) {
      const ssize_t count = ::write(ends[1], rest.data(), rest.size());
      REQUIRE(count > 0);
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
    if (is_whole) ::close(ends[1]);  // the end of a cut document: what follows is the tree, and the figures
    const double time_ms = milliseconds_of([&] {
      program.send(SIGINT);
      const int status = program.wait();
      CHECK((status == 130 || (is_whole && status == 0)));  // it may have been done
    });
    CHECK(time_ms < limit_ms);
    if (!is_whole) ::close(ends[1]);
  }
}

TEST_CASE("program: Ctrl-C ends it in time while a pipe has no writer, no data, or half a document") {
  const double limit_ms = longest_end_ms();
  const io::ScratchFolder folder;
  const std::string path = folder.path("trace.json");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  {
    RunningProgram blocked_in_open({"info", path});
    blocked_in_open.wait_for_second_thread();
    CHECK(end_after(blocked_in_open, SIGINT) < limit_ms);
  }
  {
    RunningProgram without_data({"info", path});
    const int writer = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // returns once the program has opened the other end
    REQUIRE(writer >= 0);
    CHECK(end_after(without_data, SIGTERM) < limit_ms);
    ::close(writer);
  }
  {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    RunningProgram half_way({"info", "-"}, ends[0]);
    const std::string_view half = R"({"traceEvents": [{"ph": "X", "name": "a)";
    REQUIRE(::write(ends[1], half.data(), half.size()) == static_cast<ssize_t>(half.size()));
    half_way.wait_for_second_thread();
    CHECK(end_after(half_way, SIGINT) < limit_ms);
    ::close(ends[0]);
    ::close(ends[1]);
  }
}
}  // namespace kinetoscope
