#include "server/mcp/methods.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/mcp/handshake_session.hpp"
#include "server/mcp/listings.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr Keeping fixed_list = {3'600'000, true};
constexpr Keeping fixed_content = {60'000, false};
constexpr std::size_t most_completions = 100;

const std::string& required_text(const Json& params, std::string_view key) {
  const std::string* const text = text_member(params, key);
  if (text == nullptr) throw ProtocolError(code::invalid_params, std::string(key) + " is a text, and required");
  return *text;
}

/// `arguments`, an empty object where there are none.
const Json& arguments_of(const Json& params) {
  const Json* const arguments = member(params, "arguments");
  if (arguments != nullptr && !arguments->is_object() && !arguments->is_null()) {
    throw ProtocolError(code::invalid_params, "arguments is an object");
  }
  return object_member(params, "arguments");
}

Outcome discover(const MethodFacts& facts) {
  facts.keeping = fixed_list;
  return discover_result(facts.definition);
}

Outcome ping(const MethodFacts&) { return Json::object(); }

Outcome list_tools(const MethodFacts& facts) {
  facts.keeping = fixed_list;
  return page_of("tools", tools_list(facts.definition), facts.request.params);
}

Outcome call_tool(const MethodFacts& facts) {
  const std::string& name = required_text(facts.request.params, "name");
  const Tool* const tool = facts.definition.tool(name);
  if (tool == nullptr) throw ProtocolError(code::invalid_params, "unknown tool: see tools/list", {{"name", name}});
  return tool->call(arguments_of(facts.request.params), facts.call);
}

Outcome list_prompts(const MethodFacts& facts) {
  facts.keeping = fixed_list;
  return page_of("prompts", prompts_list(facts.definition), facts.request.params);
}

Outcome get_prompt(const MethodFacts& facts) {
  const std::string& name = required_text(facts.request.params, "name");
  const Prompt* const prompt = facts.definition.prompt(name);
  if (prompt == nullptr)
    throw ProtocolError(code::invalid_params, "unknown prompt: see prompts/list", {{"name", name}});
  const Json& given = arguments_of(facts.request.params);
  if (const Json* const arguments = member(prompt->declaration, "arguments")) {
    for (const Json& argument : *arguments) {
      if (argument.value("required", false))
        static_cast<void>(required_text(given, argument.at("name").get<std::string>()));
    }
  }
  return prompt->get(given, facts.call);
}

Outcome list_resources(const MethodFacts& facts) {
  return page_of("resources", facts.definition.resources.list(), facts.request.params);
}

Outcome list_templates(const MethodFacts& facts) {
  facts.keeping = fixed_list;
  return page_of("resourceTemplates", facts.definition.resources.templates, facts.request.params);
}

Outcome read_resource(const MethodFacts& facts) {
  const std::string& uri = required_text(facts.request.params, "uri");
  const std::optional<ResourceContents> found = facts.definition.resources.read(uri, facts.call);
  if (!found) {
    const int not_found = is_stateless(facts.call.revision()) ? code::invalid_params : code::resource_not_found;
    throw ProtocolError(not_found, "no such resource", {{"uri", uri}});
  }
  if (found->is_fixed) facts.keeping = fixed_content;
  return Json{{"contents", found->contents}};
}

/// The definition's own prompts only; addresses are for its function to know.
void check_reference(const Definition& definition, const Json& reference) {
  const std::string& type = required_text(reference, "type");
  if (type == "ref/resource") return static_cast<void>(required_text(reference, "uri"));
  if (type != "ref/prompt") throw ProtocolError(code::invalid_params, "ref is a ref/prompt or a ref/resource");
  if (definition.prompt(required_text(reference, "name")) == nullptr) {
    throw ProtocolError(code::invalid_params, "unknown prompt: see prompts/list");
  }
}

Outcome complete(const MethodFacts& facts) {
  const Json& params = facts.request.params;
  const Json& reference = object_member(params, "ref");
  check_reference(facts.definition, reference);
  const Json& argument = object_member(params, "argument");
  Completion found =
      facts.definition.complete(reference, required_text(argument, "name"), required_text(argument, "value"),
                                object_member(object_member(params, "context"), "arguments"));
  const std::size_t total = found.values.size();
  found.values.resize(std::min(total, most_completions));
  return Json{{"completion", {{"values", found.values}, {"total", total}, {"hasMore", total > most_completions}}}};
}

HandshakeSession& session_of(const MethodFacts& facts) { return *facts.call.caller().session; }

Outcome set_log_level(const MethodFacts& facts) {
  const std::optional<LogLevel> level = log_level_of(required_text(facts.request.params, "level"));
  if (!level) throw ProtocolError(code::invalid_params, "level is one of debug, info, ... emergency");
  session_of(facts).set_log_level(*level);
  return Json::object();
}

Outcome subscribe(const MethodFacts& facts) {
  session_of(facts).subscribe(required_text(facts.request.params, "uri"));
  return Json::object();
}

Outcome unsubscribe(const MethodFacts& facts) {
  session_of(facts).unsubscribe(required_text(facts.request.params, "uri"));
  return Json::object();
}

Outcome get_task(const MethodFacts& facts) {
  return facts.tasks.status(required_text(facts.request.params, "taskId"), facts.call.caller());
}

Outcome update_task(const MethodFacts& facts) {
  const std::string& id = required_text(facts.request.params, "taskId");
  facts.tasks.answer(id, object_member(facts.request.params, "inputResponses"), facts.call.caller());
  return Json::object();
}

Outcome cancel_task(const MethodFacts& facts) {
  facts.tasks.cancel(required_text(facts.request.params, "taskId"), facts.call.caller());
  return Json::object();
}

bool always(const Definition&) { return true; }
bool has_tools(const Definition& definition) { return !definition.tools.empty(); }
bool has_prompts(const Definition& definition) { return !definition.prompts.empty(); }
bool has_resources(const Definition& definition) { return definition.has_resources(); }
bool has_completions(const Definition& definition) { return static_cast<bool>(definition.complete); }
bool has_logging(const Definition& definition) { return definition.has_logging; }
bool has_tasks(const Definition& definition) { return definition.has_tasks; }
bool has_subscriptions(const Definition& definition) { return definition.has_subscriptions; }

constexpr std::array shared_methods = {
    Method{"tools/list", list_tools, has_tools, true},
    Method{"tools/call", call_tool, has_tools, false, true},
    Method{"prompts/list", list_prompts, has_prompts, true},
    Method{"prompts/get", get_prompt, has_prompts, false, true},
    Method{"resources/list", list_resources, has_resources, true},
    Method{"resources/templates/list", list_templates, has_resources, true},
    Method{"resources/read", read_resource, has_resources, true, true},
    Method{"completion/complete", complete, has_completions},
};
constexpr std::array stateless_methods = {
    Method{"server/discover", discover, always, true},
    Method{"tasks/get", get_task, has_tasks, false, false, true},
    Method{"tasks/update", update_task, has_tasks, false, false, true},
    Method{"tasks/cancel", cancel_task, has_tasks, false, false, true},
};
constexpr std::array handshake_methods = {
    Method{"ping", ping, always},
    Method{"logging/setLevel", set_log_level, has_logging},
    Method{"resources/subscribe", subscribe, has_subscriptions},
    Method{"resources/unsubscribe", unsubscribe, has_subscriptions},
};

const Method* named_method(std::span<const Method> methods, std::string_view name) {
  const auto found = std::ranges::find(methods, name, &Method::name);
  return found == methods.end() ? nullptr : &*found;
}
}  // namespace

const Method* method_of(std::string_view name, Revision revision, const Definition& definition) {
  const Method* found = named_method(shared_methods, name);
  if (found == nullptr) {
    found = is_stateless(revision) ? named_method(stateless_methods, name) : named_method(handshake_methods, name);
  }
  return found != nullptr && found->is_offered(definition) ? found : nullptr;
}

bool offers_listening(const Definition& definition) {
  return definition.tools_change || definition.prompts_change || definition.resources_change ||
         definition.has_subscriptions;
}
}  // namespace kinetoscope::mcp
