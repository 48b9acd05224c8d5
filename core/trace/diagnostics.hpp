#pragma once

// What can be wrong with a trace as it is read. Kinds of damage to bytes and JSON values: core/io/diagnostics.hpp;
// kinds found while linking and nesting: core/tree/diagnostics.hpp.

#include "core/base/diagnostics.hpp"

namespace kinetoscope::trace_diagnostics {

inline constexpr DiagnosticKind truncated_json = {
    "truncated_json", Severity::partial, "the document ends inside an event: the complete events before it are used"};
inline constexpr DiagnosticKind unterminated_root = {"unterminated_root", Severity::partial,
                                                     "the document ends between events, without its closing brackets"};
inline constexpr DiagnosticKind broken_json = {"broken_json", Severity::partial,
                                               "the JSON is broken here beyond repair: the events before it are used"};
inline constexpr DiagnosticKind oversized_event = {
    "oversized_event", Severity::partial,
    "an event of more bytes than are held (256 MiB): the events before it are used"};
inline constexpr DiagnosticKind bytes_after_root = {"bytes_after_root", Severity::note,
                                                    "text after the end of the document: ignored"};
inline constexpr DiagnosticKind nested_trace_events = {
    "nested_trace_events", Severity::note,
    "traceEvents held an object that held traceEvents again: the inner one is used"};
inline constexpr DiagnosticKind repeated_trace_events = {
    "repeated_trace_events", Severity::note,
    "traceEvents stands there more than once: all lists are used, one after another"};
inline constexpr DiagnosticKind unexpected_phase = {
    "unexpected_phase", Severity::warning, "calls or GPU work of a phase that has no duration: kept, not used"};
inline constexpr DiagnosticKind unusable_value = {
    "unusable_value", Severity::note, "values of another kind than their field's: kept as they are, not used"};
inline constexpr DiagnosticKind not_an_event = {"not_an_event", Severity::note,
                                                "an element that is no object: it keeps its number, and is ignored"};
inline constexpr DiagnosticKind invalid_metadata = {"invalid_metadata", Severity::note,
                                                    "a top-level value that is not valid JSON: ignored"};

inline constexpr DiagnosticKind oversized_metadata = {"oversized_metadata", Severity::note,
                                                      "top-level values of more than 16 MiB: passed over"};

inline constexpr DiagnosticKind time_rounded = {"time_rounded", Severity::note,
                                                "more than three decimals: rounded half to even to the nanosecond"};
inline constexpr DiagnosticKind time_out_of_range = {
    "time_out_of_range", Severity::warning,
    "a start, duration or end that does not fit: unknown, the event is counted, its time is not"};
inline constexpr DiagnosticKind negative_timestamp = {"negative_timestamp", Severity::note,
                                                      "events before the clock's base: used as they are"};
inline constexpr DiagnosticKind negative_duration = {"negative_duration", Severity::warning,
                                                     "duration below zero: the event is counted, its time is not"};
inline constexpr DiagnosticKind zero_timestamp_kernel = {"zero_timestamp_kernel", Severity::warning,
                                                         "GPU work with start and duration 0: counted, not timed"};
inline constexpr DiagnosticKind suspect_duration = {
    "suspect_duration", Severity::warning,
    "work that spans later work of its own stream: durations are kept, an estimate ends at the next start"};
inline constexpr DiagnosticKind text_number = {"text_number", Severity::note,
                                               "numbers written as text: read as numbers"};
inline constexpr DiagnosticKind wide_integer = {"wide_integer", Severity::note,
                                                "integers beyond 64 bits signed: kept exactly"};
inline constexpr DiagnosticKind invalid_number = {"invalid_number", Severity::warning,
                                                  "a value that is no number where one belongs: missing"};

inline constexpr DiagnosticKind time_missing = {
    "time_missing", Severity::warning,
    "events without the start or duration that they need: counted, their time is not"};

inline constexpr DiagnosticKind unidentified_event = {
    "unidentified_event", Severity::note, "events with neither name nor category: kept, neither host nor GPU work"};
inline constexpr DiagnosticKind phase_missing = {"phase_missing", Severity::note,
                                                 "events without phase: read as complete ones of their category"};
inline constexpr DiagnosticKind unknown_category = {
    "unknown_category", Severity::note, "events of categories unknown here: kept, neither host nor GPU work"};
inline constexpr DiagnosticKind category_missing = {
    "category_missing", Severity::note,
    "events without category: taken for host calls, or for GPU work by their process"};
inline constexpr DiagnosticKind unknown_metadata_event = {"unknown_metadata_event", Severity::note,
                                                          "metadata events of unknown names: ignored"};
inline constexpr DiagnosticKind begin_end_event = {
    "begin_end_event", Severity::note,
    "begin and end events: paired by thread where they match, else without duration"};
inline constexpr DiagnosticKind rank_unknown = {"rank_unknown", Severity::note,
                                                "the trace does not say its rank: left unknown"};
inline constexpr DiagnosticKind elided_metadata = {"elided_metadata", Severity::note,
                                                   "lists the profiler wrote in part only: sums over them are unknown"};
inline constexpr DiagnosticKind missing_collective_metadata = {
    "missing_collective_metadata", Severity::note, "collectives without group or size: listed, without bandwidth"};
inline constexpr DiagnosticKind shapes_unavailable = {
    "shapes_unavailable", Severity::note, "tensor lists whose shapes the profiler left out: unknown, not scalars"};
inline constexpr DiagnosticKind event_cap_suspected = {
    "event_cap_suspected", Severity::warning, "a round number of events: the exporter may have stopped at its limit"};
inline constexpr DiagnosticKind sampling_may_shift_durations = {
    "sampling_may_shift_durations", Severity::note, "hardware counters were sampled: clocks may have been locked"};
}  // namespace kinetoscope::trace_diagnostics
