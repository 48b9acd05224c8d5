#pragma once

// A trace in memory from a document's text, with everything its tree needs.

#include <string>
#include <utility>

#include "core/io/memory_source.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope {

[[nodiscard]] inline Trace trace_of(std::string text) {
  io::MemorySource source(std::move(text));
  return import_kineto(source);
}

/// A document of these events.
[[nodiscard]] inline std::string document(const std::string& events) { return R"({"traceEvents": [)" + events + "]}"; }
}  // namespace kinetoscope
