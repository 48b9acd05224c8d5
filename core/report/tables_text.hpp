#pragma once

// What `tables` prints for people: where the time went, then the files, and what was left out and why. Nothing here
// computes; foreign names are made printable.

#include <string>

#include "core/report/tables_json.hpp"

namespace kinetoscope::report {

[[nodiscard]] std::string tables_text(const TablesResult& result, bool is_coloured);
/// What each sheet and column means.
[[nodiscard]] std::string described_sheets_text(bool is_coloured);
}  // namespace kinetoscope::report
