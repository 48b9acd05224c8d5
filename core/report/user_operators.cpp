#include "core/report/user_operators.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/info_parts.hpp"
#include "core/report/text_parts.hpp"

namespace kinetoscope::report {

Json user_operators_json(const perf_model::OperatorSet& operators) {
  if (operators.added().empty()) return nullptr;
  const std::vector<std::string_view> replaced = operators.replaced();
  Json names = Json::array();
  for (const std::string_view name : replaced) {
    if (names.size() == most_replaced_shown) break;
    names.push_back(text_json(name));
  }
  return {{"operators", operators.added().size()}, {"replaced_total", replaced.size()}, {"replaced", std::move(names)}};
}

std::string user_operators_text(const perf_model::OperatorSet& operators) {
  if (operators.added().empty()) return "";
  std::string out = fmt::format("  {} operators by --operators", number(operators.added().size()));
  const std::vector<std::string_view> replaced = operators.replaced();
  for (std::size_t i = 0; i < replaced.size() && i < most_replaced_shown; ++i) {
    out += (i == 0 ? ", in place of what is known of " : ", ") + printable(replaced[i]);
  }
  if (replaced.size() > most_replaced_shown) {
    out += fmt::format(" and {} more", number(replaced.size() - most_replaced_shown));
  }
  return out + "\n";
}
}  // namespace kinetoscope::report
