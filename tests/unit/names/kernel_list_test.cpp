// Every name of the shared list of kernel names has the kind that a reader gives it. The list is read at test time; the
// expectations (kernel_kind_expectations.json) name its rows and were made by reading the names, not by the classifier.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/names/kernel_names.hpp"
#include "tests/support/shared_files.hpp"

namespace kinetoscope::names {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "cannot read " << path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The first field of each line after the heading; quoted fields double their quotes.
std::vector<std::string> first_column(const std::string& csv) {
  std::vector<std::string> column;
  std::string field;
  bool quoted = false;
  bool in_first = true;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (c == '"') {
      if (quoted && i + 1 < csv.size() && csv[i + 1] == '"' && in_first) {
        field += csv[i++];
      } else {
        quoted = !quoted;
      }
    } else if (c == '\n' && !quoted) {
      column.push_back(field);
      field.clear();
      in_first = true;
    } else if (c == ',' && !quoted) {
      in_first = false;
    } else if (in_first && (c != '\r' || quoted)) {
      field += c;
    }
  }
  column.erase(column.begin());
  return column;
}

// "3, 5-7" -> 3, 5, 6, 7.
std::vector<std::size_t> rows_of(const std::string& spans) {
  std::vector<std::size_t> rows;
  std::size_t at = 0;
  while (at < spans.size()) {
    std::size_t used = 0;
    const std::size_t begin = std::stoul(spans.substr(at), &used);
    at += used;
    std::size_t end = begin;
    if (at < spans.size() && spans[at] == '-') {
      end = std::stoul(spans.substr(++at), &used);
      at += used;
    }
    for (std::size_t row = begin; row <= end; ++row) rows.push_back(row);
    at = std::min(spans.size(), at + 2);
  }
  return rows;
}
}  // namespace

TEST_CASE("kernel list: each of the 537 names has the kind that reading it gives") {
  const auto names = first_column(read_file(shared_file("goldens/agent_unit/kernel_classification.csv")));
  const auto expected = nlohmann::json::parse(read_file("tests/unit/names/kernel_kind_expectations.json"));
  REQUIRE(names.size() == 537);
  REQUIRE(expected["rows"] == 537);

  std::vector<int> seen(names.size(), 0);
  for (const auto& group : expected["expectations"]) {
    for (const std::size_t row : rows_of(group["rows"].get<std::string>())) {
      REQUIRE(row < names.size());
      CAPTURE(row);
      CAPTURE(names[row]);
      CHECK(names[row].find(group["contains"].get<std::string>()) != std::string::npos);
      CHECK(spelling_of(classify_kernel(names[row]).kind) == group["kind"].get<std::string>());
      ++seen[row];
    }
  }
  for (std::size_t row = 0; row < seen.size(); ++row) {
    CAPTURE(row);
    CHECK(seen[row] == 1);
  }
}
}  // namespace kinetoscope::names
