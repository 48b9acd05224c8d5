#include "core/analysis/call_stacks.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/python_literal.hpp"
#include "core/base/text_index.hpp"
#include "core/base/unicode.hpp"
#include "core/names/python_frames.hpp"

namespace kinetoscope::analysis {
namespace {

using Frames = std::vector<std::string>;

constexpr std::string_view nothing_found = "Not found";
constexpr std::size_t longest_name = 256;  // characters

std::string cut(std::string_view name) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < longest_name && end < name.size(); ++i) static_cast<void>(next_character(name, end));
  return end == name.size() ? std::string(name) : std::string(name.substr(0, end)) + "..";
}

std::string list_of(std::span<const std::string> items) {
  std::string out;
  for (const std::string& item : items) {
    if (!out.empty()) out += ", ";
    out += python_string(item);
  }
  return out;
}

std::string frame_of(const CallTree& tree, NodeId node) { return names::without_numbers(cut(tree.name(node))); }

bool is_shown(const CallTree& tree, NodeId node) {
  return tree.role(node) == Role::operator_call || names::is_shown_frame(tree.name(node));
}

/// The same; each name is looked at once.
class ShownCalls {
 public:
  explicit ShownCalls(const CallTree& tree) : tree_(tree), by_name_(tree.trace().names_count(), not_asked) {}

  [[nodiscard]] bool has(NodeId node) {
    if (tree_.role(node) == Role::operator_call) return true;
    const NameId name = tree_.trace().name(tree_.event(node));
    if (name == no_name) return is_shown(tree_, node);
    std::uint8_t& known = by_name_[index_of(name)];
    if (known == not_asked) known = is_shown(tree_, node) ? 1 : 0;
    return known == 1;
  }

 private:
  static constexpr std::uint8_t not_asked = 2;
  const CallTree& tree_;
  std::vector<std::uint8_t> by_name_;
};

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& letter : out) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return out;
}

/// The operator's own name, without its library's.
std::string local_name(std::string_view name) {
  constexpr std::string_view mark = "::";
  const std::size_t found = name.rfind(mark);
  return lower_case(found == std::string_view::npos ? name : name.substr(found + mark.size()));
}

std::string entry_point(std::string_view name, const Frames& around, std::span<const Frames> below) {
  const std::string local = local_name(names::without_numbers(name));
  for (const Frames& frames : below) {
    for (const std::string& frame : frames) {
      if (!names::is_source_frame(frame)) continue;
      const std::string function = lower_case(names::function_of_frame(frame));
      if (function.find(local) != std::string::npos) return frame;
    }
  }
  const auto nearest = std::find_if(around.rbegin(), around.rend(), [](const std::string& frame) {
    return names::is_source_frame(frame) && !names::is_wrapper_frame(frame);
  });
  return nearest == around.rend() ? std::string(nothing_found) : *nearest;
}

/// Shown calls from below `top` down to `innermost`, itself among them: as many of the innermost as a stack may have.
/// Nodes are numbered depth-first, so what is above `top` has a lower number.
Frames frames_down_to(const CallTree& tree, std::span<const NodeId> shown_above, NodeId innermost, NodeId top) {
  Frames out;
  for (NodeId at = innermost; at != no_node && (top == no_node || at > top); at = shown_above[index_of(at)]) {
    if (out.size() == most_stack_frames) {
      out.emplace_back(stack_cut_mark);
      break;
    }
    out.push_back(frame_of(tree, at));
  }
  std::ranges::reverse(out);
  return out;
}

/// Numbers for what stands between an operator and calls below it, equal where it reads the same. Each call is looked
/// at once, however many launches stand below it.
class WayNumbers {
 public:
  WayNumbers(const CallTree& tree, std::span<const NodeId> shown_above, NodeId top)
      : tree_(tree), shown_above_(shown_above), top_(top) {}

  [[nodiscard]] std::uint32_t of(NodeId node) {
    walked_.clear();
    std::uint32_t number = 0;  // of the operator itself
    for (NodeId at = node; at != no_node && at > top_; at = shown_above_[index_of(at)]) {
      const auto known = of_node_.find(index_of(at));
      if (known != of_node_.end()) {
        number = known->second;
        break;
      }
      walked_.push_back(at);
    }
    for (std::size_t i = walked_.size(); i-- > 0;) {
      const std::uint32_t frame = frames_.add(frame_of(tree_, walked_[i])).index;
      const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
      number = numbers_.try_emplace(std::pair(number, frame), next).first->second;
      of_node_.emplace(index_of(walked_[i]), number);
    }
    return number;
  }

 private:
  const CallTree& tree_;
  std::span<const NodeId> shown_above_;
  NodeId top_;
  std::unordered_map<std::size_t, std::uint32_t> of_node_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  // by that above and the frame
  TextIndex frames_;
  std::vector<NodeId> walked_;
};

/// What stands between a node and each of its kernels, ways that are the same once, in order of first appearance.
struct Ways {
  std::vector<Frames> shown;
  bool has_more = false;
};
Ways ways_to_kernels(const CallTree& tree, std::span<const NodeId> shown_above, NodeId node,
                     std::span<const EventId> gpu_events) {
  Ways out;
  WayNumbers numbers(tree, shown_above, node);
  std::set<std::pair<std::uint32_t, NameId>> seen;
  NodeId last_above = no_node;
  std::uint32_t number = 0;
  for (const EventId event : gpu_events) {
    const NodeId launch = tree.launch(event);
    const NodeId above = launch == node ? no_node : shown_above[index_of(launch)];
    if (above != last_above) number = numbers.of(above);
    last_above = above;
    if (!seen.emplace(number, tree.trace().name(event)).second) continue;
    if (out.shown.size() == most_stack_ways) {
      out.has_more = true;
      break;
    }
    Frames way = above == no_node ? Frames() : frames_down_to(tree, shown_above, above, node);
    way.emplace_back(tree.trace().name_text(event));
    out.shown.push_back(std::move(way));
  }
  return out;
}

std::size_t common_length(std::span<const Frames> ways) {
  std::size_t common = ways.front().size();
  for (const Frames& way : ways) {
    const auto differ = std::ranges::mismatch(way, ways.front()).in1;
    common = std::min(common, static_cast<std::size_t>(differ - way.begin()));
  }
  return common;
}
}  // namespace

CallStacks::CallStacks(const CallTree& tree) : tree_(&tree) {
  modules_.resize_for_overwrite(tree.size());
  shown_above_.resize_for_overwrite(tree.size());
  ShownCalls shown(tree);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    const NodeId parent = tree.parent(node);
    const NodeId around = parent == no_node ? no_node : modules_[index_of(parent)];  // parents come first
    modules_[i] = tree.is_module(node) ? node : around;
    shown_above_[i] = parent == no_node || shown.has(parent) ? parent : shown_above_[index_of(parent)];
  }
}

std::string CallStacks::modules_text(NodeId node) const {
  Frames frames = {cut(tree_->name(node))};
  for (NodeId at = tree_->parent(node); at != no_node;) {
    const NodeId module = module_of(at);
    if (module == no_node) break;
    if (frames.size() == most_stack_frames) {
      frames.emplace_back(stack_cut_mark);
      break;
    }
    frames.push_back(cut(tree_->name(module)));
    at = tree_->parent(module);
  }
  return "[" + list_of(frames) + "]";
}

FullCallStack CallStacks::full(NodeId node, std::span<const EventId> gpu_events) const {
  const Frames around = frames_down_to(*tree_, shown_above_.span(), shown_above_[index_of(node)], no_node);
  const Ways found = ways_to_kernels(*tree_, shown_above_.span(), node, gpu_events);
  const std::vector<Frames>& ways = found.shown;
  FullCallStack out;
  out.entry_point = entry_point(tree_->name(node), around, ways);
  Frames shared = around;
  if (is_shown(*tree_, node)) shared.push_back(names::without_numbers(tree_->name(node)));
  if (ways.empty()) {
    out.text = shared.empty() ? std::string(nothing_found) : "[" + list_of(shared) + "]";
    return out;
  }
  const std::size_t common = common_length(ways);
  shared.insert(shared.end(), ways.front().begin(), ways.front().begin() + static_cast<std::ptrdiff_t>(common));
  out.text = "[" + list_of(shared);
  for (const Frames& way : ways) {
    if (way.size() == common) continue;
    if (out.text.size() > 1) out.text += ", ";
    out.text += "[" + list_of(std::span(way).subspan(common)) + "]";
  }
  if (found.has_more) out.text += fmt::format(", ['{}']", stack_cut_mark);
  out.text += "]";
  return out;
}
}  // namespace kinetoscope::analysis
