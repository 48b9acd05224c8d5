#include "core/report/held_against.hpp"

#include <vector>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/info_parts.hpp"
#include "core/report/text_table.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t longest_platform_sentence = 600;

Json sentences_json(const std::vector<std::string>& sentences) {
  Json out = Json::array();
  for (const std::string& sentence : sentences) out.push_back(text_json(sentence));
  return out;
}

Json ceilings_json(const perf_model::Platform& platform) {
  Json out = Json::array();
  for (const std::string& spec : perf_model::compute_specs()) {
    const perf_model::Ceiling ceiling = ceiling_of(platform, spec);
    if (!ceiling.figure) continue;
    out.push_back({{"spec", spec},
                   {"tflops", number_json(ceiling.figure->value)},
                   {"kind", spelling_of(ceiling.figure->kind)},
                   {"answered_by", ceiling.answered_by}});
  }
  return out;
}

std::string main_line(const analysis::HeldAgainst& held) {
  if (!held.platform) return fmt::format("No rooflines: {}", printable(held.reason, longest_platform_sentence));
  return fmt::format("Rooflines of {}, {}", printable(held.platform->name),
                     held.source == analysis::PlatformSource::named ? "as named" : "as the trace says");
}
}  // namespace

Json held_against_json(const analysis::HeldAgainst& held) {
  Json out;
  out["source"] = spelling_of(held.source);
  out["name"] = held.platform ? text_json(held.platform->name) : Json(nullptr);
  out["reason"] = held.platform ? Json(nullptr) : text_json(held.reason);
  out["mem_bw_gbps"] = held.platform ? number_json(held.platform->mem_bw_gbps.value) : Json(nullptr);
  out["ceilings"] = held.platform ? ceilings_json(*held.platform) : Json::array();
  out["notes"] = sentences_json(held.notes);
  out["warnings"] = sentences_json(held.warnings);
  return out;
}

std::string held_against_text(const analysis::HeldAgainst& held, bool is_coloured) {
  std::string out = "  " + main_line(held) + "\n";
  for (const std::string& note : held.notes) out += fmt::format("  {}\n", printable(note, longest_platform_sentence));
  for (const std::string& warning : held.warnings) {
    const std::string line = "  warning: " + printable(warning, longest_platform_sentence) + "\n";
    out += painted(line, Colour::doubtful, is_coloured);
  }
  return out;
}
}  // namespace kinetoscope::report
