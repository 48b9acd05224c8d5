#pragma once

// How long some GPU work below a launcher ran. Launchers stand inside one another, in hostile files 100,000 deep, so
// their times are not each measured anew: what ran inside a child is joined to what ran inside its parent, the smaller
// set into the larger, and each interval moves log n times at the most.

#include <span>

#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

struct Launcher;

/// Sets subtree_ns of `launchers`, which rise by node and have their direct_ns: the same where a launcher's subtree has
/// no other work. O(n log n) for the events below launchers that have other work below them, O(1) for all others.
void measure_subtrees(const TableInput& input, std::span<Launcher> launchers);
}  // namespace kinetoscope::analysis
