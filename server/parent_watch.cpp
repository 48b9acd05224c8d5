#include "server/parent_watch.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <unistd.h>
#include <utility>

namespace kinetoscope {
namespace {

constexpr std::chrono::seconds between_looks(1);

void watch_parent(const std::stop_token& stop, pid_t parent, const std::function<void()>& on_gone) {
  std::mutex mutex;
  std::condition_variable_any woken;
  std::unique_lock lock(mutex);
  while (!woken.wait_for(lock, stop, between_looks, [&] { return ::getppid() != parent; })) {
    if (stop.stop_requested()) return;
  }
  on_gone();
}
}  // namespace

ParentWatch::ParentWatch(std::function<void()> on_gone)
    : watcher_([parent = ::getppid(), on_gone = std::move(on_gone)](const std::stop_token& stop) {
        watch_parent(stop, parent, on_gone);
      }) {}
}  // namespace kinetoscope
