#pragma once

// Scenes of recorded traces. Most tests over all of them ask other questions of the same traces, so that each is read
// once for all tests of the program: under sanitizers, reading takes longer than all that is asked.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {

/// What scenes of one trace share; valid to the end of the program.
inline const SceneParts& recorded_parts(std::string_view name, bool has_pseudo_operators) {
  static std::map<std::pair<std::string, bool>, SceneParts> read;
  const std::pair key(std::string(name), has_pseudo_operators);
  const auto found = read.find(key);
  if (found != read.end()) return found->second;
  std::shared_ptr<const Trace> trace =
      has_pseudo_operators ? recorded_parts(name, false).trace : std::make_shared<const Trace>(shared_trace(name));
  return read.emplace(key, scene_parts(std::move(trace), has_pseudo_operators)).first->second;
}

/// `name` as shared_trace() takes it. Fails the test where the trace is absent.
inline TableScene recorded_scene(std::string_view name, const TableOptions& options = {}) {
  return TableScene(recorded_parts(name, options.has_pseudo_operators), options);
}
inline const Trace& recorded_trace(std::string_view name) { return *recorded_parts(name, false).trace; }
}  // namespace kinetoscope::analysis
