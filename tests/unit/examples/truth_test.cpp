#include "examples/generator/truth.hpp"

#include <doctest/doctest.h>

namespace kinetoscope::examples {

TEST_CASE("truth: figures of overlapping work follow the definitions") {
  const std::vector<GpuSlice> slices = {
      {.name = "gemm", .start_ns = 100, .end_ns = 200},
      {.name = "nccl", .work = Work::communication, .stream = 3, .start_ns = 150, .end_ns = 260},
      {.name = "copy", .work = Work::memcpy, .stream = 4, .start_ns = 250, .end_ns = 300},
      {.name = "gemm", .start_ns = 400, .end_ns = 410},
      {.name = "lost", .is_timed = false},
  };
  const GpuFigures figures = figures_of(slices);
  CHECK(figures.events == 5);
  CHECK(figures.untimed == 1);
  CHECK(figures.kernel_sum_ns == 270);            // 100 + 110 + 50 + 10
  CHECK(figures.busy_ns == 210);                  // 100 to 300, 400 to 410
  CHECK(figures.span_ns == 310);                  // 100 to 410
  CHECK(figures.idle_ns == 100);                  // 300 to 400
  CHECK(figures.computation_ns == 110);           // 100 to 200, 400 to 410
  CHECK(figures.communication_ns == 110);         // 150 to 260
  CHECK(figures.exposed_communication_ns == 60);  // 200 to 260: a copy hides nothing
  CHECK(figures.memcpy_ns == 50);
}

TEST_CASE("truth: work of no length extends the span and nothing else") {
  const std::vector<GpuSlice> slices = {{.start_ns = 0, .end_ns = 10},
                                        {.work = Work::memcpy, .start_ns = 30, .end_ns = 30}};
  const GpuFigures figures = figures_of(slices);
  CHECK(figures.busy_ns == 10);
  CHECK(figures.span_ns == 30);
  CHECK(figures.memcpy_ns == 0);
}
}  // namespace kinetoscope::examples
