#pragma once

// One task: the work, how it stands, and what it has asked for. Safe from any thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>

#include "server/mcp/call.hpp"
#include "server/mcp/caller.hpp"
#include "server/mcp/changes.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/outcome.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {

/// The last three are final.
enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

class Task {
 public:
  using Clock = std::chrono::system_clock;

  Task(std::string id, AsTask work, const Caller& caller, std::chrono::milliseconds lifetime);

  /// Runs the work once: until it has ended, or needs something. Lets no exception out.
  void run(Changes& changes);
  /// True when all that was asked for is there now, so that the work is to be run again.
  [[nodiscard]] bool take_answers(const Json& answers);
  void cancel();

  [[nodiscard]] const std::string& principal() const noexcept { return caller_.principal; }
  [[nodiscard]] bool is_older_than(Clock::time_point time) const noexcept { return created_ < time; }
  /// What the client is told; with `is_detailed`, the result, the error or the questions, too.
  [[nodiscard]] Json json(bool is_detailed);

 private:
  [[nodiscard]] bool has_ended() const noexcept { return status_ >= TaskStatus::completed; }
  void become(TaskStatus status);
  void take_outcome(Outcome outcome);
  void ask_for(const InputRequired& needed);
  void fail(const ProtocolError& error);

  std::string id_;
  AsTask work_;
  Caller caller_;
  std::chrono::milliseconds lifetime_;
  Clock::time_point created_;
  std::stop_source stop_;
  std::mutex mutex_;
  TaskStatus status_ = TaskStatus::working;  // this and all below: guarded by mutex_
  Clock::time_point updated_;
  Json result_ = nullptr;
  Json error_ = nullptr;
  std::map<std::string, InputRequest> asked_{};  ///< by the key that the client sees
  std::set<std::string> used_keys_{};            ///< a client sees none of them twice
  Json inputs_ = Json::object();
  Json state_ = nullptr;
};
}  // namespace kinetoscope::mcp
