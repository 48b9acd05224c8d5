#pragma once

// What a trace has for each kind of scope condition, as text: what a user is told whose scope matches nothing.

#include <span>
#include <string>

#include "core/tree/call_tree.hpp"
#include "core/tree/scope.hpp"
#include "core/tree/steps.hpp"

namespace kinetoscope {

/// A clause such as "there are ProfilerStep#3 to ProfilerStep#5" or "the trace has no module calls". O(events).
[[nodiscard]] std::string choices_for(const ScopeCondition& condition, const CallTree& tree,
                                      std::span<const Step> steps);
}  // namespace kinetoscope
