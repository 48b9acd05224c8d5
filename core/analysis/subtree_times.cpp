#include "core/analysis/subtree_times.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "core/base/interval_set.hpp"
#include "core/analysis/launchers.hpp"

namespace kinetoscope::analysis {
namespace {

/// A set of intervals that grows. Those that overlap or touch are one.
class GrowingSet {
 public:
  void add(Interval added) {
    if (added.begin_ns >= added.end_ns) return;
    auto next =
        ends_.empty() || ends_.rbegin()->first < added.begin_ns ? ends_.end() : ends_.upper_bound(added.begin_ns);
    if (next != ends_.begin() && std::prev(next)->second >= added.begin_ns) --next;
    while (next != ends_.end() && next->first <= added.end_ns) {
      added.begin_ns = std::min(added.begin_ns, next->first);
      added.end_ns = std::max(added.end_ns, next->second);
      total_ns_ -= next->second - next->first;
      next = ends_.erase(next);
    }
    ends_.emplace_hint(next, added.begin_ns, added.end_ns);
    total_ns_ += added.end_ns - added.begin_ns;
  }
  /// `other` is left with anything.
  void join(GrowingSet& other) {
    if (other.ends_.size() > ends_.size()) std::swap(*this, other);
    for (const auto& [begin_ns, end_ns] : other.ends_) add({begin_ns, end_ns});
  }
  [[nodiscard]] std::int64_t total_ns() const noexcept { return total_ns_; }

 private:
  std::map<std::int64_t, std::int64_t> ends_;  // by begin
  std::int64_t total_ns_ = 0;
};

/// A launcher whose subtree is being walked.
struct Open {
  Launcher* launcher = nullptr;
  NodeId subtree_end = no_node;
  GrowingSet ran{};
};

class Walk {
 public:
  explicit Walk(const TableInput& input) : input_(input) {}

  /// The launcher and all that stand in its subtree.
  void measure(std::span<Launcher> launchers) {
    auto next = launchers.begin();
    for (const EventId event : input_.tree().gpu_events(launchers.front().node)) {
      if (!input_.contains(event)) continue;
      const NodeId call = input_.tree().launch(event);
      for (; next != launchers.end() && next->node <= call; ++next) open(*next);
      close_before(call);
      const std::optional<Interval> extent = input_.trace().extent(event);
      if (extent) stack_.back().ran.add(*extent);
    }
    while (!stack_.empty()) close();
  }

 private:
  void open(Launcher& launcher) {
    close_before(launcher.node);
    stack_.push_back({&launcher, input_.tree().subtree_end(launcher.node)});
  }
  void close_before(NodeId node) {
    while (!stack_.empty() && stack_.back().subtree_end <= node) close();
  }
  void close() {
    GrowingSet ran = std::move(stack_.back().ran);
    stack_.back().launcher->subtree_ns = ran.total_ns();
    stack_.pop_back();
    if (!stack_.empty()) stack_.back().ran.join(ran);
  }

  const TableInput& input_;
  std::vector<Open> stack_;
};
}  // namespace

void measure_subtrees(const TableInput& input, std::span<Launcher> launchers) {
  Walk walk(input);
  for (std::size_t begin = 0, end = 0; begin < launchers.size(); begin = end) {
    const NodeId subtree_end = input.tree().subtree_end(launchers[begin].node);
    end = begin + 1;
    while (end < launchers.size() && launchers[end].node < subtree_end) ++end;
    const std::size_t below = input.tree().gpu_events(launchers[begin].node).size();
    // Most launchers have nothing below them but their own work.
    if (end == begin + 1 && below == launchers[begin].events) continue;
    walk.measure(launchers.subspan(begin, end - begin));
  }
}
}  // namespace kinetoscope::analysis
