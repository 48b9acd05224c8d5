#include "core/study/trace_store.hpp"

#include <chrono>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/format.hpp"
#include "core/study/trace_identity.hpp"

namespace kinetoscope {
namespace {

constexpr std::size_t most_remembered = 1000;
constexpr std::chrono::milliseconds between_looks(50);  ///< of one who waits for another's loading

[[noreturn]] void refuse_size(const std::string& path, std::size_t bytes, std::size_t budget_bytes) {
  throw Error({.code = ErrorCode::limit_reached,
               .input = path,
               .problem = "the trace takes " + bytes_text(bytes) + " of memory, more than the " +
                          bytes_text(budget_bytes) + " that all traces together may take",
               .next = "start the server with a larger --memory, or record fewer steps"});
}
}  // namespace

StoredTrace TraceStore::load(const std::string& path, const StudyOptions& options) {
  const std::string trace_id = trace_identity(path, options.stop);
  if (begin_loading(trace_id, options)) return {trace_id, load_now(trace_id, path, options)};
  return {trace_id, study(trace_id)};
}

/// False when the trace is held, true when the caller is to load it. Waits while another does.
bool TraceStore::begin_loading(const std::string& trace_id, const StudyOptions& options) {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto [place, is_new] = held_.try_emplace(trace_id);
    if (is_new) return true;
    if (place->second.study) return false;
    if (options.stop.stop_requested()) throw Error({.code = ErrorCode::interrupted});
    const LoadProgress progress = place->second.progress;
    lock.unlock();
    if (options.on_progress) options.on_progress(progress);
    lock.lock();
    changed_.wait_for(lock, between_looks);
  }
}

std::shared_ptr<const Study> TraceStore::load_now(const std::string& trace_id, const std::string& path,
                                                  const StudyOptions& options) {
  StudyOptions told = options;
  told.on_progress = [&](const LoadProgress& progress) {
    {
      const std::lock_guard lock(mutex_);
      held_.at(trace_id).progress = progress;
    }
    if (options.on_progress) options.on_progress(progress);
  };
  try {
    std::shared_ptr<const Study> study = load_study(path, told);
    if (study->bytes_used() > budget_bytes_) refuse_size(path, study->bytes_used(), budget_bytes_);
    keep(trace_id, study);
    return study;
  } catch (...) {
    give_up_loading(trace_id);
    throw;
  }
}

void TraceStore::keep(const std::string& trace_id, std::shared_ptr<const Study> study) {
  std::vector<std::shared_ptr<const Study>> freed;
  {
    const std::lock_guard lock(mutex_);
    Held& held = held_.at(trace_id);
    held.study = std::move(study);
    held.last_use = ++uses_;
    gone_.erase(trace_id);
    freed = make_room();
  }
  changed_.notify_all();
}

void TraceStore::give_up_loading(const std::string& trace_id) {
  {
    const std::lock_guard lock(mutex_);
    held_.erase(trace_id);
  }
  changed_.notify_all();
}

std::shared_ptr<const Study> TraceStore::study(const std::string& trace_id) {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(trace_id);
  if (found != held_.end() && found->second.study) {
    found->second.last_use = ++uses_;
    return found->second.study;
  }
  const auto before = gone_.find(trace_id);
  Failure failure = {.code = ErrorCode::unknown_trace, .argument = "trace_id", .received = trace_id};
  if (found != held_.end()) {
    failure.problem = "the trace is still being loaded";
    failure.next = "call load_trace with the same path again: it waits";
  } else if (before != gone_.end()) {
    failure.problem = "the trace is no longer held";
    failure.next = "call load_trace with path " + in_quotes(before->second, 400) + ": the handle stays the same";
  }
  throw Error(std::move(failure));
}

bool TraceStore::unload(const std::string& trace_id) {
  std::shared_ptr<const Study> freed;
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(trace_id);
  if (found == held_.end() || !found->second.study) return false;
  freed = let_go(found);
  return true;
}

std::vector<StoredTrace> TraceStore::traces() const {
  std::vector<StoredTrace> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [trace_id, held] : held_) {
    if (held.study) all.push_back({trace_id, held.study});
  }
  return all;
}

std::size_t TraceStore::bytes_used() const {
  std::size_t bytes = 0;
  for (const StoredTrace& trace : traces()) bytes += trace.study->bytes_used();
  return bytes;
}

std::vector<std::shared_ptr<const Study>> TraceStore::make_room() {
  std::vector<std::shared_ptr<const Study>> freed;
  std::size_t bytes = 0;
  for (const auto& [trace_id, held] : held_) bytes += held.study ? held.study->bytes_used() : 0;
  while (bytes > budget_bytes_) {
    auto oldest = held_.end();
    for (auto place = held_.begin(); place != held_.end(); ++place) {
      if (!place->second.study) continue;
      if (oldest == held_.end() || place->second.last_use < oldest->second.last_use) oldest = place;
    }
    if (oldest == held_.end()) break;
    bytes -= oldest->second.study->bytes_used();
    freed.push_back(let_go(oldest));
  }
  return freed;
}

std::shared_ptr<const Study> TraceStore::let_go(std::map<std::string, Held>::iterator place) {
  std::shared_ptr<const Study> study = std::move(place->second.study);
  if (gone_.size() < most_remembered) gone_.insert_or_assign(place->first, study->name());
  held_.erase(place);
  return study;
}
}  // namespace kinetoscope
