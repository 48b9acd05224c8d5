#pragma once

// Items of a producer, made by a thread of its own while the caller works on the ones before: windows of a document,
// read, decompressed and cut. Once the thread is far enough ahead it also begins the caller's work on items that wait,
// so that both threads stay busy whichever side is slower, and most items are worked on where they are used. Order is
// kept: results do not depend on who did what.

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace kinetoscope::io {

/// `producer.next()` gives the items, `is_last(item)` says after which there is no other, `worker(item)` does work on
/// an item that can be done ahead.
template <typename Producer, typename Worker>
class ReadAhead {
 public:
  using Item = decltype(std::declval<Producer&>().next());

  /// Both must outlive this, and are used by the thread alone.
  ReadAhead(Producer& producer, Worker& worker)
      : producer_(producer), worker_(worker), thread_([this](const std::stop_token& stop) { run(stop); }) {}
  ~ReadAhead() = default;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  struct Next {
    Item item;
    bool is_worked_on = false;
  };
  /// The next item, in order; rethrows what the producer or the worker threw. Not to be called after the last item.
  [[nodiscard]] Next next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return failure_ != nullptr || (!entries_.empty() && entries_.front().state != State::claimed);
    });
    if (entries_.empty() || entries_.front().state == State::claimed) std::rethrow_exception(failure_);
    Next next{std::move(entries_.front().item), entries_.front().state == State::done};
    entries_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return next;
  }

 private:
  enum class State : unsigned char { waiting, claimed, done };
  struct Entry {
    Item item;
    State state = State::waiting;
  };
  /// Far enough ahead: each is a window of memory.
  static constexpr std::size_t most_ahead = 4;

  void run(const std::stop_token& stop) {
    try {
      for (bool more = true; !stop.stop_requested();) {
        if (more && has_room()) {
          Item item = producer_.next();
          more = !is_last(item);
          const std::lock_guard lock(mutex_);
          entries_.push_back({std::move(item)});
          changed_.notify_all();
        } else if (!work_ahead() && !wait_for_change(stop, more)) {
          return;
        }
      }
    } catch (...) {  // the thread's edge: handed to next(), on the thread that can tell the user
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  [[nodiscard]] bool has_room() {
    const std::lock_guard lock(mutex_);
    return entries_.size() < most_ahead;
  }

  /// Works on the first item that waits, but for the very first, which the caller is about to take.
  [[nodiscard]] bool work_ahead() {
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 1; i < entries_.size() && entry == nullptr; ++i) {
        if (entries_[i].state == State::waiting) entry = &entries_[i];
      }
      if (entry == nullptr) return false;
      entry->state = State::claimed;
    }
    worker_(entry->item);  // a deque's elements stay where they are, and next() leaves a claimed one alone
    const std::lock_guard lock(mutex_);
    entry->state = State::done;
    changed_.notify_all();
    return true;
  }

  /// Until there is room again; false when nothing is left to do.
  [[nodiscard]] bool wait_for_change(const std::stop_token& stop, bool more) {
    std::unique_lock lock(mutex_);
    if (!more) return false;
    return changed_.wait(lock, stop, [this] { return entries_.size() < most_ahead; });
  }

  Producer& producer_;
  Worker& worker_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Entry> entries_;   // guarded by mutex_; the item of a claimed one is the thread's
  std::exception_ptr failure_;  // guarded by mutex_
  std::jthread thread_;         // last: it uses all of the above
};
}  // namespace kinetoscope::io
