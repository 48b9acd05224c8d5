#pragma once

// Values computed on first use, once for each key, even when several threads ask at the same time (once.hpp). For the
// few keys that one session asks for: they are compared one by one and never forgotten. Safe from any thread.

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "core/study/once.hpp"

namespace kinetoscope {

template <typename Key, typename T>
class OnceByKey {
 public:
  /// Valid as long as this object. `compute` runs in the thread that asks first, with no lock held.
  template <typename Compute>
  const T& get(const Key& key, Compute&& compute) const {
    return of(key).get(std::forward<Compute>(compute));
  }

 private:
  struct Entry {
    explicit Entry(const Key& of_key) : key(of_key) {}
    Key key;
    Once<T> value;
  };

  const Once<T>& of(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    return found != entries_.end() ? found->value : entries_.emplace_back(key).value;
  }

  mutable std::mutex mutex_;
  mutable std::list<Entry> entries_;  // guarded by mutex_; entries stay where they are
};
}  // namespace kinetoscope
