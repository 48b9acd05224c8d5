#include "core/report/inductor_cache.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/info_parts.hpp"
#include "core/report/text_parts.hpp"

namespace kinetoscope::report {

Json inductor_cache_json(const perf_model::CompiledKernels& compiled) {
  const perf_model::CompiledFolder* const folder = compiled.folder();
  if (folder == nullptr) return nullptr;
  Json names = Json::array();
  for (const std::string& name : folder->ambiguous) {
    if (names.size() == most_ambiguous_shown) break;
    names.push_back(text_json(name));
  }
  const auto first = [](std::uint64_t count, const std::string& name) {
    return count > 0 ? text_json(name) : Json(nullptr);
  };
  return {{"files", folder->files},
          {"kernels", folder->kernels.size()},
          {"ambiguous_total", folder->ambiguous.size()},
          {"ambiguous", std::move(names)},
          {"not_understood", folder->not_understood},
          {"first_not_understood", first(folder->not_understood, folder->first_not_understood)},
          {"left_out", folder->left_out.count},
          {"first_left_out", first(folder->left_out.count, folder->left_out.first)}};
}

std::string inductor_cache_text(const perf_model::CompiledKernels& compiled) {
  const perf_model::CompiledFolder* const folder = compiled.folder();
  if (folder == nullptr) return "";
  std::string out = fmt::format("  Inductor cache: {} kernels in {} files, for calls without arguments\n",
                                number(folder->kernels.size()), number(folder->files));
  const std::size_t ambiguous = folder->ambiguous.size();
  for (std::size_t i = 0; i < ambiguous && i < most_ambiguous_shown; ++i) {
    out += i == 0 ? fmt::format("    ambiguous names, not used: {}, ", number(ambiguous)) : ", ";
    out += printable(folder->ambiguous[i]);
  }
  if (ambiguous > 0) out += ambiguous > most_ambiguous_shown ? ", …\n" : "\n";
  if (folder->not_understood > 0) {
    out += fmt::format("    kernels not understood: {}, the first in {}\n", number(folder->not_understood),
                       printable(folder->first_not_understood));
  }
  if (folder->left_out.count > 0) {
    out += fmt::format("    not read (links, too large, too deep, unreadable): {}, the first {}\n",
                       number(folder->left_out.count), printable(folder->left_out.first));
  }
  return out;
}
}  // namespace kinetoscope::report
