#include "core/names/python_frames.hpp"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "embedded/python_frames.hpp"
#include "core/base/error.hpp"

namespace kinetoscope::names {
namespace {

using Pieces = std::vector<std::string>;

struct Table {
  Pieces recompute;
  Pieces shown;
  Pieces wrapper_prefixes;
  Pieces wrapper_pieces;
  Pieces wrapper_functions;
};

Table read_table() {
  try {
    const nlohmann::json document = nlohmann::json::parse(embedded::python_frames());
    const nlohmann::json& wrappers = document.at("wrappers");
    return {document.at("recompute").at("contains").get<Pieces>(), document.at("shown").at("contains").get<Pieces>(),
            wrappers.at("prefixes").get<Pieces>(), wrappers.at("contains").get<Pieces>(),
            wrappers.at("functions").get<Pieces>()};
  } catch (const nlohmann::json::exception& error) {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = "core/names/python_frames.json",
                 .argument = {},
                 .problem = error.what()});
  }
}

const Table& table() {
  static const Table read = read_table();
  return read;
}

bool holds(std::string_view name, const std::string& piece) { return name.find(piece) != std::string_view::npos; }
}  // namespace

bool is_recompute_frame(std::string_view name) {
  return std::ranges::all_of(table().recompute, [&](const std::string& piece) { return holds(name, piece); });
}

bool is_shown_frame(std::string_view name) {
  return std::ranges::any_of(table().shown, [&](const std::string& piece) { return holds(name, piece); });
}

bool is_wrapper_frame(std::string_view name) {
  const Table& all = table();
  const std::string_view function = function_of_frame(name);
  return std::ranges::any_of(all.wrapper_prefixes, [&](const std::string& piece) { return name.starts_with(piece); }) ||
         std::ranges::any_of(all.wrapper_pieces, [&](const std::string& piece) { return holds(name, piece); }) ||
         std::ranges::any_of(all.wrapper_functions, [&](const std::string& piece) { return function == piece; });
}

bool is_source_frame(std::string_view name) { return name.find(".py") != std::string_view::npos; }

std::string_view function_of_frame(std::string_view name) {
  constexpr std::string_view mark = "): ";
  const std::size_t found = name.rfind(mark);
  return found == std::string_view::npos ? std::string_view() : name.substr(found + mark.size());
}

std::string without_numbers(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at + 1;
    if (name[at] == '_') end = std::min(name.find_first_not_of("0123456789", end), name.size());
    if (end == at + 1) out += name[at];
    at = end;
  }
  return out;
}
}  // namespace kinetoscope::names
