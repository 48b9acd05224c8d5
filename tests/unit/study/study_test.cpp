#include "core/study/study.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/trace/diagnostics.hpp"
#include "tests/support/shared_files.hpp"

namespace kinetoscope {
namespace {

ErrorCode code_of_loading(const std::string& path, const StudyOptions& options = {}) {
  try {
    static_cast<void>(load_study(path, options));
  } catch (const Error& error) {
    CHECK(error.failure().input == path);
    return error.code();
  }
  return ErrorCode::internal;
}
}  // namespace

TEST_CASE("once: a value asked for by many threads at a time is computed once") {
  const Once<int> once;
  std::atomic<int> computed = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { CHECK(once.get([&] { return 41 + ++computed; }) == 42); });
  }
  threads.clear();
  CHECK(computed == 1);
}

TEST_CASE("once: a failure is kept, and every asker gets it") {
  const Once<int> once;
  const auto fail = []() -> int { throw Error({.code = ErrorCode::limit_reached}); };
  CHECK_THROWS_AS(once.get(fail), Error);
  CHECK_THROWS_AS(once.get([] { return 1; }), Error);
}

TEST_CASE("once: an interrupt is the asker's, the next asker gets the value") {
  const Once<int> once;
  const auto stop = []() -> int { throw Error({.code = ErrorCode::interrupted}); };
  CHECK_THROWS_AS(once.get(stop), Error);
  CHECK_THROWS_AS(once.get(stop), Error);
  CHECK(once.get([] { return 1; }) == 1);
}

TEST_CASE("study: errors bear the input's name") {
  CHECK(code_of_loading("no/such/file.json") == ErrorCode::input_not_found);
  CHECK(code_of_loading(field_input("F09_empty_payload.json.gz")) == ErrorCode::empty_input);
}

TEST_CASE("study: strict refuses what was repaired, and names the defect") {
  const std::string path = field_input("F01_windows_backslash.json");
  CHECK(load_study(path)->populations().all.busy_ns == 80'000);
  CHECK(code_of_loading(path, {.strict = true}) == ErrorCode::input_defect);
  CHECK(load_study(field_input("F25_no_distributed_info.json"), {.strict = true})->trace().size() > 0);
}

TEST_CASE("study: a stop request ends loading with Error interrupted") {
  std::stop_source stop;
  stop.request_stop();
  CHECK(code_of_loading(field_input("F05_trailing_comma.json"), {.stop = stop.get_token()}) == ErrorCode::interrupted);
}

TEST_CASE("study: a stop request ends the summing up with Error interrupted, and spoils nothing for other askers") {
  const auto study = load_study(field_input("F34_kernel_without_correlation.json"));
  std::stop_source stop;
  stop.request_stop();
  try {
    static_cast<void>(study->info(stop.get_token()));
    FAIL("the stop request was not asked for");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::interrupted);
    CHECK(error.failure().input == study->name());
  }
  CHECK(study->info().all.busy_ns == 50'000);
}

TEST_CASE("study: a stop request ends the making of tables, and spoils nothing for other askers") {
  const auto study = load_study(field_input("F34_kernel_without_correlation.json"));
  std::stop_source stop;
  stop.request_stop();
  try {
    static_cast<void>(study->tables({}, stop.get_token()));
    FAIL("the stop request was not asked for");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::interrupted);
    CHECK(error.failure().input == study->name());
  }
  CHECK(study->tables({}).events == 2);  // linked
}

TEST_CASE("study: an asker who waits for one that is interrupted computes instead") {
  const auto study = load_study(field_input("F34_kernel_without_correlation.json"));
  std::stop_source stop;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        static_cast<void>(study->tables({.has_kernel_summary = true}, stop.get_token()));
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::interrupted);
      }
    });
    threads.emplace_back([&] { CHECK(study->tables({.has_kernel_summary = true}).events == 2); });
  }
  stop.request_stop();
  threads.clear();
}

TEST_CASE("study: linked and all GPU work are two populations, linked is all without launches") {
  // field report 36: the third kernel is unlinked; all-view busy 50, total 90, linked-view busy 40 us.
  const auto study = load_study(field_input("F34_kernel_without_correlation.json"));
  CHECK(study->populations().all.busy_ns == 50'000);
  CHECK(study->populations().all.span_ns == 90'000);
  CHECK(study->populations().linked.busy_ns == 40'000);
  CHECK(study->overview().unlinked.events == 1);
  CHECK(study->overview().unlinked.time_ns == 10'000);
}

TEST_CASE("study: suspect durations are among the diagnostics, and change the clipped figures only") {
  const auto study = load_study(field_input("F16_duration_overflows_siblings.json"));
  CHECK(study->diagnostics().count(trace_diagnostics::suspect_duration) == 1);
  CHECK(study->populations().all.busy_ns == 1'600'000'000);
  CHECK(study->clipped().busy_ns == 160'000);
}

TEST_CASE("study: one and two threads give the same figures") {
  const std::string path = field_input("F24_collective_kernel_names.json");
  const auto one = load_study(path, {.threads = 1});
  const auto two = load_study(path, {.threads = 2});
  CHECK(one->populations().all == two->populations().all);
  CHECK(one->diagnostics().sorted() == two->diagnostics().sorted());
}
}  // namespace kinetoscope
