#include "core/analysis/call_stacks.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/python_literal.hpp"
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

bool is_shown(const CallTree& tree, NodeId node) {
  return tree.role(node) == Role::operator_call || names::is_shown_frame(tree.name(node));
}

/// The shown frames from below `top` down to `node`, `node` itself not among them.
Frames frames_above(const CallTree& tree, NodeId node, NodeId top) {
  Frames out;
  NodeId at = tree.parent(node);
  for (std::size_t walked = 0; walked < most_stack_frames && at != no_node && at != top; ++walked) {
    if (is_shown(tree, at)) out.push_back(names::without_numbers(cut(tree.name(at))));
    at = tree.parent(at);
  }
  std::ranges::reverse(out);
  return out;
}

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
  for (auto frame = around.rbegin(); frame != around.rend(); ++frame) {
    if (names::is_source_frame(*frame) && !names::is_wrapper_frame(*frame)) return *frame;
  }
  return std::string(nothing_found);
}

/// What stands between a node and each of its kernels, ways that are the same once, in order of first appearance.
std::vector<Frames> ways_to_kernels(const CallTree& tree, NodeId node, std::span<const EventId> gpu_events) {
  std::vector<Frames> out;
  std::set<Frames> seen;
  NodeId last_launch = no_node;
  Frames between;
  for (const EventId event : gpu_events) {
    const NodeId launch = tree.launch(event);
    if (launch != last_launch) between = launch == node ? Frames() : frames_above(tree, launch, node);
    last_launch = launch;
    Frames way = between;
    way.emplace_back(tree.trace().name_text(event));
    if (seen.insert(way).second) out.push_back(std::move(way));
    if (out.size() == most_stack_ways) break;
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
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    const NodeId parent = tree.parent(node);
    const NodeId around = parent == no_node ? no_node : modules_[index_of(parent)];  // parents come first
    modules_[i] = tree.is_module(node) ? node : around;
  }
}

std::string CallStacks::modules_text(NodeId node) const {
  Frames frames = {cut(tree_->name(node))};
  NodeId at = tree_->parent(node);
  while (at != no_node && frames.size() < most_stack_frames) {
    const NodeId module = module_of(at);
    if (module == no_node) break;
    frames.push_back(cut(tree_->name(module)));
    at = tree_->parent(module);
  }
  return "[" + list_of(frames) + "]";
}

FullCallStack CallStacks::full(NodeId node, std::span<const EventId> gpu_events) const {
  const Frames around = frames_above(*tree_, node, no_node);
  const std::vector<Frames> ways = ways_to_kernels(*tree_, node, gpu_events);
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
  out.text += "]";
  return out;
}
}  // namespace kinetoscope::analysis
