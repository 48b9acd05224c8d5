#include "core/names/runtime_calls.hpp"

#include "embedded/runtime_calls.hpp"
#include "core/names/name_rules.hpp"

namespace kinetoscope::names {
namespace {

constexpr std::array runtime_call_lists = {
    RuleList{"calls", "call", [](std::string_view text) { return number_of(runtime_calls, text); }},
};

const NameRules& runtime_call_rules() {
  static const NameRules read("core/names/runtime_calls.json", embedded::runtime_calls(), runtime_call_lists);
  return read;
}
}  // namespace

RuntimeCall classify_runtime_call(std::string_view name) {
  const auto value = runtime_call_rules().first(0, runtime_call_rules().find(name));
  return value ? static_cast<RuntimeCall>(*value) : RuntimeCall::unknown;
}
}  // namespace kinetoscope::names
