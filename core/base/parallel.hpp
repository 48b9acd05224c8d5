#pragma once

// Two independent pieces of work at once: one in a thread of its own, the other in the calling thread. What each leaves
// behind is its own, so the result cannot depend on which ends first. A failure of either reaches the caller, the first
// piece's before the second's, when both have ended.

#include <exception>
#include <thread>
#include <utility>

namespace kinetoscope {

/// Runs both, side by side where `at_once`, else one after the other; returns when both have ended.
template <typename First, typename Second>
void run_both(bool at_once, First&& first, Second&& second) {
  if (!at_once) {
    std::forward<First>(first)();
    std::forward<Second>(second)();
    return;
  }
  std::exception_ptr failure;
  {
    const std::jthread thread([&] {
      try {
        first();
      } catch (...) {
        failure = std::current_exception();  // read behind the join
      }
    });
    second();
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}
}  // namespace kinetoscope
