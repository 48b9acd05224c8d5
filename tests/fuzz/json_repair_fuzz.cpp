// A repair is valid JSON, a cut lies within its text, and both agree on what is whole. Valid JSON is cut at its own
// end.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/io/event_cutter.hpp"
#include "core/io/json_repair.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetoscope::io;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Cut cut = cut_event(text);
  if (cut.length > text.size()) std::abort();
  const bool is_whole = cut.result == CutResult::complete && cut.length == text.size();
  const bool is_container = text.starts_with('{') || text.starts_with('[');
  const bool has_end = text.find_last_not_of(" \t\r\n") + 1 == text.size();
  // The library that judges takes a zero byte for the end.
  const bool can_be_judged = is_container && has_end && text.find('\0') == std::string_view::npos;
  if (can_be_judged && nlohmann::json::accept(text) && !is_whole) std::abort();
  const auto repair = repair_event(text);
  if (has_end && is_whole != repair.has_value()) std::abort();
  if (repair && !nlohmann::json::accept(repair->text)) std::abort();
  return 0;
}
