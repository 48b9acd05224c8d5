#pragma once

// Whether JSON documents fit a schema of schemas/: data files that are built into the program, and what it prints.
// The validator's headers are the slowest of all to compile; they stay in the source.

#include <memory>
#include <string>
#include <string_view>

namespace kinetoscope {

class SchemaCheck {
 public:
  /// `schema_path` from the repository's root, where tests run; fails the test when it cannot be read.
  explicit SchemaCheck(const std::string& schema_path);
  ~SchemaCheck();
  SchemaCheck(const SchemaCheck&) = delete;
  SchemaCheck& operator=(const SchemaCheck&) = delete;

  /// What does not fit, empty when all does.
  [[nodiscard]] std::string problems(std::string_view json) const;

 private:
  struct Schema;
  std::unique_ptr<Schema> schema_;
};

/// The same, for a schema that is read once only.
[[nodiscard]] inline std::string schema_problems(const std::string& schema_path, std::string_view json) {
  return SchemaCheck(schema_path).problems(json);
}
}  // namespace kinetoscope
