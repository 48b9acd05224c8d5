#include "tools/tool.hpp"

#include "core/study/redaction.hpp"

namespace kinetoscope::tools {
namespace {

ToolProgress progress_of(const LoadProgress& progress) {
  ToolProgress told = {.done = static_cast<double>(progress.consumed_bytes),
                       .message = "loading: " + std::to_string(progress.events) + " events"};
  if (progress.total_bytes) told.total = static_cast<double>(*progress.total_bytes);
  return told;
}
}  // namespace

StoredTrace ToolContext::load(const std::string& path) const {
  StudyOptions options = {.threads = threads, .stop = stop};
  if (on_progress) {
    options.on_progress = [this](const LoadProgress& progress) { on_progress(progress_of(progress)); };
  }
  return traces.load(files.readable(path), options);
}

StoredTrace ToolContext::trace(const std::string& trace_id) const {
  if (takes_paths && !trace_id.starts_with("t_")) return load(trace_id);
  return {trace_id, traces.study(trace_id)};
}

Json ToolContext::redacted(const Study& study, Json document) const {
  return Redaction(study, is_redacted, {}).document(std::move(document));
}
}  // namespace kinetoscope::tools
