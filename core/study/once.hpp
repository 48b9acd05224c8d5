#pragma once

// A value computed on first use, once, even when several threads ask at the same time: the others wait for it. A
// failure is kept too: every asker gets it. But not an interrupt, which is about the asker and not the value: those who
// wait get it, the next asker computes anew. Safe from any thread.

#include <future>
#include <mutex>
#include <utility>

#include "core/base/error.hpp"

namespace kinetoscope {

template <typename T>
class Once {
 public:
  /// Valid as long as this object. `compute` runs in the thread that asks first, with no lock held.
  template <typename Compute>
  const T& get(Compute&& compute) const {
    std::promise<T> promise;
    std::shared_future<T> result;
    bool is_first = false;
    {
      const std::lock_guard lock(mutex_);
      is_first = !result_.valid();
      if (is_first) result_ = promise.get_future().share();
      result = result_;
    }
    if (is_first) {
      try {
        promise.set_value(std::forward<Compute>(compute)());
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) forget();
        promise.set_exception(std::current_exception());
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    }
    return result.get();
  }

 private:
  void forget() const {
    const std::lock_guard lock(mutex_);
    result_ = {};
  }

  mutable std::mutex mutex_;
  mutable std::shared_future<T> result_;  // guarded by mutex_
};
}  // namespace kinetoscope
