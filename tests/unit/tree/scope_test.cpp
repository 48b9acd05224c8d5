#include "core/tree/scope.hpp"

#include <string>

#include <doctest/doctest.h>

#include "core/base/error.hpp"

namespace kinetoscope {
namespace {

Failure failure_of(std::string_view text) {
  try {
    static_cast<void>(parse_scope(text));
  } catch (const Error& error) {
    return error.failure();
  }
  FAIL("accepted: ", std::string(text));
  return {};
}

Scope one(ScopeCondition condition) { return Scope{{std::move(condition)}}; }
}  // namespace

TEST_CASE("scope: each form of condition is read, and written so that it reads the same") {
  struct Case {
    std::string_view text;
    Scope scope;
    std::string_view written;
  };
  const Case cases[] = {
      {"all", {}, "all"},
      {" all , stream:7", one(StreamNumber{7}), "stream:7"},
      {"step:3", one(StepRange{3, 3}), "step:3"},
      {"step:3-5", one(StepRange{3, 5}), "step:3-5"},
      {"ProfilerStep#12", one(AnnotationName{"ProfilerStep#12"}), "ProfilerStep#12"},
      {"step[DECODE bs=4]", one(AnnotationName{"step[DECODE bs=4]"}), "step[DECODE bs=4]"},
      {"nccl:all_reduce", one(AnnotationName{"nccl:all_reduce"}), "annotation:nccl:all_reduce"},
      {"annotation:step:3", one(AnnotationName{"step:3"}), "annotation:step:3"},
      {"annotation:all", one(AnnotationName{"all"}), "annotation:all"},
      {"phase:decode", one(PhaseOfSteps{names::StepPhase::decode_only}), "phase:decode"},
      {"phase:decode_only", one(PhaseOfSteps{names::StepPhase::decode_only}), "phase:decode"},
      {"phase:prefill", one(PhaseOfSteps{names::StepPhase::prefill_only}), "phase:prefill"},
      {"phase:mixed", one(PhaseOfSteps{names::StepPhase::prefilldecode}), "phase:mixed"},
      {"phase:idle", one(PhaseOfSteps{names::StepPhase::idle}), "phase:idle"},
      {"module:Linear", one(ModuleName{"Linear"}), "module:Linear"},
      {"module:nn.Module: Linear_3", one(ModuleName{"nn.Module: Linear_3"}), "module:nn.Module: Linear_3"},
      {"stream:-1", one(StreamNumber{-1}), "stream:-1"},
      {"device:0", one(DeviceNumber{0}), "device:0"},
      {"window:1.2ms-3.4ms", one(TimeWindow{{1'200'000, 3'400'000}}), "window:1200us-3400us"},
      {"window:0us-0.001us", one(TimeWindow{{0, 1}}), "window:0s-1ns"},
      {"window:1s-2s", one(TimeWindow{{1'000'000'000, 2'000'000'000}}), "window:1s-2s"},
      {"window:5ns-1.000001ms", one(TimeWindow{{5, 1'000'001}}), "window:5ns-1000001ns"},
      {"step:3-5, stream:7", {{StepRange{3, 5}, StreamNumber{7}}}, "step:3-5,stream:7"},
  };
  for (const Case& row : cases) {
    CAPTURE(std::string(row.text));
    CHECK(parse_scope(row.text) == row.scope);
    CHECK(text_of(row.scope) == row.written);
    CHECK(parse_scope(row.written) == row.scope);
  }
}

TEST_CASE("scope: what fits no form is refused with the condition at fault and what is accepted") {
  struct Case {
    std::string_view text;
    std::string_view received;
    std::string_view problem;
  };
  const Case cases[] = {
      {"", "", "the scope is empty"},
      {"  ", "  ", "the scope is empty"},
      {"step:", "step:", "positions of steps are whole numbers"},
      {"step:x", "step:x", "positions of steps are whole numbers"},
      {"step:-1", "step:-1", "positions of steps are whole numbers"},
      {"step:99999999999999999999", "step:99999999999999999999", "positions of steps are whole numbers"},
      {"step:5-3", "step:5-3", "the last step stands before the first"},
      {"stream:7,phase:decoding", "phase:decoding", "no phase has this name"},
      {"module:", "module:", "the name is empty"},
      {"annotation:", "annotation:", "the name is empty"},
      {"stream:seven", "stream:seven", "the number is not whole"},
      {"device:0x1", "device:0x1", "the number is not whole"},
      {"stream:7,", "", "a condition is empty"},
      {",", "", "a condition is empty"},
      {"window:1ms", "window:1ms", "a window has two ends"},
      {"window:1-2ms", "window:1-2ms", "both ends are times in whole nanoseconds, with a unit"},
      {"window:0.5ns-2ns", "window:0.5ns-2ns", "both ends are times in whole nanoseconds, with a unit"},
      {"window:1e3ms-2e3ms", "window:1e3ms-2e3ms", "both ends are times in whole nanoseconds, with a unit"},
      {"window:ms-2ms", "window:ms-2ms", "both ends are times in whole nanoseconds, with a unit"},
      {"window:1ms-99999999999999s", "window:1ms-99999999999999s",
       "both ends are times in whole nanoseconds, with a unit"},
      {"window:2ms-1ms", "window:2ms-1ms", "the window is empty"},
      {"window:2ms-2ms", "window:2ms-2ms", "the window is empty"},
  };
  for (const Case& row : cases) {
    CAPTURE(std::string(row.text));
    const Failure failure = failure_of(row.text);
    CHECK(failure.code == ErrorCode::scope_invalid);
    CHECK(failure.argument == "scope");
    CHECK(failure.received == row.received);
    CHECK(failure.problem == row.problem);
    CHECK_FALSE(failure.accepted.empty());
  }
}

TEST_CASE("scope: texts beyond four kilobytes are refused") {
  CHECK(failure_of(std::string(4097, 'a')).problem == "the scope is too long");
  CHECK(parse_scope(std::string(4096, 'a')).conditions.size() == 1);
}
}  // namespace kinetoscope
