#include "core/report/json.hpp"

namespace kinetoscope::report {
namespace {

constexpr int indentation = 2;
}  // namespace

std::string json_text(const Json& document) {
  return document.dump(indentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string one_line(const Json& document) { return document.dump(-1, ' ', false, Json::error_handler_t::replace); }
}  // namespace kinetoscope::report
