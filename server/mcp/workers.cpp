#include "server/mcp/workers.hpp"

#include <utility>

namespace kinetoscope::mcp {

Workers::~Workers() {
  std::vector<std::jthread> threads;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    waiting_.clear();
    threads.swap(threads_);
  }
  changed_.notify_all();
}

void Workers::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;
    waiting_.push_back(std::move(work));
    const std::size_t idle = threads_.size() - busy_;
    if (idle < waiting_.size() && threads_.size() < most_threads_) {
      threads_.emplace_back([this] { work_until_ended(); });
    }
  }
  changed_.notify_all();  // not one: it might be somebody who waits for an end
}

bool Workers::wait_until_idle(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, longest, [this] { return busy_ == 0 && waiting_.empty(); });
}

std::size_t Workers::busy() {
  const std::lock_guard lock(mutex_);
  return busy_;
}

void Workers::work_until_ended() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (is_ending_) return;
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    ++busy_;
    lock.unlock();
    work();
    work = nullptr;  // what it holds may end only outside of the lock
    lock.lock();
    --busy_;
    changed_.notify_all();
  }
}
}  // namespace kinetoscope::mcp
