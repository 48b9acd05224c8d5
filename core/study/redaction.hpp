#pragma once

// --redact for what is said of one trace: names and paths that the trace or the user names become hashes.

#include <optional>
#include <string>
#include <vector>

#include "core/report/json.hpp"
#include "core/report/redact.hpp"
#include "core/study/study.hpp"

namespace kinetoscope {

class Redaction {
 public:
  /// `named`: files and folders that the user names beside the trace. Does nothing unless `is_wanted`.
  Redaction(const Study& study, bool is_wanted, std::vector<std::string> named);

  /// nullptr where nothing is redacted. Valid as long as this.
  [[nodiscard]] const report::Redactor* redactor() const noexcept { return redactor_ ? &*redactor_ : nullptr; }
  [[nodiscard]] std::string text(const std::string& text) const;
  [[nodiscard]] report::Json document(report::Json document) const;
  /// The document as text.
  [[nodiscard]] std::string json(report::Json document) const;

 private:
  std::optional<report::Redactor> redactor_;
};
}  // namespace kinetoscope
