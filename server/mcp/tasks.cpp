#include "server/mcp/tasks.hpp"

#include <utility>

#include "server/mcp/protocol_error.hpp"
#include "server/mcp/signing.hpp"

namespace kinetoscope::mcp {

Tasks::~Tasks() {
  for (const auto& [id, task] : tasks_) task->cancel();
}

Json Tasks::begin(AsTask work, const Caller& caller) {
  const std::string id = random_id();
  const auto task = std::make_shared<Task>(id, std::move(work), caller, lifetime);
  {
    const std::lock_guard lock(mutex_);
    forget_old_ones();
    if (tasks_.size() >= most_tasks) throw ProtocolError(code::internal_error, "too many tasks: try again later");
    tasks_.emplace(id, task);
  }
  Json begun = task->json(false);
  begun["resultType"] = "task";
  run(task);
  return begun;
}

Json Tasks::status(const std::string& id, const Caller& caller) { return find(id, caller)->json(true); }

void Tasks::answer(const std::string& id, const Json& answers, const Caller& caller) {
  const auto task = find(id, caller);
  if (task->take_answers(answers)) run(task);
}

void Tasks::cancel(const std::string& id, const Caller& caller) { find(id, caller)->cancel(); }

bool Tasks::end(std::chrono::milliseconds longest) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, task] : tasks_) task->cancel();
  }
  return workers_.wait_until_idle(longest);
}

std::shared_ptr<Task> Tasks::find(const std::string& id, const Caller& caller) {
  const std::lock_guard lock(mutex_);
  const auto found = tasks_.find(id);
  if (found == tasks_.end() || found->second->principal() != caller.principal) {
    throw ProtocolError(code::invalid_params, "unknown task");
  }
  return found->second;
}

void Tasks::forget_old_ones() {
  const auto oldest = Task::Clock::now() - lifetime;
  std::erase_if(tasks_, [oldest](const auto& entry) {
    const bool is_over = entry.second->is_older_than(oldest);
    if (is_over) entry.second->cancel();
    return is_over;
  });
}

void Tasks::run(const std::shared_ptr<Task>& task) {
  workers_.run([this, task] { task->run(*changes_); });
}
}  // namespace kinetoscope::mcp
