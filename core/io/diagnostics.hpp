#pragma once

// What can be wrong with bytes: damaged compression, and defects inside single JSON values.

#include "core/base/diagnostics.hpp"

namespace kinetoscope::io_diagnostics {

inline constexpr DiagnosticKind truncated_gzip = {"truncated_gzip", Severity::partial,
                                                  "the gzip stream ends early: what was inflated is used"};
inline constexpr DiagnosticKind truncated_zstd = {"truncated_zstd", Severity::partial,
                                                  "the zstd stream ends early: what was decompressed is used"};
inline constexpr DiagnosticKind truncated_zip = {"truncated_zip", Severity::partial,
                                                 "the zip archive ends inside the member: what it holds of it is used"};
inline constexpr DiagnosticKind missing_zip_directory = {
    "missing_zip_directory", Severity::note,
    "the zip archive is cut before its directory: the first member that looks like a trace is read"};
inline constexpr DiagnosticKind oversized_zstd_window = {
    "oversized_zstd_window", Severity::partial,
    "a later zstd frame asks for a window above 128 MB: what came before it is used"};
inline constexpr DiagnosticKind corrupt_compression = {
    "corrupt_compression", Severity::partial, "the compressed data is damaged: what came before the damage is used"};
inline constexpr DiagnosticKind trailing_bytes = {"trailing_bytes", Severity::note,
                                                  "bytes after the end of the compressed data: ignored"};
inline constexpr DiagnosticKind several_zip_members = {
    "several_zip_members", Severity::note, "further members of the zip archive look like traces: the largest is read"};

inline constexpr DiagnosticKind invalid_escape_repaired = {
    "invalid_escape_repaired", Severity::note, "strings with an invalid escape: every backslash in them is literal"};
inline constexpr DiagnosticKind raw_control_characters = {"raw_control_characters", Severity::note,
                                                          "control characters inside strings: kept"};
inline constexpr DiagnosticKind invalid_utf8_replaced = {"invalid_utf8_replaced", Severity::note,
                                                         "invalid UTF-8: each ill-formed sequence is U+FFFD"};
inline constexpr DiagnosticKind unescaped_quotes = {"unescaped_quotes", Severity::note,
                                                    "quotes inside strings without a backslash: kept as text"};
inline constexpr DiagnosticKind nonfinite_number = {"nonfinite_number", Severity::note,
                                                    "infinity or not-a-number: the value is missing"};
inline constexpr DiagnosticKind trailing_comma = {"trailing_comma", Severity::note, "superfluous commas: ignored"};
inline constexpr DiagnosticKind missing_comma = {"missing_comma", Severity::note,
                                                 "events without a comma between them: read all the same"};
inline constexpr DiagnosticKind invalid_literal = {
    "invalid_literal", Severity::note,
    "words and numbers that JSON does not know: read where their meaning is plain, else the value is missing"};
}  // namespace kinetoscope::io_diagnostics
