#include "server/cli/info.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/analysis/common_clock.hpp"
#include "core/report/info_json.hpp"
#include "core/report/info_text.hpp"
#include "core/report/redact.hpp"
#include "core/study/study.hpp"
#include "server/cli/failure.hpp"
#include "server/cli/load.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {
namespace {

/// Read, summed up and forgotten, so that only one trace is in memory at a time.
report::Info load_info(const std::string& name, const Session& session) {
  return ask_trace(name, session, [&](const Study& study) { return study.info(session.stop); });
}

struct Loaded {
  std::vector<report::Info> infos;
  int status = 0;  ///< of the first failure
};

/// One trace that cannot be read does not hide what the others hold: each failure is told where it happens.
Loaded load_all(const InfoOptions& options, const Session& session) {
  Loaded loaded;
  for (const std::string& name : options.traces) {
    try {
      loaded.infos.push_back(load_info(name, session));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      const int status = report_failure(error, options.traces, session.options.is_redacted);
      if (loaded.status == 0) loaded.status = status;
    }
  }
  return loaded;
}

analysis::CommonClock put_on_common_clock(std::vector<report::Info>& infos) {
  std::vector<const analysis::Overview*> overviews;
  overviews.reserve(infos.size());
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

/// An array when several traces were named, however many of them could be read.
std::string json_of(const std::vector<report::Info>& infos, const InfoOptions& options, bool is_redacted) {
  report::Json document = report::Json::array();
  for (const report::Info& info : infos) document.push_back(info_json(info));
  if (options.traces.size() == 1) document = report::Json(std::move(document.front()));
  if (is_redacted) document = redactor_of(infos).json(std::move(document));
  return report::json_text(document);
}

std::string text_of(const std::vector<report::Info>& infos, const analysis::CommonClock& clock, bool is_redacted) {
  const bool is_coloured = wants_colour();
  std::string text;
  for (const report::Info& info : infos) text += (text.empty() ? "" : "\n") + info_text(info, is_coloured);
  if (infos.size() > 1) text += report::clock_text(clock, is_coloured);
  return is_redacted ? redactor_of(infos).text(text) : text;
}
}  // namespace

int run_info(const InfoOptions& options, const Session& session) {
  auto [infos, status] = load_all(options, session);
  const bool names_several = options.traces.size() > 1;
  if (infos.empty() && !(names_several && options.is_json)) return status;
  const analysis::CommonClock clock = put_on_common_clock(infos);
  for (std::size_t i = 0; i < infos.size() && names_several; ++i) {
    infos[i].clock = &clock;
    infos[i].clock_place = i;
  }
  const bool is_redacted = session.options.is_redacted;
  write_output(options.is_json ? json_of(infos, options, is_redacted) : text_of(infos, clock, is_redacted));
  return status;
}
}  // namespace kinetoscope::cli
