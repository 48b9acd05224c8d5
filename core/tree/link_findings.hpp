#pragma once

// What there is to say once GPU work is linked: dependencies that arrows between GPU events draw, arrows that disagree
// with the ids, and how each link was found.

#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/tree/launch_ids.hpp"
#include "core/tree/link_table.hpp"
#include "core/tree/runtime_call_table.hpp"

namespace kinetoscope {

/// The dependencies, in the order of their arrows. Counts arrows that disagree. O(events), and O(m log m) for m GPU
/// events where arrows stand between them.
[[nodiscard]] std::vector<KernelEdge> follow_arrows(const Trace& trace, const LaunchIds& ids, const LinkTable& table,
                                                    Diagnostics& diagnostics);
/// Counts the links by how they were found, and what is not linked.
void count_links(const Trace& trace, const RuntimeCallTable& calls, const LaunchIds& ids, const LinkTable& table,
                 Diagnostics& diagnostics);
}  // namespace kinetoscope
