#pragma once

// The traces that a server holds, by their handles. A handle is a hash of the file's content (trace_identity.hpp), so
// loading a file twice gives the same handle and costs nothing the second time, and a handle is still right when the
// server was started anew, once the file is loaded again.
//
// What is held stays within a budget: the traces that were not used for the longest time go first, and who asks for one
// of them is told how to get it back. A trace in use lives as long as somebody uses it. Safe from any thread; no lock
// is held while a trace is loaded.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/study/study.hpp"

namespace kinetoscope {

struct StoredTrace {
  std::string trace_id;
  std::shared_ptr<const Study> study;
};

class TraceStore {
 public:
  explicit TraceStore(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// The trace of this file, loaded where it is not held. Those who ask for the same file at the same time share one
  /// loading; when the one that does it is interrupted, another goes on. Throws Error as load_study(), and
  /// limit_reached where the trace alone is larger than the budget.
  [[nodiscard]] StoredTrace load(const std::string& path, const StudyOptions& options);
  /// Throws Error unknown_trace, with the file to load where it was held before.
  [[nodiscard]] std::shared_ptr<const Study> study(const std::string& trace_id);
  /// False where it is not held.
  bool unload(const std::string& trace_id);
  /// By handle.
  [[nodiscard]] std::vector<StoredTrace> traces() const;

  [[nodiscard]] std::size_t budget_bytes() const noexcept { return budget_bytes_; }
  /// Of all that is held.
  [[nodiscard]] std::size_t bytes_used() const;

 private:
  struct Held {
    std::shared_ptr<const Study> study{};  ///< nullptr while it is being loaded
    std::uint64_t last_use = 0;
    LoadProgress progress{};  ///< of the loading
  };

  [[nodiscard]] bool begin_loading(const std::string& trace_id, const StudyOptions& options);
  [[nodiscard]] std::shared_ptr<const Study> load_now(const std::string& trace_id, const std::string& path,
                                                      const StudyOptions& options);
  void keep(const std::string& trace_id, std::shared_ptr<const Study> study);
  void give_up_loading(const std::string& trace_id);
  /// Under the lock. What is let go is returned, to be freed without it.
  [[nodiscard]] std::vector<std::shared_ptr<const Study>> make_room();
  [[nodiscard]] std::shared_ptr<const Study> let_go(std::map<std::string, Held>::iterator place);

  std::size_t budget_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Held> held_;         // guarded by mutex_
  std::map<std::string, std::string> gone_;  // guarded by mutex_; file by handle, of traces held before
  std::uint64_t uses_ = 0;                   // guarded by mutex_
};
}  // namespace kinetoscope
