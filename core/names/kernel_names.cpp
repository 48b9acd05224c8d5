#include "core/names/kernel_names.hpp"

#include "embedded/kernel_kinds.hpp"
#include "core/names/name_rules.hpp"

namespace kinetoscope::names {
namespace {

enum KernelList : std::size_t { kinds, collectives, library_rules, function_rules, tag_rules, directions, memories };

constexpr std::array kernel_lists = {
    RuleList{"kinds", "kind", [](std::string_view text) { return number_of(kernel_kinds, text); }},
    RuleList{"collectives", "collective", [](std::string_view text) { return number_of(collective_kinds, text); }},
    RuleList{"libraries", "library", [](std::string_view text) { return number_of(libraries, text); }},
    RuleList{"functions", "function", [](std::string_view text) { return number_of(functions, text); }},
    RuleList{"tags", "tag", [](std::string_view text) { return number_of(tags, text); }},
    RuleList{"copy_directions", "direction", [](std::string_view text) { return number_of(copy_directions, text); }},
    RuleList{"host_memories", "memory", [](std::string_view text) { return number_of(host_memories, text); }},
};

const NameRules& kernel_rules() {
  static const NameRules read("core/names/kernel_kinds.json", embedded::kernel_kinds(), kernel_lists);
  return read;
}

template <typename Enum>
Enum first(KernelList list, const NameHits& hits, Enum otherwise) {
  const auto value = kernel_rules().first(list, hits);
  return value ? static_cast<Enum>(*value) : otherwise;
}

CopyTraits copy_traits(const NameHits& hits) {
  return {first(directions, hits, CopyDirection::unknown), first(memories, hits, HostMemory::unknown)};
}

bool is_host(std::string_view memory_kind) {
  return first(memories, kernel_rules().find(memory_kind), HostMemory::unknown) != HostMemory::unknown;
}
}  // namespace

KernelTraits classify_kernel(std::string_view name) {
  const NameHits hits = kernel_rules().find(name);
  KernelTraits traits;
  traits.kind = first(kinds, hits, KernelKind::unknown);
  traits.library = first(library_rules, hits, Library::unknown);
  if (traits.kind == KernelKind::communication) {
    traits.collective = first(collectives, hits, CollectiveKind::unknown);
  }
  if (traits.kind == KernelKind::memory_copy) traits.copy = copy_traits(hits);
  traits.functions = EnumSet<Function>(kernel_rules().all(function_rules, hits));
  traits.tags = EnumSet<Tag>(kernel_rules().all(tag_rules, hits));
  return traits;
}

CopyTraits copy_traits(std::string_view copy_kind, std::string_view source_kind, std::string_view destination_kind) {
  CopyTraits traits = copy_traits(kernel_rules().find(copy_kind));
  for (const std::string_view side : {source_kind, destination_kind}) {
    const auto memory = first(memories, kernel_rules().find(side), HostMemory::unknown);
    if (traits.host_memory == HostMemory::unknown) traits.host_memory = memory;
  }
  if (traits.direction != CopyDirection::unknown || source_kind.empty() || destination_kind.empty()) return traits;
  if (traits.host_memory == HostMemory::managed) return traits;  // it may be on either side
  const bool from_host = is_host(source_kind);
  const bool to_host = is_host(destination_kind);
  if (from_host && to_host) traits.direction = CopyDirection::host_to_host;
  if (from_host && !to_host) traits.direction = CopyDirection::host_to_device;
  if (!from_host && to_host) traits.direction = CopyDirection::device_to_host;
  if (!from_host && !to_host) traits.direction = CopyDirection::device_to_device;
  return traits;
}
}  // namespace kinetoscope::names
