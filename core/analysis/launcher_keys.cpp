#include "core/analysis/launcher_keys.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/huge_array.hpp"
#include "core/base/python_literal.hpp"
#include "core/analysis/operator_categories.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::string_view unknown_text = "Unknown";
constexpr std::string_view no_module = "NA";

struct PrintedArgument {
  Argument argument{};
  KeyPart part{};
};
constexpr std::array printed_arguments = {
    PrintedArgument{Argument::input_dims, KeyPart::input_dims},
    PrintedArgument{Argument::input_types, KeyPart::input_types},
    PrintedArgument{Argument::input_strides, KeyPart::input_strides},
    PrintedArgument{Argument::concrete_inputs, KeyPart::concrete_inputs},
};

/// What the threads of a trace are called.
struct TrackTexts {
  std::uint32_t process_name = 0;
  std::uint32_t process_label = 0;
  std::uint32_t thread_name = 0;
};

class KeyMaker {
 public:
  KeyMaker(const TableInput& input, const Launchers& launchers, const KeySources& sources, TextIndex& texts)
      : tree_(input.tree()),
        options_(input.options()),
        launchers_(launchers),
        sources_(sources),
        texts_(texts),
        categories_(input.tree(), input.registry()),
        operator_names_(tree_.trace().names_count(), no_text) {
    for (const Track& track : tree_.trace().tracks()) {
      tracks_.push_back({known(track.process_name), known(track.process_labels), known(track.thread_name)});
    }
  }

  LauncherKey make(const Launcher& launcher) {
    const std::span<const EventId> events = launchers_.events_of(launcher);
    const TrackTexts& track = tracks_[index_of(tree_.track(launcher.node))];
    LauncherKey key;
    key.set(KeyPart::name, name_of(launcher.node));
    key.set(KeyPart::category,
            static_cast<std::uint32_t>(categories_.of(launcher.node, first_own(launcher.node, events))));
    key.set(KeyPart::process_name, track.process_name);
    key.set(KeyPart::process_label, track.process_label);
    key.set(KeyPart::thread_name, track.thread_name);
    const EventId event = tree_.arguments_event(launcher.node);
    for (const PrintedArgument& one : printed_arguments) key.set(one.part, printed(event, one.argument));
    if (options_.groups_by_kernel_count) key.set(KeyPart::kernels, launcher.events);
    if (options_.groups_by_parent_module) key.set(KeyPart::parent_module, module_of(launcher.node));
    if (sources_.recompute != nullptr) key.set(KeyPart::is_recompute, is_recompute(launcher.node, events) ? 1 : 0);
    return key;
  }

 private:
  /// What a call clears or copies through operators inside it says nothing of its own work: max_pool2d's backward is
  /// not elementwise because it fills its result with zeros first. The first of all where it launches nothing itself;
  /// no_event where nothing is launched at all.
  EventId first_own(NodeId node, std::span<const EventId> events) const {
    const auto own = std::ranges::find(events, node, [&](EventId event) { return tree_.launcher(event); });
    if (own != events.end()) return *own;
    return events.empty() ? no_event : events.front();
  }

  std::uint32_t known(NameId name) {
    return texts_.add(name == no_name ? unknown_text : tree_.trace().text(name)).index;
  }

  std::uint32_t name_of(NodeId node) {
    // Only recorded operators have a name that is the same for all events of one NameId.
    if (tree_.is_pseudo(node) || tree_.role(node) != Role::operator_call) return texts_.add(tree_.name(node)).index;
    const NameId name = tree_.trace().name(tree_.event(node));
    if (name == no_name) return texts_.add({}).index;
    std::uint32_t& number = operator_names_[index_of(name)];
    if (number == no_text) number = texts_.add(tree_.name(node)).index;
    return number;
  }

  std::uint32_t printed(EventId event, Argument argument) {
    const std::optional<JsonId> json = tree_.trace().json(event, argument);
    if (!json) return no_text;
    if (printed_.size() <= index_of(*json)) printed_.resize(index_of(*json) + 1, no_text);
    std::uint32_t& number = printed_[index_of(*json)];
    if (number == no_text) number = texts_.add(python_tuple(tree_.trace().json_text(*json))).index;
    return number;
  }

  std::uint32_t module_of(NodeId node) {
    const NodeId module = sources_.stacks == nullptr ? no_node : sources_.stacks->module_of(node);
    return texts_.add(module == no_node ? no_module : tree_.module_label(module)).index;
  }

  /// All its GPU work is; of a call without any, the call itself.
  bool is_recompute(NodeId node, std::span<const EventId> events) const {
    if (events.empty()) return sources_.recompute->contains(node);
    return std::ranges::all_of(events, [&](EventId event) { return sources_.recompute->contains_gpu(event); });
  }

  const CallTree& tree_;
  const TableOptions& options_;
  const Launchers& launchers_;
  const KeySources& sources_;
  TextIndex& texts_;
  OperatorCategories categories_;
  std::vector<TrackTexts> tracks_;
  HugeArray<std::uint32_t> operator_names_;  // by NameId
  HugeArray<std::uint32_t> printed_;         // by JsonId
};
}  // namespace

HugeArray<LauncherKey> launcher_keys(const TableInput& input, const Launchers& launchers, const KeySources& sources,
                                     TextIndex& texts) {
  KeyMaker maker(input, launchers, sources, texts);
  HugeArray<LauncherKey> keys;
  keys.reserve(launchers.launchers.size());
  for (const Launcher& launcher : launchers.launchers) keys.push_back(maker.make(launcher));
  return keys;
}

LauncherGroups group_launchers(std::span<const LauncherKey> keys, std::span<const KeyPart> by) {
  TextIndex groups;
  HugeArray<std::uint32_t> group_of;
  group_of.reserve(keys.size());
  std::array<std::uint32_t, key_parts> own{};
  for (const LauncherKey& key : keys) {
    for (std::size_t i = 0; i < by.size(); ++i) own[i] = key.of(by[i]);
    const std::string_view bytes(reinterpret_cast<const char*>(own.data()), by.size() * sizeof(own[0]));
    group_of.push_back(groups.add(bytes).index);
  }
  LauncherGroups out;
  out.first.resize(groups.size() + std::size_t{1});
  for (const std::uint32_t group : group_of) ++out.first[group + std::size_t{1}];
  for (std::size_t group = 0; group < groups.size(); ++group) out.first[group + 1] += out.first[group];
  out.places.resize_for_overwrite(keys.size());
  HugeArray<std::uint32_t> next(out.first);
  for (std::uint32_t place = 0; place < keys.size(); ++place) out.places[next[group_of[place]]++] = place;
  return out;
}
}  // namespace kinetoscope::analysis
