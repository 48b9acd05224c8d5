#include "server/mcp/message_limits.hpp"

#include <utility>

#include <fmt/format.h>

#include "server/mcp/message.hpp"

namespace kinetoscope::mcp {

bool MessageLimits::key(string_t&) {
  if (++members_.back() <= most_members) return true;
  return exceed(fmt::format("an object with more than {} members", most_members));
}

bool MessageLimits::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
  problem_ = fmt::format("byte {} does not fit", position);
  return false;
}

bool MessageLimits::enter() {
  members_.push_back(0);
  if (members_.size() <= static_cast<std::size_t>(deepest_nesting)) return true;
  return exceed(fmt::format("nested deeper than {}", deepest_nesting));
}

bool MessageLimits::leave() {
  members_.pop_back();
  return true;
}

bool MessageLimits::exceed(std::string problem) {
  is_exceeded_ = true;
  problem_ = std::move(problem);
  return false;
}
}  // namespace kinetoscope::mcp
