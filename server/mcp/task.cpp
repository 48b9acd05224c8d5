#include "server/mcp/task.hpp"

#include <array>
#include <exception>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/chrono.h>

#include "server/mcp/input_requests.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr std::chrono::milliseconds poll_interval(100);

constexpr std::array<std::string_view, 5> status_spellings = {"working", "input_required", "completed", "failed",
                                                              "cancelled"};
static_assert(status_spellings.size() == static_cast<std::size_t>(TaskStatus::cancelled) + 1);

/// A task has nobody who listens while it runs.
class TaskExchange final : public Exchange {
 public:
  explicit TaskExchange(std::stop_token stop) : stop_(std::move(stop)) {}
  void send(const Json&) override {}
  [[nodiscard]] std::stop_token stop() const override { return stop_; }

 private:
  std::stop_token stop_;
};

std::string written_time(Task::Clock::time_point time) {
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(Task::Clock::to_time_t(time)), since % 1000);
}
}  // namespace

Task::Task(std::string id, AsTask work, const Caller& caller, std::chrono::milliseconds lifetime)
    : id_(std::move(id)),
      work_(std::move(work)),
      caller_(caller),
      lifetime_(lifetime),
      created_(Clock::now()),
      updated_(created_) {}

void Task::run(Changes& changes) {
  TaskExchange exchange(stop_.get_token());
  const Json params = Json::object();
  Call call(caller_, exchange, changes, params);
  {
    const std::lock_guard lock(mutex_);
    if (has_ended()) return;
    call.set_inputs(inputs_, state_);
  }
  try {
    take_outcome(work_.work(call));
  } catch (const ProtocolError& error) {
    fail(error);
  } catch (const Cancelled&) {
    cancel();
  } catch (const std::exception&) {
    fail(ProtocolError(code::internal_error, "internal error"));
  }
}

void Task::become(TaskStatus status) {
  status_ = status;
  updated_ = Clock::now();
}

void Task::take_outcome(Outcome outcome) {
  const std::lock_guard lock(mutex_);
  if (has_ended()) return;
  if (const auto* const needed = std::get_if<InputRequired>(&outcome)) return ask_for(*needed);
  if (auto* const result = std::get_if<Json>(&outcome)) {
    result_ = std::move(*result);
    return become(TaskStatus::completed);
  }
  error_ = error_object(ProtocolError(code::internal_error, "a task cannot become another task"));
  become(TaskStatus::failed);
}

void Task::ask_for(const InputRequired& needed) {
  state_ = needed.state;
  for (const InputRequest& request : needed.requests) {
    std::string key = request.key;
    for (std::size_t number = 2; used_keys_.contains(key); ++number) key = request.key + "-" + std::to_string(number);
    used_keys_.insert(key);
    asked_.emplace(std::move(key), in_words_of(caller_.revision, request));
  }
  become(TaskStatus::input_required);
}

void Task::fail(const ProtocolError& error) {
  const std::lock_guard lock(mutex_);
  if (has_ended()) return;
  error_ = error_object(error);
  become(TaskStatus::failed);
}

bool Task::take_answers(const Json& answers) {
  const std::lock_guard lock(mutex_);
  if (status_ != TaskStatus::input_required || !answers.is_object()) return false;
  for (const auto& [key, answer] : answers.items()) {
    const auto asked = asked_.find(key);
    if (asked == asked_.end() || !answer.is_object()) continue;
    inputs_[asked->second.key] = answer;
    asked_.erase(asked);
    updated_ = Clock::now();
  }
  if (!asked_.empty()) return false;
  become(TaskStatus::working);
  return true;
}

void Task::cancel() {
  stop_.request_stop();
  const std::lock_guard lock(mutex_);
  if (!has_ended()) become(TaskStatus::cancelled);
}

Json Task::json(bool is_detailed) {
  const std::lock_guard lock(mutex_);
  Json task = {{"taskId", id_},
               {"status", status_spellings[static_cast<std::size_t>(status_)]},
               {"createdAt", written_time(created_)},
               {"lastUpdatedAt", written_time(updated_)},
               {"ttlMs", lifetime_.count()},
               {"pollIntervalMs", poll_interval.count()}};
  if (!is_detailed) return task;
  if (status_ == TaskStatus::completed) task["result"] = result_;
  if (status_ == TaskStatus::failed) task["error"] = error_;
  if (status_ == TaskStatus::input_required) {
    std::vector<InputRequest> asked;
    for (const auto& [key, request] : asked_) asked.push_back({key, request.method, request.params});
    task["inputRequests"] = input_requests_json(asked);
  }
  return task;
}
}  // namespace kinetoscope::mcp
