#include "server/cli/analysis_options.hpp"

#include <CLI/CLI.hpp>

#include "core/tree/scope.hpp"
#include "core/perf_model/user_operators.hpp"
#include "core/analysis/platform_choice.hpp"

namespace kinetoscope::cli {

void add_population_options(CLI::App& command, AnalysisOptions& options) {
  command
      .add_option("--scope", options.scope,
                  "Part of the trace: all, step:3-5, an annotation's name, phase:decode, module:Linear, device:0, "
                  "stream:7, window:1ms-3ms; several joined by commas must all hold")
      ->type_name("SCOPE");
  command.add_flag(
      "--include-unlinked", options.tables.includes_unlinked,
      "GPU work without a recorded launch is in every sheet, not only in unlinked_time and kernel_summary");
  command.add_flag("--pseudo-ops", options.tables.has_pseudo_operators,
                   "Kernels without an operator of their own get one (fused MoE, compiled attention)");
}

void add_model_options(CLI::App& command, AnalysisOptions& options) {
  command
      .add_option("--platform", options.platform,
                  "What rooflines are of: a name that kinetoscope platforms lists, a JSON file by "
                  "schemas/data/platform.schema.json, or none for no rooflines; as the trace says by default")
      ->type_name("NAME|FILE|none");
  command
      .add_option("--operators", options.operators,
                  "Operators of your own, with category, sheet and model: a JSON file by "
                  "schemas/data/user_operators.schema.json, such as examples/operators.json; they go before those that "
                  "are known")
      ->type_name("FILE");
  command
      .add_option(
          "--inductor-cache", options.inductor_cache,
          "Folder with the Python files that Inductor generated for this run: types and sizes of Triton kernels "
          "whose arguments the trace lacks. They are read, never run; without the option no cache is looked for")
      ->type_name("DIR");
}

void settle_scope(AnalysisOptions& options) { options.tables.scope = parse_scope(options.scope); }

std::vector<std::string> named_files(const AnalysisOptions& options) {
  std::vector<std::string> files;
  for (const auto& named : {options.platform, options.operators, options.inductor_cache}) {
    if (named) files.push_back(*named);
  }
  return files;
}

analysis::TableOptions with_data_files(const AnalysisOptions& options, const std::stop_token& stop) {
  analysis::TableOptions tables = options.tables;
  if (options.platform) tables.platform = analysis::platform_choice_of(*options.platform);
  if (options.operators) {
    tables.operators = perf_model::OperatorSet(perf_model::read_user_operators_file(*options.operators));
  }
  if (options.inductor_cache) {
    tables.compiled = perf_model::CompiledKernels(perf_model::read_compiled_folder(*options.inductor_cache, stop));
  }
  return tables;
}
}  // namespace kinetoscope::cli
