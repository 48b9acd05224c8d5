#pragma once

// Items of a producer, made by a thread of its own while the caller works on the ones before: windows read,
// decompressed and cut, or tokens found, ahead of whoever needs them. Order is kept, so results do not depend on the
// threads.

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace kinetoscope::io {

/// `Producer::next()` gives the items, and `is_last(item)` says after which there is no other.
template <typename Producer>
class ReadAhead {
 public:
  using Item = decltype(std::declval<Producer&>().next());

  /// `producer` must outlive this, and is used by the thread alone.
  explicit ReadAhead(Producer& producer)
      : producer_(producer), thread_([this](const std::stop_token& stop) { run(stop); }) {}
  ~ReadAhead() = default;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next item, in order; rethrows what the producer threw. Not to be called after the last item.
  [[nodiscard]] Item next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty() || failure_ != nullptr; });
    if (items_.empty()) std::rethrow_exception(failure_);
    Item item = std::move(items_.front());
    items_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return item;
  }

 private:
  /// Enough that neither side waits for the other's next wake-up; each is a window of memory.
  static constexpr std::size_t most_ahead = 3;

  void run(const std::stop_token& stop) {
    try {
      for (bool more = true; more && !stop.stop_requested();) {
        Item item = producer_.next();
        more = !is_last(item);
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return items_.size() < most_ahead; })) return;
        items_.push_back(std::move(item));
        lock.unlock();
        changed_.notify_all();
      }
    } catch (...) {  // the thread's edge: handed to next(), on the thread that can tell the user
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  Producer& producer_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Item> items_;      // guarded by mutex_
  std::exception_ptr failure_;  // guarded by mutex_
  std::jthread thread_;         // last: it uses all of the above
};
}  // namespace kinetoscope::io
