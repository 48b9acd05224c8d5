#include "server/cli/progress.hpp"

#include <doctest/doctest.h>

namespace kinetoscope::cli {

TEST_CASE("progress: a file has its percentage, a pipe only what was read") {
  // 5 MB of 10 MB in 0.5 s: 10 MB/s
  CHECK(progress_text("t.json", {5'000'000, 10'000'000, 1'200}, 0.5) ==
        "t.json: 50 % of 10.0 MB, 1,200 events, 10.0 MB/s");
  CHECK(progress_text("-", {5'000'000, {}, 7}, 0.5) == "-: 5.0 MB, 7 events, 10.0 MB/s");
}

TEST_CASE("progress: more read than the file was long is no more than all of it") {
  CHECK(progress_text("t", {30, 10, 0}, 0).starts_with("t: 100 % of 10 B"));
}
}  // namespace kinetoscope::cli
