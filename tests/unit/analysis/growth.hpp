#pragma once

// How the work of a function grows with its input: the processor time of one input against that of another eight times
// its size. Of what is linear about 8, of what is quadratic about 64; tests draw the line between them, far from both.

#include <algorithm>
#include <ctime>
#include <limits>

namespace kinetoscope::analysis {

inline constexpr int growth_of_input = 8;
/// n log n and slower memory stay well below, n^2 well above.
inline constexpr double most_growth = 28;

/// Of the calling process, whoever else is at work: the least of several runs.
template <typename Work>
[[nodiscard]] double least_processor_s(Work work) {
  constexpr int runs = 3;
  double least_s = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    const std::clock_t begin = std::clock();
    work();
    least_s = std::min(least_s, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least_s;
}

/// `make(n)` makes an input of n, which takes no part; `work(input)` is measured. Times below the clock's good sense
/// count as one millisecond, so that noise is no growth. With sanitizers the work is only done: their times say
/// nothing.
template <typename Make, typename Work>
[[nodiscard]] double growth_of(int small, Make make, Work work) {
#ifdef KINETOSCOPE_SANITIZED
  const auto sanitized_input = make(small);
  work(sanitized_input);
  return 0;
#else
  constexpr double least_s = 1e-3;
  const auto time_s = [&](int size) {
    const auto input = make(size);
    return std::max(least_s, least_processor_s([&] { work(input); }));
  };
  const double small_s = time_s(small);
  return time_s(small * growth_of_input) / small_s;
#endif
}
}  // namespace kinetoscope::analysis
