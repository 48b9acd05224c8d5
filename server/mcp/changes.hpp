#pragma once

// Who wants to hear that a list or a resource has changed, and telling them. Safe from any thread; listeners are called
// in the teller's thread with no lock held, so one that is just leaving may be called once more.

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

enum class Change : std::uint8_t { tools, prompts, resources };

/// What one listener wants to hear of.
struct ChangeFilter {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string> resource_uris{};
};

class Changes {
 public:
  /// `method` and `params` of the notification.
  using Tell = std::function<void(const std::string& method, const Json& params)>;

  /// Listens from its making to its end.
  class Listener {
   public:
    Listener(ChangeFilter filter, Tell tell) : filter_(std::move(filter)), tell_(std::move(tell)) {}

    void subscribe(const std::string& uri);
    void unsubscribe(const std::string& uri);

   private:
    friend class Changes;
    [[nodiscard]] bool wants(Change change) const;
    [[nodiscard]] bool wants_resource(const std::string& uri) const;

    mutable std::mutex mutex_;
    ChangeFilter filter_;  // guarded by mutex_
    Tell tell_;
  };

  /// Told for as long as the caller keeps the pointer.
  [[nodiscard]] std::shared_ptr<Listener> listen(ChangeFilter filter, Tell tell);

  void tell(Change change);
  void tell_resource(const std::string& uri);

 private:
  [[nodiscard]] std::vector<std::shared_ptr<Listener>> listeners();

  std::mutex mutex_;
  std::list<std::weak_ptr<Listener>> listeners_;  // guarded by mutex_
};
}  // namespace kinetoscope::mcp
