#pragma once

// Hides who and where: host names, users' folders, job names and paths become "redacted-" and 16 hexadecimal digits,
// the same digits for the same text in every run, so that results stay comparable. The digits are a plain hash of the
// text: who can guess a name can confirm the guess. Kernel, operator and file names inside packages stay.
//
// Cost: O(length) for each known text.

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace kinetoscope::report {

class Redactor {
 public:
  /// Texts to hide wherever they occur: a host's name, a job's, the input's path. Those of less than three bytes are
  /// ignored.
  explicit Redactor(std::vector<std::string> known);
  /// Known texts, and absolute paths of any system, replaced.
  [[nodiscard]] std::string text(std::string_view shown) const;
  /// Every string value of a document.
  [[nodiscard]] nlohmann::ordered_json json(nlohmann::ordered_json document) const;

 private:
  std::vector<std::string> known_;  // the longest first
};
}  // namespace kinetoscope::report
