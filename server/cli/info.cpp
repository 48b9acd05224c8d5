#include "server/cli/info.hpp"

#include <utility>

#include "core/analysis/common_clock.hpp"
#include "core/report/info_json.hpp"
#include "core/report/info_text.hpp"
#include "core/report/redact.hpp"
#include "core/study/study.hpp"
#include "server/cli/output.hpp"
#include "server/cli/progress.hpp"

namespace kinetoscope::cli {
namespace {

constexpr int indentation = 2;

/// Read, summed up and forgotten, so that only one trace is in memory at a time.
report::Info load_info(const std::string& name, const Session& session) {
  ProgressLine line(name, session.options.shows_progress);
  return load_study(name, {.threads = session.options.threads,
                           .strict = session.options.is_strict,
                           .stop = session.stop,
                           .on_progress = [&](const LoadProgress& progress) { line.show(progress); }})
      ->info();
}

analysis::CommonClock put_on_common_clock(std::vector<report::Info>& infos) {
  std::vector<const analysis::Overview*> overviews;
  for (const report::Info& info : infos) overviews.push_back(&info.overview);
  return analysis::common_clock_of(overviews);
}

report::Redactor redactor_of(const std::vector<report::Info>& infos) {
  std::vector<std::string> known;
  for (const report::Info& info : infos) {
    known.push_back(info.file);
    known.push_back(info.overview.host_name);
    known.insert(known.end(), info.overview.job_names.begin(), info.overview.job_names.end());
    known.insert(known.end(), info.overview.own_paths.begin(), info.overview.own_paths.end());
  }
  return report::Redactor(std::move(known));
}

std::string json_of(const std::vector<report::Info>& infos, bool is_redacted) {
  report::Json document = report::Json::array();
  for (const report::Info& info : infos) document.push_back(info_json(info));
  if (infos.size() == 1) document = report::Json(std::move(document.front()));
  if (is_redacted) document = redactor_of(infos).json(std::move(document));
  return document.dump(indentation, ' ', false, report::Json::error_handler_t::replace) + "\n";
}

std::string text_of(const std::vector<report::Info>& infos, const analysis::CommonClock& clock, bool is_redacted) {
  const bool is_coloured = wants_colour();
  std::string text;
  for (const report::Info& info : infos) text += (text.empty() ? "" : "\n") + info_text(info, is_coloured);
  if (infos.size() > 1) text += report::clock_text(clock, is_coloured);
  return is_redacted ? redactor_of(infos).text(text) : text;
}
}  // namespace

void run_info(const InfoOptions& options, const Session& session) {
  std::vector<report::Info> infos;
  for (const std::string& name : options.traces) infos.push_back(load_info(name, session));
  const analysis::CommonClock clock = put_on_common_clock(infos);
  for (std::size_t i = 0; i < infos.size() && infos.size() > 1; ++i) {
    infos[i].clock = &clock;
    infos[i].clock_place = i;
  }
  const bool is_redacted = session.options.is_redacted;
  write_output(options.is_json ? json_of(infos, is_redacted) : text_of(infos, clock, is_redacted));
}
}  // namespace kinetoscope::cli
