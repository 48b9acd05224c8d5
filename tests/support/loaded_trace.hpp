#pragma once

// A trace in memory from a document's text, or from one of the shared inputs, with everything its tree needs.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "core/io/memory_source.hpp"
#include "core/io/open_input.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope {

[[nodiscard]] inline Trace trace_of(std::string text) {
  io::MemorySource source(std::move(text));
  return import_kineto(source);
}

/// A file of the shared folder's `field_inputs`; fails the test when it is absent.
[[nodiscard]] inline std::string field_input(std::string_view file_name) {
  const char* const named = std::getenv("KINETOSCOPE_SHARED");
  const std::filesystem::path folder = named != nullptr && *named != '\0' ? named : "../shared";
  const std::filesystem::path path = folder / "field_inputs" / file_name;
  INFO("KINETOSCOPE_SHARED names the folder of inputs; looked for " << path.string());
  REQUIRE(std::filesystem::exists(path));
  return path.string();
}

[[nodiscard]] inline Trace field_trace(std::string_view file_name) {
  const io::Input input = io::open_input(field_input(file_name));
  return import_kineto(*input.source);
}

/// The first event of a name; fails the test when there is none.
[[nodiscard]] inline EventId event_of(const Trace& trace, std::string_view name) {
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (trace.name_text(id_at<EventId>(i)) == name) return id_at<EventId>(i);
  }
  FAIL("no event is named \"" << std::string(name) << "\"");
  return no_event;
}
}  // namespace kinetoscope
