// What holds of the fitness of any trace: over all shared traces, and over all that the generator makes.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/analysis/fitness.hpp"
#include "examples/generator/catalogue.hpp"
#include "examples/generator/scenarios.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/assessed.hpp"

namespace kinetoscope::analysis {
namespace {

std::vector<std::string> shared_files(std::string_view folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_file(folder))) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.find(".json") != std::string::npos && name != "execution_details.json") {
      files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  REQUIRE_FALSE(files.empty());
  return files;
}

/// Numbers that no reason may hold.
bool has_senseless_number(const std::string& reason) {
  for (const std::string_view senseless :
       {"nan", "inf ", "-nan", " -0", " -1", " -2", " -3", " -4", " -5", " -6", " -7", " -8", " -9"}) {
    if (reason.find(senseless) != std::string::npos) return true;
  }
  return false;
}

void check_sound(const Assessed& trace) {
  for (std::size_t i = 0; i < question_count; ++i) {
    const Fitness& fitness = trace.report.questions[i];
    CAPTURE(spelling_of(static_cast<Question>(i)));
    CAPTURE(fitness.reason);
    CHECK_FALSE(fitness.reason.empty());
    CHECK(fitness.reason.back() == '.');
    CHECK_FALSE(has_senseless_number(fitness.reason));
    for (const FitnessFigure& figure : fitness.figures) {
      CAPTURE(figure.name);
      CHECK(std::isfinite(figure.value));
      CHECK(figure.value >= 0);
      if (figure.name.ends_with("_share")) CHECK(figure.value <= 1);
    }
    CHECK(fitness.record.size() == (fitness.verdict == Verdict::yes ? 0 : 5));
    for (const RecordAdvice& advice : fitness.record) CHECK_FALSE(advice.lines.empty());
  }
  CHECK(trace.figure(Question::idle, "idle_lower_ns") <= trace.figure(Question::idle, "idle_upper_ns"));
  if (!trace.report.usable_window) return;
  CHECK(trace.report.usable_window->first_step <= trace.report.usable_window->last_step);
  CHECK(index_of(trace.report.usable_window->last_step) < trace.steps->steps().size());
}

/// yes < partly < no.
void check_no_better(const Assessed& less, const Assessed& more) {
  for (std::size_t i = 0; i < question_count; ++i) {
    CAPTURE(spelling_of(static_cast<Question>(i)));
    CHECK(less.report.questions[i].verdict >= more.report.questions[i].verdict);
  }
}
}  // namespace

TEST_CASE("fitness: every shared trace has sound verdicts") {
  for (const std::string& file : shared_files("traces")) {
    CAPTURE(file);
    check_sound(assessed_file(file));
  }
}

TEST_CASE("fitness: every shared input that can be read has sound verdicts") {
  for (const std::string& file : shared_files("field_inputs")) {
    CAPTURE(file);
    try {
      check_sound(assessed_file(file));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::empty_input);
    }
  }
}

TEST_CASE("fitness: every generated trace has sound verdicts") {
  for (const examples::Story& story : examples::stories()) {
    CAPTURE(story.name);
    check_sound(assessed_text(story.make().text));
  }
  examples::TraceOptions options;
  options.steps = 5;
  for (const examples::Scenario& scenario : examples::scenarios()) {
    CAPTURE(scenario.name);
    check_sound(assessed_text(scenario.make(options).text));
  }
}

TEST_CASE("fitness: recording less never answers more") {
  examples::TraceOptions all;
  all.steps = 5;
  all.stacks = all.modules = all.memory_events = all.collectives = true;
  const Assessed whole = assessed_text(examples::training_trace(all).text);
  const auto without = [&](auto change) {
    examples::TraceOptions less = all;
    change(less);
    return assessed_text(examples::training_trace(less).text);
  };
  check_no_better(without([](examples::TraceOptions& less) { less.shapes = false; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.stacks = less.modules = false; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.memory_events = false; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.steps = 1; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.features.elided_lists = true; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.features.counters = true; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.activities = examples::Activities::device; }), whole);
  check_no_better(without([](examples::TraceOptions& less) { less.activities = examples::Activities::host; }), whole);
}

TEST_CASE("fitness: lost replays never answer more, and lower the bound below the idle time") {
  examples::TraceOptions options;
  options.steps = 12;
  std::int64_t lower_ns = INT64_MAX;
  Verdict idle = Verdict::yes;
  for (const std::int64_t recorded : {12, 9, 6, 3}) {
    const Assessed trace = assessed_text(
        examples::decode_trace(options, {.graph_launches_recorded = recorded, .has_prefill = false}).text);
    CAPTURE(recorded);
    const auto bound_ns = static_cast<std::int64_t>(trace.figure(Question::idle, "idle_lower_ns"));
    CHECK(bound_ns <= lower_ns);
    CHECK(trace.of(Question::idle).verdict >= idle);
    lower_ns = bound_ns;
    idle = trace.of(Question::idle).verdict;
  }
  CHECK(idle == Verdict::no);
}

TEST_CASE("fitness: the same trace has the same report") {
  const std::string text = examples::decode_trace({}).text;
  const Assessed first = assessed_text(text);
  const Assessed second = assessed_text(text);
  CHECK(first.report.questions == second.report.questions);
}
}  // namespace kinetoscope::analysis
