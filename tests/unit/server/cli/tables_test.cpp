#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/support/compiled_source.hpp"
#include "tests/support/program.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope {
namespace {

constexpr const char* example = "examples/traces/training_step.json.gz";

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}
}  // namespace

TEST_CASE("tables: the files are those that the result names, and no others") {
  const io::ScratchFolder folder;
  const ProgramRun run = run_program({"tables", example, "-o", folder.path("t"), "--json"});
  REQUIRE(run.status == 0);
  const nlohmann::json result = nlohmann::json::parse(run.output);
  std::set<std::string> named;
  for (const nlohmann::json& sheet : result.at("sheets")) named.insert(sheet.at("file"));
  CHECK(names_in(folder.path("t")) == named);
  CHECK(named.contains("gpu_timeline.csv"));
  CHECK(folder.content("t/gpu_timeline.csv").starts_with("type,time ms,percent\ncomputation_time,"));
}

TEST_CASE("tables: files and result are the same bytes with one and two threads") {
  const io::ScratchFolder folder;
  const auto run = [&](const std::string& threads) {
    const std::string out = folder.path(threads);
    return run_program({"tables", example, "--threads", threads, "-o", out, "--xlsx", out + ".xlsx", "--kernel-summary",
                        "--short-kernels", "--overlap", "--call-stack", "--json"})
        .status;
  };
  CHECK(run("1") == 0);
  CHECK(run("2") == 0);
  CHECK(names_in(folder.path("1")) == names_in(folder.path("2")));
  for (const std::string& name : names_in(folder.path("1"))) {
    CAPTURE(name);
    CHECK(folder.content("1/" + name) == folder.content("2/" + name));
  }
  CHECK(folder.content("1.xlsx") == folder.content("2.xlsx"));
  CHECK(!folder.content("1.xlsx").empty());
}

TEST_CASE("tables: a second run into the folder leaves its own sheets and what others put there") {
  const io::ScratchFolder folder;
  CHECK(run_program({"tables", example, "-o", folder.path("t"), "--kernel-summary"}).status == 0);
  folder.file("t/notes.csv", "mine");
  CHECK(names_in(folder.path("t")).contains("kernel_summary.csv"));
  CHECK(run_program({"tables", example, "-o", folder.path("t")}).status == 0);
  CHECK(!names_in(folder.path("t")).contains("kernel_summary.csv"));
  CHECK(folder.content("t/notes.csv") == "mine");
}

TEST_CASE("tables: a failed run leaves the folder of an earlier one as it was") {
  const io::ScratchFolder folder;
  CHECK(run_program({"tables", example, "-o", folder.path("t")}).status == 0);
  const std::string before = folder.content("t/gpu_timeline.csv");
  const ProgramRun run =
      run_program({"tables", example, "--scope", "step:0", "-o", folder.path("t"), "--xlsx", folder.path("no/t.xlsx")});
  CHECK(run.status == 2);
  CHECK(run.output.empty());
  CHECK(std::ranges::count(run.errors, '\n') == 1);
  CHECK(folder.content("t/gpu_timeline.csv") == before);
}

TEST_CASE("tables: neither the trace nor a sheet is written over, however the path is spelled") {
  const io::ScratchFolder folder;
  std::filesystem::create_directories(folder.path("t"));
  const std::string trace = folder.path("t/ops_summary.csv");  // traces are told by content, never by name
  std::filesystem::copy_file(example, trace);
  std::filesystem::create_symlink(trace, folder.path("link.json"));
  const std::string before = folder.content("t/ops_summary.csv");
  CHECK(run_program({"tables", trace, "--xlsx", trace}).status == 2);
  CHECK(run_program({"tables", trace, "--xlsx", folder.path("t/../t/ops_summary.csv")}).status == 2);
  CHECK(run_program({"tables", folder.path("link.json"), "--xlsx", trace}).status == 2);
  CHECK(run_program({"tables", trace, "-o", folder.path("t")}).status == 2);
  CHECK(run_program({"tables", example, "-o", folder.path("u"), "--xlsx", folder.path("u/gpu_timeline.csv")}).status ==
        2);
  CHECK(folder.content("t/ops_summary.csv") == before);
  CHECK(!std::filesystem::exists(folder.path("u")));
}

TEST_CASE("tables: a limit leaves only what is beyond it out, is told in one line, and the status is 4") {
  const io::ScratchFolder folder;
  TestTrace trace;
  for (std::int64_t i = 0; i < 70; ++i) {
    trace.op("op" + std::to_string(i), i * 10_us, i * 10_us + 5_us);
    trace.launch("cudaLaunchKernel", i * 10_us + 1_us, i * 10_us + 2_us, i + 1);
  }
  for (std::int64_t i = 0; i < 70; ++i) trace.stream(i).kernel("k" + std::to_string(i), 1'000_us, 1'100_us, i + 1);
  folder.file("many.json", trace.text());
  const ProgramRun run =
      run_program({"tables", folder.path("many.json"), "-o", folder.path("t"), "--overlap", "--json"});
  CHECK(run.status == 4);
  CHECK(run.errors ==
        "kinetoscope: ops_unique_args_kl_overlap: 70 rows do not say what ran beside them, it has more than 64 names "
        "[limit_reached]\n");
  CHECK(nlohmann::json::parse(run.output).at("limits").size() == 1);
  CHECK(names_in(folder.path("t")).contains("ops_unique_args_kl_overlap.csv"));
}

TEST_CASE("tables: a sheet that was asked for and has no rows says why") {
  const io::ScratchFolder folder;
  const std::string trace = shared_file("field_inputs/F01_windows_backslash.json");  // kernels of 30 and 50 us
  const ProgramRun run = run_program({"tables", trace, "-o", folder.path("t"), "--json", "--short-kernels"});
  REQUIRE(run.status == 0);
  const nlohmann::json result = nlohmann::json::parse(run.output);
  std::size_t empty = 0;
  for (const nlohmann::json& sheet : result.at("sheets")) {
    CAPTURE(sheet.dump());
    CHECK(sheet.at("empty_because").is_null() == (sheet.at("rows") > 0));
    if (sheet.at("rows") == 0) ++empty;
  }
  CHECK(empty == 2);
}

TEST_CASE("tables: a step's tables are over that step, and a scope of nothing writes nothing") {
  const io::ScratchFolder folder;
  const auto events = [&](const char* scope) {
    const ProgramRun run = run_program({"tables", example, "--scope", scope, "--json"});
    return nlohmann::json::parse(run.output).at("population").at("events").get<int>();
  };
  CHECK(events("step:0") > 0);
  CHECK(events("step:0") < events("all"));
  CHECK(run_program({"tables", example, "--scope", "step:99", "-o", folder.path("t")}).status == 2);
  CHECK(folder.files() == 0);
}

TEST_CASE("tables: redacted results name neither the trace's folder nor the tables'") {
  const io::ScratchFolder folder;
  const std::string trace = field_input("F32_display_time_unit_ns.json");
  const std::string input_folder = std::filesystem::path(trace).parent_path();
  for (const char* form : {"--json", "--progress"}) {
    const ProgramRun run = run_program({"tables", trace, "-o", folder.path("t"), "--redact", form});
    CHECK(run.status == 0);
    CHECK(run.output.find(input_folder) == std::string::npos);
    CHECK(run.output.find(folder.path("t")) == std::string::npos);
  }
}

TEST_CASE("tables: rooflines are of the platform that is named, detected, or of none") {
  const io::ScratchFolder folder;
  const auto run = [&](const std::string& platform) {
    return run_program({"tables", example, "-o", folder.path("t"), "--json", "--platform", platform});
  };
  const auto said = [](const ProgramRun& done) { return nlohmann::json::parse(done.output).at("platform"); };
  const auto heads = [&] {
    const std::string sheet = folder.content("t/unified_perf_summary.csv");
    return sheet.substr(0, sheet.find('\n'));
  };
  const nlohmann::json named = said(run("MI300X"));
  CHECK(named.at("source") == "named");
  CHECK(named.at("name") == "MI300X");
  CHECK(named.at("warnings").size() == 1);  // the example was recorded on another device
  CHECK(heads().find("Pct Roofline_mean") != std::string::npos);
  const nlohmann::json none = said(run("none"));
  CHECK(none.at("source") == "none");
  CHECK(none.at("reason") == "none is wanted");
  CHECK(heads().find("Roofline") == std::string::npos);
  folder.file("mine.json", R"({"name": "mine", "mem_bw_gbps": 100, "tflops": {"matrix_bf16": 1}})");
  CHECK(said(run(folder.path("mine.json"))).at("name") == "mine");
  const nlohmann::json detected = said(run_program({"tables", example, "-o", folder.path("t"), "--json"}));
  CHECK(detected.at("source") == "detected");
  CHECK(detected.at("name").is_null() != detected.at("reason").is_null());
}

TEST_CASE("tables: a platform that is neither known nor a file is refused before a trace is read") {
  const ProgramRun run = run_program({"tables", "no/such/trace", "--json", "--platform", "MI301X"});
  CHECK(run.status == 2);
  CHECK(run.errors.find("--platform \"MI301X\"") != std::string::npos);
  CHECK(run.errors.find("MI300X") != std::string::npos);
  const io::ScratchFolder folder;
  folder.file("bad.json", R"({"name": "bad"})");
  const ProgramRun bad =
      run_program({"tables", "no/such/trace", "--json", "--redact", "--platform", folder.path("bad.json")});
  CHECK(bad.status != 0);
  CHECK(bad.errors.find(folder.path("")) == std::string::npos);
  CHECK(bad.errors.find("mem_bw_gbps") != std::string::npos);
}

TEST_CASE("tables: a file of operators gives them their sheet and figures, and tells whom they replace") {
  const io::ScratchFolder folder;
  TestTrace trace;
  trace.op("my_extension::linear", 0, 50_us,
           R"("Input Dims": [[64, 32], [16, 32], []], "Input type": ["c10::BFloat16", "c10::BFloat16", ""])");
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).kernel("k", 100_us, 110_us, 1);
  folder.file("trace.json", trace.text());
  const auto run = [&](const std::string& operators) {
    return run_program(
        {"tables", folder.path("trace.json"), "-o", folder.path("t"), "--json", "--operators", operators});
  };
  const ProgramRun good = run("examples/operators.json");
  REQUIRE(good.status == 0);
  const nlohmann::json said = nlohmann::json::parse(good.output);
  CHECK(said.at("user_operators").at("operators") == 4);
  CHECK(said.at("user_operators").at("replaced_total") == 0);
  CHECK(said.at("operators").at("categories").at(0).at("category") == "GEMM");
  CHECK(folder.content("t/GEMM.csv").find("\nmy_extension::linear,") != std::string::npos);
  folder.file("mm.json", R"({"families": [{"category": "mine", "operators": ["aten::mm"]}]})");
  const nlohmann::json replaced = nlohmann::json::parse(run(folder.path("mm.json")).output).at("user_operators");
  CHECK(replaced.at("replaced") == nlohmann::json::array({"aten::mm"}));
  folder.file("bad.json", R"({"families": [{"category": "mine", "model": "gem", "operators": ["x"]}]})");
  const ProgramRun bad = run(folder.path("bad.json"));
  CHECK(bad.status != 0);
  CHECK(bad.errors.find("families[0].model \"gem\": there is no such family of models") != std::string::npos);
}

TEST_CASE("tables: a folder of generated sources gives kernels without arguments their figures; none is looked for") {
  const io::ScratchFolder folder;
  folder.file("trace.json", TestTrace()
                                .op("triton_poi_fused_add_0", 0, 50_us)
                                .launch("cuLaunchKernel", 3_us, 4_us, 1)
                                .kernel("triton_poi_fused_add_0", 100_us, 110_us, 1)
                                .text());
  std::filesystem::create_directories(folder.path("cache/ab"));
  folder.file("cache/ab/one.py", pointwise_source());
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"tables", folder.path("trace.json"), "-o", folder.path("t"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  const ProgramRun with = run({"--inductor-cache", folder.path("cache")});
  REQUIRE(with.status == 0);
  CHECK(nlohmann::json::parse(with.output).at("inductor_cache").at("kernels") == 1);
  CHECK(folder.content("t/unified_perf_summary.csv").find(",average_case,arguments_from_cache,") != std::string::npos);
  const ProgramRun without = run({});
  CHECK(nlohmann::json::parse(without.output).at("inductor_cache").is_null());
  CHECK(folder.content("t/unified_perf_summary.csv").find("arguments_from_cache") == std::string::npos);
  const ProgramRun bad = run({"--redact", "--inductor-cache", folder.path("none")});
  CHECK(bad.status == 3);
  CHECK(bad.errors.find("there is no such folder") != std::string::npos);
  CHECK(bad.errors.find(folder.path("none")) == std::string::npos);
}

TEST_CASE("tables: each sheet and column is described without a trace") {
  const ProgramRun run = run_program({"tables", "--describe", "--json"});
  REQUIRE(run.status == 0);
  std::set<std::string> sheets;
  for (const nlohmann::json& sheet : nlohmann::json::parse(run.output)) {
    CHECK(sheets.insert(sheet.at("name")).second);
    for (const nlohmann::json& name : sheet.at("also_named")) CHECK(sheets.insert(name).second);
    CHECK(!sheet.at("caption").get<std::string>().empty());
    std::set<std::string> headings;
    for (const nlohmann::json& column : sheet.at("columns")) {
      CAPTURE(column.dump());
      CHECK(column.at("meaning").get<std::string>().ends_with("."));
      CHECK(headings.insert(column.at("heading")).second);
    }
  }
  // 12, and the category sheets: 22 families, 4 of them with backward work in the same sheet.
  CHECK(sheets.size() == 12 + 4 + 2 * 18);
  CHECK(run_program({"tables", "--describe"}).status == 0);
}

TEST_CASE("tables: Ctrl-C while it waits for its input leaves neither a folder nor a file") {
  const io::ScratchFolder folder;
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  RunningProgram program({"tables", "-", "-o", folder.path("t"), "--xlsx", folder.path("t.xlsx")}, ends[0]);
  program.wait_for_second_thread();
  program.send(SIGINT);
  CHECK(program.wait() == 130);
  ::close(ends[0]);
  ::close(ends[1]);
  CHECK(folder.files() == 0);
}
}  // namespace kinetoscope
