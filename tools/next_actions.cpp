#include "tools/next_actions.hpp"

#include <utility>

namespace kinetoscope::tools {

Json next_action(const char* tool, Json arguments, const char* why) {
  return {{"tool", tool}, {"arguments", std::move(arguments)}, {"why", why}};
}

Json next_actions(const analysis::FitnessReport& fitness, const std::string& trace_id) {
  const Json of_trace = {{"trace_id", trace_id}};
  Json actions = Json::array();
  actions.push_back(next_action("overview", of_trace, "where the GPU's time went, by category and operator"));
  if (fitness.of(analysis::Question::roofline).verdict != analysis::Verdict::no) {
    actions.push_back(next_action("roofline", of_trace, "what could be recovered, and how much of the peak was used"));
  }
  return actions;
}
}  // namespace kinetoscope::tools
