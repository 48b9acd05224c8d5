#pragma once

// Work that outlives the call that began it, by the tasks extension of the stateless revisions: the client asks from
// time to time how it stands, answers what the work needs, and may cancel it. Safe from any thread.

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "server/mcp/caller.hpp"
#include "server/mcp/changes.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/outcome.hpp"
#include "server/mcp/task.hpp"
#include "server/mcp/workers.hpp"

namespace kinetoscope::mcp {

class Tasks {
 public:
  /// A finished task is kept for that long from its beginning, and one that has not finished is cancelled then.
  static constexpr std::chrono::minutes lifetime{10};
  static constexpr std::size_t most_tasks = 1000;
  static constexpr std::size_t most_at_once = 16;

  explicit Tasks(Changes& changes) : changes_(&changes), workers_(most_at_once) {}
  /// Cancels what runs and waits for it.
  ~Tasks();
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  /// Begins the work and tells how it stands, as the answer to the call. Throws ProtocolError internal_error while
  /// most_tasks are kept.
  [[nodiscard]] Json begin(AsTask work, const Caller& caller);
  /// How it stands, with its result, its error or what it needs. Throws, as the next two do, ProtocolError
  /// invalid_params for an id that is not known, or not this caller's.
  [[nodiscard]] Json status(const std::string& id, const Caller& caller);
  /// Takes answers; those to nothing that is asked are dropped.
  void answer(const std::string& id, const Json& answers, const Caller& caller);
  /// Does nothing to a task that has ended.
  void cancel(const std::string& id, const Caller& caller);

  /// Cancels everything; false where something still runs after that time.
  [[nodiscard]] bool end(std::chrono::milliseconds longest);

 private:
  [[nodiscard]] std::shared_ptr<Task> find(const std::string& id, const Caller& caller);
  void forget_old_ones();
  void run(const std::shared_ptr<Task>& task);

  Changes* changes_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Task>> tasks_;  // guarded by mutex_
  Workers workers_;                                     // last: its threads use the others
};
}  // namespace kinetoscope::mcp
