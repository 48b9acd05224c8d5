#include "core/study/redaction.hpp"

#include <utility>

namespace kinetoscope {

Redaction::Redaction(const Study& study, bool is_wanted, std::vector<std::string> named) {
  if (!is_wanted) return;
  const analysis::Overview& overview = study.overview();
  std::vector<std::string> known = {study.name(), overview.host_name};
  known.insert(known.end(), overview.job_names.begin(), overview.job_names.end());
  known.insert(known.end(), overview.own_paths.begin(), overview.own_paths.end());
  known.insert(known.end(), named.begin(), named.end());
  redactor_.emplace(std::move(known));
}

std::string Redaction::text(const std::string& text) const { return redactor_ ? redactor_->text(text) : text; }

report::Json Redaction::document(report::Json document) const {
  return redactor_ ? redactor_->json(std::move(document)) : document;
}

std::string Redaction::json(report::Json document) const {
  return report::json_text(this->document(std::move(document)));
}
}  // namespace kinetoscope
