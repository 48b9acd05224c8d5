#pragma once

// A sheet whose texts tell neither who nor where: --redact holds in files, too.

#include "core/report/redact.hpp"
#include "core/report/sheet.hpp"

namespace kinetoscope::report {

/// `redactor` must outlive the sheet. Each cell costs what Redactor::text() does.
[[nodiscard]] Sheet redacted(Sheet sheet, const Redactor& redactor);
}  // namespace kinetoscope::report
