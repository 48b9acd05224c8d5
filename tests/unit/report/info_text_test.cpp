#include "core/report/info_text.hpp"

#include <string>

#include <doctest/doctest.h>

#include "core/report/redact.hpp"
#include "core/report/steps_text.hpp"
#include "core/report/text_table.hpp"
#include "core/study/study.hpp"
#include "tests/support/loaded_trace.hpp"

namespace kinetoscope::report {
namespace {

std::string text_of(std::string document) {
  return info_text(Study("trace.json", trace_of(std::move(document))).info(), false);
}
}  // namespace

TEST_CASE("text table: columns are as wide as their widest text on a terminal, and rows end without spaces") {
  TextTable table(false);
  table.add({{"核"}, {"1", Colour::plain, true}, {""}});  // two columns wide
  table.add({{"abc"}, {"20", Colour::bad, true}, {"x"}});
  CHECK(table.render() == "  核    1\n  abc  20  x\n");
}

TEST_CASE("text table: colours do not move columns") {
  TextTable table(true);
  table.add({{"a", Colour::good}, {"b"}});
  CHECK(table.render() == "  \x1b[32ma\x1b[0m  b\n");
}

TEST_CASE("info text: names from the file cannot reach the terminal as escapes") {
  const std::string text = text_of(
      R"({"deviceProperties": [{"id": 0, "name": "\u001b[31mred"}], "traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1\u001b[2J\u202e", "pid": 1, "tid": 1, "ts": 1, "dur": 5},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 2, "dur": 1, "args": {"device": 0, "stream": 7}}]})");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);  // the right-to-left override
  CHECK(text.find("\\u001b[31mred") != std::string::npos);
}

TEST_CASE("info text: it begins with what the trace can answer") {
  const std::string text = text_of(R"({"traceEvents": []})");
  CHECK(text.find("What it can answer") < text.find("operators"));
  CHECK(text.find("Where the GPU's time went") == std::string::npos);  // there is none
}

TEST_CASE("steps text: at most twelve of many steps are shown, the first, the last and the busiest among them") {
  analysis::Overview overview;
  for (int i = 0; i < 100; ++i) {
    analysis::StepOverview step;
    step.name = "step_" + std::to_string(i);
    step.busy_ns = i == 50 ? 999 : i % 7;
    overview.steps.push_back(std::move(step));
  }
  const std::string text = steps_text(overview, false);
  CHECK(std::ranges::count(text, '\n') == 15);  // an empty line, two headings, twelve steps
  CHECK(text.find("88 left out") != std::string::npos);
  for (const char* const name : {"step_0 ", "step_1 ", "step_50 ", "step_98 ", "step_99 "}) {
    CAPTURE(name);
    CHECK(text.find(name) != std::string::npos);
  }
}

TEST_CASE("redact: the same name has the same digits everywhere, and kernels stay") {
  const Redactor redactor({"gpu-node-17", "-", ""});
  const std::string once = redactor.text("gpu-node-17");
  CHECK(once.starts_with("redacted-"));
  CHECK(once.size() == 25);  // "redacted-" and 16 digits
  CHECK(redactor.text("on gpu-node-17: ampere_sgemm") == "on " + once + ": ampere_sgemm");
  const std::string path = redactor.text("read /home/ann/run 3/x.json, then torch/nn/modules/linear.py(3): forward");
  CHECK(path.find("ann") == std::string::npos);
  CHECK(path.find("torch/nn/modules/linear.py(3): forward") != std::string::npos);
  CHECK(redactor.text("C:\\Users\\ann\\x.py").find("ann") == std::string::npos);
}
}  // namespace kinetoscope::report
