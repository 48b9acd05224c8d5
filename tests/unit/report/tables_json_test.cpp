#include "core/report/tables_json.hpp"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/report/table_sheets.hpp"
#include "core/report/tables_text.hpp"
#include "core/study/study.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

std::string tables_problems(const report::Json& result) {
  static const SchemaCheck schema("schemas/artifacts/tables.schema.json");
  return schema.problems(result.dump());
}

analysis::TableOptions everything() {
  analysis::TableOptions options;
  options.detects_recompute = options.has_pseudo_operators = options.groups_by_parent_module = true;
  options.groups_by_kernel_count = options.has_call_stack = options.has_first_occurrence = true;
  options.has_overlap = options.has_kernel_summary = options.has_short_kernels = true;
  options.micro_idle_ns = 5'000;
  options.platform = analysis::platform_choice_of("H100 SXM");
  return options;
}

report::TablesResult result_of(const Study& study, const analysis::TableOptions& options) {
  const analysis::Tables& tables = study.tables(options);
  report::TablesResult result;
  result.file = study.name();
  result.partial = study.trace().partial();
  result.tables = &tables;
  result.sheets = report::write_tables(report::sheets_of(tables), {}, report::known_sheets());
  result.diagnostics = study.diagnostics();
  return result;
}

TestTrace two_kernels() {
  return TestTrace()
      .op("aten::mm", 0, 100_us)
      .launch("cudaLaunchKernel", 10_us, 20_us, 7)
      .kernel("gemm", 50_us, 90_us, 7)
      .kernel("stray", 100_us, 110_us, 8);
}
}  // namespace

TEST_CASE("tables json: what is said of each field input fits the schema, with and without every option") {
  std::size_t read = 0;
  const std::filesystem::path folder = std::filesystem::path(field_input("F05_trailing_comma.json")).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("F") || name.starts_with("F09")) continue;  // F09 has no content
    CAPTURE(name);
    const Study study(name, field_trace(name));
    if (study.trace().gpu_events().empty()) {
      CHECK_THROWS_AS(static_cast<void>(study.tables({})), Error);
      continue;
    }
    for (const analysis::TableOptions& options : {analysis::TableOptions(), everything()}) {
      CHECK(tables_problems(report::tables_json(result_of(study, options))) == "");
      ++read;
    }
  }
  CHECK(read > 60);
}

TEST_CASE("tables json: the columns that a platform adds are told as such") {
  std::size_t columns = 0;
  for (const report::DescribedSheet& sheet : report::described_sheets()) {
    for (const report::DescribedColumn& column : sheet.columns) {
      if (column.column.heading.find("oofline") == std::string_view::npos) continue;
      CHECK(column.asked_by == "--platform");
      ++columns;
    }
  }
  CHECK(columns >= 9);
}

TEST_CASE("tables json: text and result say what rooflines are of, or why there are none") {
  const Study study("trace.json", two_kernels().load());
  const auto text = [&](const analysis::TableOptions& options) {
    return report::tables_text(result_of(study, options), false);
  };
  CHECK(text({}).find("  No rooflines: the trace does not describe its devices\n") != std::string::npos);
  const analysis::TableOptions named = {.platform = analysis::platform_choice_of("MI300X")};
  CHECK(text(named).find("  Rooflines of MI300X, as named\n") != std::string::npos);
  CHECK(&study.tables(named) == &study.tables({.platform = analysis::platform_choice_of("MI300X")}));
  CHECK(&study.tables(named) != &study.tables({}));
  const report::Json platform = report::tables_json(result_of(study, named)).at("platform");
  CHECK(platform.at("mem_bw_gbps") == 5'300);
  CHECK(platform.at("ceilings").size() > 5);
  CHECK(platform.at("reason").is_null());
}

TEST_CASE("tables json: text and result say which operators are the user's, and which of them replace known ones") {
  const Study study("trace.json", two_kernels().load());
  analysis::TableOptions options;
  options.operators = perf_model::OperatorSet(perf_model::read_user_operators(
      R"({"families": [{"category": "mine", "operators": ["aten::mm", "x"]}]})", "mine.json"));
  const report::TablesResult result = result_of(study, options);
  CHECK(tables_problems(report::tables_json(result)) == "");
  CHECK(report::tables_text(result, false)
            .find("  2 operators by --operators, in place of what is known of aten::mm\n") != std::string::npos);
  CHECK(report::tables_json(result_of(study, {})).at("user_operators").is_null());
}

TEST_CASE("tables json: text and result say what the Inductor cache told, and which of it is not used") {
  const Study study("trace.json", two_kernels().load());
  perf_model::CompiledFolder folder;
  folder.kernels = {{"triton_poi_fused_add_0", 1, 1, true, {{"bf16", 1, 0}}}};
  folder.ambiguous = {"triton_poi_fused_mul_1", "triton_poi_fused_mul_2"};
  folder.files = 4;
  folder.not_understood = 5;
  folder.first_not_understood = "x/y.py";
  folder.left_out = {6, "z.py"};
  analysis::TableOptions options;
  options.compiled = perf_model::CompiledKernels(folder);
  const report::TablesResult result = result_of(study, options);
  const report::Json json = report::tables_json(result);
  CHECK(tables_problems(json) == "");
  CHECK(json.at("inductor_cache").at("kernels") == 1);
  CHECK(json.at("inductor_cache").at("ambiguous_total") == 2);
  CHECK(report::tables_text(result, false)
            .find("  Inductor cache: 1 kernels in 4 files, for calls without arguments\n"
                  "    ambiguous names, not used: 2, triton_poi_fused_mul_1, triton_poi_fused_mul_2\n"
                  "    kernels not understood: 5, the first in x/y.py\n"
                  "    not read (links, too large, too deep, unreadable): 6, the first z.py\n") != std::string::npos);
  CHECK(report::tables_json(result_of(study, {})).at("inductor_cache").is_null());
}

TEST_CASE("tables json: a key that the schema does not know is refused") {
  const Study study("trace.json", two_kernels().load());
  report::Json json = report::tables_json(result_of(study, {}));
  CHECK(tables_problems(json) == "");
  json["surprise"] = 1;
  CHECK(tables_problems(json) != "");
}

TEST_CASE("tables json: each sheet that there can be is made or left out with a reason, in order") {
  const Study study("trace.json", two_kernels().load());
  const report::TablesResult result = result_of(study, {});
  std::vector<std::string> named;
  for (const report::SheetReport& sheet : result.sheets) {
    named.push_back(sheet.name);
    CHECK((sheet.rows > 0) == sheet.left_out_because.empty());
  }
  // Of the category sheets, which are described as one form, those that have rows: the trace's one operator is
  // aten::mm.
  std::vector<std::string> described;
  for (const report::DescribedSheet& sheet : report::described_sheets()) described.push_back(sheet.name);
  CHECK(named == described);
}

TEST_CASE("tables json: where work without a launch is told depends on the sheets that were asked for") {
  const Study study("trace.json", two_kernels().load());
  CHECK(report::population_sentence(study.tables({})) ==
        "The 1 of 2 GPU events in scope that have a recorded launch; the others are in unlinked_time.");
  CHECK(report::population_sentence(study.tables({.has_kernel_summary = true})) ==
        "The 1 of 2 GPU events in scope that have a recorded launch; the others are in unlinked_time, kernels among "
        "them in kernel_summary, too.");
}

TEST_CASE("tables json: a range of steps that reaches beyond the last says which there are") {
  analysis::Tables tables;
  tables.events = tables.events_in_scope = 1;
  tables.has_launches = true;
  tables.steps = 2;
  const auto said = [&](std::string_view scope) {
    tables.options.scope = parse_scope(scope);
    return report::population_sentence(tables);
  };
  const std::string always = "All 1 GPU events in scope; each has a recorded launch.";
  CHECK(said("all") == always);
  CHECK(said("step:0-1") == always);
  CHECK(said("stream:7,step:1-2") == always + " Of step:1-2 the trace has no more than steps 0 to 1.");
  tables.steps = 1;
  CHECK(said("step:0-9") == always + " Of step:0-9 the trace has no more than step 0.");
}

TEST_CASE("tables json: times that were counted once have a share of the whole, recomputed work of both blocks") {
  const Study study("trace.json", two_kernels().load());
  const report::Json json = report::tables_json(result_of(study, {}));
  CHECK(json.at("operators").at("categories").at(0).at("percent_of_whole") == 100.0);
  CHECK_FALSE(json.at("timeline").at(0).contains("percent_of_whole"));  // one block, whose own percent it is
  const report::Json blocks = report::tables_json(result_of(study, {.detects_recompute = true}));
  CHECK(blocks.at("timeline").at(0).at("percent_of_whole") == 100.0);
}

TEST_CASE("tables json: unlinked work is that of the scope") {
  // gemm is launched on device 0; stray, without a launch, ran on device 1 for 10 us of the 50 us in all.
  const Study study("trace.json", TestTrace()
                                      .op("aten::mm", 0, 100_us)
                                      .launch("cudaLaunchKernel", 10_us, 20_us, 7)
                                      .kernel("gemm", 50_us, 90_us, 7)
                                      .stream(3, 1)
                                      .kernel("stray", 100_us, 110_us, 8)
                                      .load());
  analysis::TableOptions options;
  CHECK(study.tables(options).unlinked.time_ns == 10'000);
  CHECK(*study.tables(options).unlinked.share == doctest::Approx(0.2));
  options.scope = parse_scope("device:0");
  CHECK(study.tables(options).unlinked.events == 0);
  options.scope = parse_scope("device:1");
  CHECK(*study.tables(options).unlinked.share == 1.0);
}

TEST_CASE("tables json: tables are made once for each set of options") {
  const Study study("trace.json", two_kernels().load());
  const analysis::Tables& first = study.tables({});
  CHECK(&first == &study.tables({}));
  CHECK(&first != &study.tables(everything()));
}

TEST_CASE("tables text: where the time went, the files, and what is not there") {
  const Study study("trace.json", two_kernels().load());
  report::TablesResult result = result_of(study, {});
  result.destinations.folder = "out";
  const std::string text = report::tables_text(result, false);
  CHECK(
      text.starts_with("trace.json: tables of the whole trace\n"
                       "  The 1 of 2 GPU events in scope that have a recorded launch; "));
  CHECK(text.find("  computation_time     40.000 us  100.0 %\n") != std::string::npos);
  CHECK(text.find("        calls   GPU time\n  GEMM      1  40.000 us  100.0 %\n") != std::string::npos);
  CHECK(text.find("Tables in out\n") != std::string::npos);
  CHECK(text.find("  kernel_summary ") != std::string::npos);
}

TEST_CASE("tables text: what a workbook could not take is told by sheet") {
  const Study study("trace.json", two_kernels().load());
  report::TablesResult result = result_of(study, {});
  result.sheets[0].workbook_rows_left_out = 1'234;
  result.sheets[0].workbook_texts_cut = 5;
  CHECK(report::limits_reached(result).size() == 2);
  CHECK(report::lacks_values(result));
  result.sheets[0].workbook_rows_left_out = 0;
  CHECK_FALSE(report::lacks_values(result));  // the CSV has the whole texts
  result.sheets[0].workbook_rows_left_out = 1'234;
  CHECK(report::tables_text(result, false).find("gpu_timeline: 1,234 rows are not in the workbook") !=
        std::string::npos);
}

TEST_CASE("tables json: a sum that 64 bits do not hold is null with its reason, never another number") {
  TestTrace trace;
  for (std::int64_t i = 1; i <= 3; ++i) {
    trace.op("aten::mm", i * 10, i * 10 + 5).launch("cudaLaunchKernel", i * 10 + 1, i * 10 + 2, i);
  }
  for (std::int64_t i = 1; i <= 6; ++i) trace.stream(i).kernel("k", -5, largest_time_ns - 5, i);
  const Study study("trace.json", trace.load());
  const report::Json json = report::tables_json(result_of(study, {}));
  CHECK(tables_problems(json) == "");
  for (const auto& [object, key] : {std::pair(json.at("operators"), "direct_ns"),
                                    std::pair(json.at("operators").at("categories").at(0), "direct_ns"),
                                    std::pair(json.at("unlinked"), "time_ns")}) {
    CHECK(object.at(key).is_null());
    CHECK(object.at(std::string(key) + "_reason") == "out_of_range");
  }
  CHECK(json.at("operators").at("counted_ns") == largest_time_ns);
  CHECK(json.at("unlinked").at("share") == 0.5);
}

TEST_CASE("tables text: limits of the operator sheets are told, one line each, and something is missing then") {
  const Study study("trace.json", two_kernels().load());
  report::TablesResult result = result_of(study, {});
  CHECK_FALSE(report::lacks_values(result));
  analysis::OperatorLimits only;
  const auto told = [&](const analysis::OperatorLimits& limits) {
    analysis::Tables tables;
    tables.operators.emplace().limits = limits;
    report::TablesResult limited = result;
    limited.tables = &tables;
    CHECK(report::lacks_values(limited));
    const std::vector<std::string> sentences = report::limits_reached(limited);
    REQUIRE(sentences.size() == 1);
    return sentences[0];
  };
  only.overlaps_not_compared = 5;
  CHECK(told(only) ==
        "ops_unique_args_kl_overlap is left out: 10,000,005 pairs of GPU events ran at the same time, at most "
        "10,000,000 are compared");
  only = {};
  only.rows_of_many_names = 7;
  CHECK(told(only) == "ops_unique_args_kl_overlap: 7 rows do not say what ran beside them, it has more than 64 names");
  only = {};
  only.rows_without_stacks.summary = 2;
  CHECK(told(only) == "ops_summary: 2 rows have no call stack, those of the rows above take 64 MiB");
  only = {};
  only.rows_without_overlaps = 3;
  CHECK(told(only) ==
        "ops_unique_args_kl_overlap: 3 rows do not say what ran beside them, the rows above take 64 MiB to say so");
}
}  // namespace kinetoscope
