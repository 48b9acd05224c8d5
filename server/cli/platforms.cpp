#include "server/cli/platforms.hpp"

#include "core/perf_model/platform_table.hpp"
#include "core/report/json.hpp"
#include "core/report/platforms_json.hpp"
#include "core/report/platforms_text.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {

int run_platforms(const PlatformsOptions& options) {
  const perf_model::PlatformTable& table = perf_model::platform_table();
  write_output(options.is_json ? report::json_text(report::platforms_json(table))
                               : report::platforms_text(table, wants_colour()));
  return 0;
}
}  // namespace kinetoscope::cli
