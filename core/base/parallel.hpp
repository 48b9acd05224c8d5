#pragma once

// Two independent pieces of work at once: one in a thread of its own, the other in the calling thread. What each leaves
// behind is its own, so the result cannot depend on which ends first. A failure of either reaches the caller; of two,
// the first piece's.

#include <exception>
#include <thread>
#include <utility>

namespace kinetoscope {

/// Runs both, side by side where `at_once`, and returns or throws when both have ended; else one after the other, where
/// a failure of the first leaves the second out.
template <typename First, typename Second>
void run_both(bool at_once, First&& first, Second&& second) {
  if (!at_once) {
    std::forward<First>(first)();
    std::forward<Second>(second)();
    return;
  }
  std::exception_ptr first_failure;
  std::exception_ptr second_failure;
  {
    const std::jthread thread([&] {
      try {
        first();
      } catch (...) {
        first_failure = std::current_exception();  // read behind the join
      }
    });
    try {
      second();
    } catch (...) {
      second_failure = std::current_exception();
    }
  }
  if (first_failure != nullptr) std::rethrow_exception(first_failure);
  if (second_failure != nullptr) std::rethrow_exception(second_failure);
}
}  // namespace kinetoscope
