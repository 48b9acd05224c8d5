#include "core/perf_model/inductor_kernel_name.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "embedded/inductor_operators.hpp"
#include "core/base/error.hpp"

namespace kinetoscope::perf_model {
namespace {

struct InductorOperators {
  std::set<std::string, std::less<>> names;
  std::map<std::string, std::int64_t, std::less<>> operations;
  std::size_t longest = 0;
};

InductorOperators read_inductor_operators() {
  InductorOperators table;
  try {
    const nlohmann::json document = nlohmann::json::parse(embedded::inductor_operators());
    for (const nlohmann::json& name : document.at("names")) {
      const auto inserted = table.names.insert(name.get<std::string>());
      table.longest = std::max(table.longest, inserted.first->size());
    }
    for (const auto& [name, operations] : document.at("operations_per_element").items()) {
      table.operations.emplace(name, operations.get<std::int64_t>());
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = "core/perf_model/inductor_operators.json",
                 .argument = {},
                 .problem = error.what()});
  }
  return table;
}

const InductorOperators& inductor_operators() {
  static const InductorOperators table = read_inductor_operators();
  return table;
}

struct InductorPrefix {
  std::string_view prefix;
  InductorKernelKind kind{};
};
constexpr std::array inductor_prefixes = {
    InductorPrefix{"triton_poi_", InductorKernelKind::pointwise},
    InductorPrefix{"triton_red_", InductorKernelKind::reduction},
    InductorPrefix{"triton_per_", InductorKernelKind::persistent},
};

/// What stands between the prefix and the number at the end; empty when the name is built otherwise.
std::string_view fused_body(std::string_view name) {
  constexpr std::string_view fused = "fused_";
  constexpr std::size_t prefix_length = inductor_prefixes.front().prefix.size();
  name.remove_prefix(prefix_length);
  if (!name.starts_with(fused)) return {};
  name.remove_prefix(fused.size());
  const std::size_t last = name.rfind('_');
  if (last == std::string_view::npos || last + 1 == name.size()) return {};
  const std::string_view number = name.substr(last + 1);
  const bool is_number = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? name.substr(0, last) : std::string_view();
}
}  // namespace

std::optional<InductorKernelKind> inductor_kernel_kind(std::string_view name) noexcept {
  for (const InductorPrefix& known : inductor_prefixes) {
    if (name.starts_with(known.prefix)) return known.kind;
  }
  return {};
}

std::vector<std::string_view> fused_operators(std::string_view name) {
  constexpr std::size_t longest_body = 4'096;  // names that frameworks give are cut at a few hundred
  if (!inductor_kernel_kind(name)) return {};
  const std::string_view body = fused_body(name);
  if (body.empty() || body.size() > longest_body) return {};
  const InductorOperators& table = inductor_operators();
  // Ends of prefixes of the body that can be cut: 0, and behind each known name that follows such an end and its
  // underscore. begin_of_last[end]: where the longest last name of that prefix begins.
  constexpr std::size_t nowhere = std::string_view::npos;
  std::vector<std::size_t> begin_of_last(body.size() + 1, nowhere);
  const auto is_cut = [&](std::size_t end) { return end == 0 || begin_of_last[end] != nowhere; };
  for (std::size_t end = 1; end <= body.size(); ++end) {
    if (end < body.size() && body[end] != '_') continue;
    const std::size_t shortest = end > table.longest ? end - table.longest : 0;
    for (std::size_t begin = shortest; begin < end; ++begin) {  // the first that fits is the longest
      const bool follows = begin == 0 || (body[begin - 1] == '_' && begin >= 2 && is_cut(begin - 1));
      if (!follows || !table.names.contains(body.substr(begin, end - begin))) continue;
      begin_of_last[end] = begin;
      break;
    }
  }
  if (!is_cut(body.size())) return {};
  std::vector<std::string_view> operators;
  for (std::size_t end = body.size(); end > 0;) {
    const std::size_t begin = begin_of_last[end];
    operators.push_back(*table.names.find(body.substr(begin, end - begin)));
    end = begin == 0 ? 0 : begin - 1;
  }
  std::ranges::reverse(operators);
  return operators;
}

std::int64_t operations_per_element(std::string_view operator_name) {
  const auto& operations = inductor_operators().operations;
  const auto found = operations.find(operator_name);
  return found == operations.end() ? 0 : found->second;
}
}  // namespace kinetoscope::perf_model
