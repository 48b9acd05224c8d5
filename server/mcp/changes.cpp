#include "server/mcp/changes.hpp"

#include <utility>

namespace kinetoscope::mcp {
namespace {

const char* list_changed(Change change) {
  switch (change) {
    case Change::tools: return "notifications/tools/list_changed";
    case Change::prompts: return "notifications/prompts/list_changed";
    case Change::resources: return "notifications/resources/list_changed";
  }
  return "";
}
}  // namespace

void Changes::Listener::subscribe(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  filter_.resource_uris.insert(uri);
}

void Changes::Listener::unsubscribe(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  filter_.resource_uris.erase(uri);
}

bool Changes::Listener::wants(Change change) const {
  const std::lock_guard lock(mutex_);
  switch (change) {
    case Change::tools: return filter_.tools;
    case Change::prompts: return filter_.prompts;
    case Change::resources: return filter_.resources;
  }
  return false;
}

bool Changes::Listener::wants_resource(const std::string& uri) const {
  const std::lock_guard lock(mutex_);
  return filter_.resource_uris.contains(uri);
}

std::shared_ptr<Changes::Listener> Changes::listen(ChangeFilter filter, Tell tell) {
  auto listener = std::make_shared<Listener>(std::move(filter), std::move(tell));
  const std::lock_guard lock(mutex_);
  listeners_.push_back(listener);
  return listener;
}

std::vector<std::shared_ptr<Changes::Listener>> Changes::listeners() {
  std::vector<std::shared_ptr<Listener>> all;
  const std::lock_guard lock(mutex_);
  for (auto place = listeners_.begin(); place != listeners_.end();) {
    if (auto listener = place->lock()) {
      all.push_back(std::move(listener));
      ++place;
    } else {
      place = listeners_.erase(place);
    }
  }
  return all;
}

void Changes::tell(Change change) {
  for (const auto& listener : listeners()) {
    if (listener->wants(change)) listener->tell_(list_changed(change), Json::object());
  }
}

void Changes::tell_resource(const std::string& uri) {
  for (const auto& listener : listeners()) {
    if (listener->wants_resource(uri)) listener->tell_("notifications/resources/updated", {{"uri", uri}});
  }
}
}  // namespace kinetoscope::mcp
