#pragma once

// What can be wrong with a trace's structure: nesting, links between host and device, steps.

#include "core/base/diagnostics.hpp"

namespace kinetoscope::tree_diagnostics {

inline constexpr DiagnosticKind nesting_repaired = {
    "nesting_repaired", Severity::note, "calls that overlap without nesting: attached to the deepest call around them"};
inline constexpr DiagnosticKind correlation_collision = {
    "correlation_collision", Severity::note,
    "launches that share a correlation id: told apart by arrow order and device"};
inline constexpr DiagnosticKind ambiguous_correlation = {"ambiguous_correlation", Severity::warning,
                                                         "GPU work whose launch cannot be told: left unlinked"};
inline constexpr DiagnosticKind unlinked_kernel = {"unlinked_kernel", Severity::warning,
                                                   "GPU work without a launch in this trace: listed apart"};
inline constexpr DiagnosticKind linked_without_flow = {"linked_without_flow", Severity::note,
                                                       "GPU work linked by correlation id alone, without an arrow"};
inline constexpr DiagnosticKind linked_by_flow = {"linked_by_flow", Severity::note,
                                                  "GPU work without correlation id: linked by its arrow"};
inline constexpr DiagnosticKind linked_by_external_id = {
    "linked_by_external_id", Severity::note, "GPU work without correlation id or arrow: linked by External id"};
inline constexpr DiagnosticKind flow_disagrees = {
    "flow_disagrees", Severity::note, "arrows that name another launch than the correlation id: not followed"};
inline constexpr DiagnosticKind flow_target_missing = {"flow_target_missing", Severity::note,
                                                       "arrows that end where no event is: not followed"};
inline constexpr DiagnosticKind kernel_before_launch = {"kernel_before_launch", Severity::warning,
                                                        "GPU work that starts before its launch: clocks disagree"};
inline constexpr DiagnosticKind launch_without_kernel = {"launch_without_kernel", Severity::warning,
                                                         "launches without recorded GPU work: totals are too low"};
inline constexpr DiagnosticKind graph_launch_without_kernels = {
    "graph_launch_without_kernels", Severity::warning, "graph launches without recorded GPU work: totals are too low"};
inline constexpr DiagnosticKind graph_replayed_kernels = {
    "graph_replayed_kernels", Severity::note, "GPU work replayed by graph launches: no operator launched it"};
inline constexpr DiagnosticKind no_gpu_events = {"no_gpu_events", Severity::warning,
                                                 "the trace holds no GPU work: host tables only"};
inline constexpr DiagnosticKind graph_capture_trace = {
    "graph_capture_trace", Severity::note, "launches were captured into a graph, not run: this is no run to analyse"};
inline constexpr DiagnosticKind step_annotation_mismatch = {
    "step_annotation_mismatch", Severity::warning,
    "steps whose GPU annotation covers other work than they launched: work is attributed by launch"};
inline constexpr DiagnosticKind step_annotation_unmatched = {"step_annotation_unmatched", Severity::note,
                                                             "annotations that look like steps but fit no known form"};
inline constexpr DiagnosticKind scope_beyond_steps = {
    "scope_beyond_steps", Severity::note, "steps of the scope that the trace does not have: the others are looked at"};
inline constexpr DiagnosticKind ambiguous_backward = {
    "ambiguous_backward", Severity::note,
    "several backward calls of one sequence number: told apart by arrows or order"};
inline constexpr DiagnosticKind pseudo_operator_refused = {
    "pseudo_operator_refused", Severity::note,
    "kernels that share a launch with other GPU work: no operator of their own was put around them"};
}  // namespace kinetoscope::tree_diagnostics
