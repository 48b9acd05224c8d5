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
  const bool is_container = text.starts_with('{') || text.starts_with('[');
  const bool is_whole = cut.result == CutResult::complete && cut.length == text.size();
  if (is_container && text.find_last_not_of(" \t\r\n") + 1 == text.size() && nlohmann::json::accept(text) && !is_whole)
    std::abort();
  const auto repair = repair_event(text);
  if (is_whole != (repair && !text.empty() && text.find_last_not_of(" \t\r\n") + 1 == text.size())) std::abort();
  if (repair && !nlohmann::json::accept(repair->text)) std::abort();
  return 0;
}
