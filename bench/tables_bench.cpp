// The command `tables`: from a compressed file to a folder of CSV files with every sheet that no option has to group
// otherwise, as the program does it; and the tables of a loaded trace by themselves.

#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

#include "core/analysis/tables.hpp"
#include "core/report/table_files.hpp"
#include "core/report/table_sheets.hpp"
#include "core/study/study.hpp"
#include "bench/bench.hpp"
#include "bench/stages.hpp"

namespace kinetoscope::bench {
namespace {

analysis::TableOptions all_sheets() {
  analysis::TableOptions options;
  options.has_kernel_summary = true;
  options.has_short_kernels = true;
  return options;
}

/// A folder of this process, gone with the object.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("kinetoscope-bench-" + std::to_string(getpid()))) {}
  ~Folder() {
    std::error_code ignored;  // what cannot be removed stays in the temporary folder
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Rows of all sheets together: another number is another result.
std::uint64_t rows_of(const std::vector<report::SheetReport>& sheets) {
  std::uint64_t rows = 0;
  for (const report::SheetReport& sheet : sheets) rows = rows * 31 + sheet.rows;
  return rows;
}
}  // namespace

Stage sheets_stage() {
  return {"sheets", [](const std::string& path) {
            const auto study = std::shared_ptr<const Study>(load_study(path));
            static_cast<void>(study->tree());
            static_cast<void>(study->steps());
            return [study] {
              const analysis::GpuBuckets buckets(study->trace());
              const analysis::Tables tables = analysis::make_tables(study->tree(), buckets, study->trace().gpu_events(),
                                                                    study->steps().steps(), all_sheets());
              return Run{rows_of(report::write_tables(report::sheets_of(tables), {}, report::known_sheets())), {}};
            };
          }};
}

Stage tables_stage() {
  return {"tables", [](const std::string& path) {
            const auto folder = std::make_shared<const Folder>();
            return [path, folder] {
              const auto study = load_study(path);
              const std::vector<report::Sheet> sheets = report::sheets_of(study->tables(all_sheets()));
              return Run{rows_of(report::write_tables(sheets, {folder->path(), {}}, report::known_sheets())), {}};
            };
          }};
}
}  // namespace kinetoscope::bench
