#pragma once

// Fitness verdicts of traces given as text or as files, for tests: what the program does between bytes and verdict.

#include <memory>
#include <string>
#include <string_view>

#include "core/io/memory_source.hpp"
#include "core/io/open_input.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/fitness.hpp"

namespace kinetoscope::analysis {

/// What stands between bytes and verdicts; the trace does not move once the tree is built on it.
struct Assessed {
  std::unique_ptr<const Trace> trace;
  std::unique_ptr<const CallTree> tree;
  std::unique_ptr<const Steps> steps;
  FitnessReport report;

  [[nodiscard]] const Fitness& of(Question question) const { return report.of(question); }
  /// A figure of a question; -1, which no figure is, where there is none.
  [[nodiscard]] double figure(Question question, std::string_view name) const {
    for (const FitnessFigure& figure : report.of(question).figures) {
      if (figure.name == name) return figure.value;
    }
    return -1;
  }
};

/// Whether a text has a piece.
inline bool holds(const std::string& text, std::string_view piece) { return text.find(piece) != std::string::npos; }

inline Assessed assessed(io::ByteSource& source) {
  Assessed out;
  out.trace = std::make_unique<const Trace>(import_kineto(source));
  out.tree = std::make_unique<const CallTree>(CallTree::build(*out.trace));
  out.steps = std::make_unique<const Steps>(Steps::find(*out.tree));
  out.report = assess_fitness(*out.tree, *out.steps, GpuBuckets(*out.trace));
  return out;
}

inline Assessed assessed_text(const std::string& text) {
  io::MemorySource source(text);
  return assessed(source);
}

inline Assessed assessed_file(const std::string& path) {
  const io::Input input = io::open_input(path);
  return assessed(*input.source);
}
}  // namespace kinetoscope::analysis
