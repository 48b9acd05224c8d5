#include "core/tree/nesting.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/radix_sort.hpp"
#include "core/tree/diagnostics.hpp"

namespace kinetoscope {
namespace {

/// A call of one thread, as small as sorting allows.
struct Call {
  std::int64_t begin_ns = 0;
  EventId event = no_event;
  bool is_python = false;
};
static_assert(sizeof(Call) == 16);

std::int64_t end_ns_of(const Trace& trace, const Call& call) {
  return call.begin_ns + std::max<std::int64_t>(trace.duration_ns(call.event), 0);  // unknown: without extent
}

constexpr std::uint32_t none = 0xffff'ffff;

/// How a later call relates to an open one that it does not begin behind.
enum class Overlap : std::uint8_t { inside, inside_by_tolerance, crossing };

Overlap overlap_of(std::int64_t begin_ns, std::int64_t end_ns, std::int64_t open_end_ns) {
  const std::int64_t excess_ns = end_ns - open_end_ns;
  if (excess_ns <= 0) return Overlap::inside;
  const bool is_tolerable = excess_ns < nesting_tolerance_ns && excess_ns <= open_end_ns - begin_ns;
  return is_tolerable ? Overlap::inside_by_tolerance : Overlap::crossing;
}

/// The calls of every thread, grouped by track (counting sort), each group sorted.
class SortedCalls {
 public:
  SortedCalls(const Trace& trace, bool with_python) : first_(trace.tracks().size() + 1) {
    const auto is_wanted = [&](EventId event) {
      const Role role = trace.role(event);
      return is_host_call(role) && (with_python || role != Role::python_call) &&
             trace.begin_ns(event) != unknown_time_ns;
    };
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (is_wanted(id_at<EventId>(i))) ++first_[index_of(trace.track(id_at<EventId>(i))) + 1];
    }
    for (std::size_t track = 1; track < first_.size(); ++track) first_[track] += first_[track - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    calls_.resize_for_overwrite(first_.back());
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const auto event = id_at<EventId>(i);
      if (!is_wanted(event)) continue;
      calls_[next[index_of(trace.track(event))]++] = {trace.begin_ns(event), event,
                                                      trace.role(event) == Role::python_call};
    }
    sort_groups(trace);
  }

  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  [[nodiscard]] std::span<const Call> of(std::size_t track) const {
    return {calls_.begin() + first_[track], calls_.begin() + first_[track + 1]};
  }

 private:
  void sort_groups(const Trace& trace) {
    HugeArray<Call> scratch;
    for (std::size_t track = 0; track + 1 < first_.size(); ++track) {
      Call* const begin = calls_.begin() + first_[track];
      Call* const end = calls_.begin() + first_[track + 1];
      // Flipping the sign bit makes the order of signed numbers that of unsigned ones.
      radix_sort(begin, end, scratch,
                 [](const Call& call) { return static_cast<std::uint64_t>(call.begin_ns) ^ (std::uint64_t{1} << 63); });
      sort_ties(trace, begin, end);
    }
  }

  /// Of calls that start together, the longest is outside.
  static void sort_ties(const Trace& trace, Call* begin, Call* end) {
    while (begin != end) {
      Call* tie_end = begin + 1;
      while (tie_end != end && tie_end->begin_ns == begin->begin_ns) ++tie_end;
      if (tie_end - begin > 1) {
        std::stable_sort(begin, tie_end, [&](const Call& left, const Call& right) {
          return end_ns_of(trace, left) > end_ns_of(trace, right);
        });
      }
      begin = tie_end;
    }
  }

  std::vector<std::size_t> first_;
  HugeArray<Call> calls_;
};

/// The nesting of operators and runtime calls of one thread, Python frames left out; by position in the thread.
struct HostNesting {
  /// For the next thread; what memory there is is used again.
  void reset(std::span<const Call> calls, const Trace& trace) {
    parent.clear();
    parent.resize(calls.size(), none);
    end_ns.resize_for_overwrite(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) end_ns[i] = end_ns_of(trace, calls[i]);
    last_child_begin_ns.clear();
    last_child_begin_ns.resize(calls.size(), unknown_time_ns);
  }

  HugeArray<std::uint32_t> parent;              // none without
  HugeArray<std::int64_t> end_ns;               // where the call is closed: its end, or its parent's
  HugeArray<std::int64_t> last_child_begin_ns;  // of its last descendant, unknown_time_ns without
};

/// Nests one thread; positions are those in its calls.
class ThreadNesting {
 public:
  ThreadNesting(std::span<const Call> calls, HostNesting& host, const Trace& trace, Diagnostics& diagnostics)
      : calls_(calls), host_(host), trace_(trace), diagnostics_(diagnostics) {
    host_.reset(calls, trace);
  }

  void run(HugeArray<NestedCall>& nodes) {
    nest_host();
    nest_all(nodes);
  }

 private:
  /// An open call of the second pass.
  struct Open {
    std::uint32_t position = none;
    std::uint32_t host = none;  // itself, or the nearest operator or runtime call around it
    std::int64_t end_ns = 0;
    bool is_python = false;
  };

  [[nodiscard]] const Call& call(std::size_t position) const { return calls_[position]; }
  [[nodiscard]] std::size_t count() const { return calls_.size(); }
  void count_repair() { diagnostics_.add(tree_diagnostics::nesting_repaired); }

  void nest_host() {
    std::vector<std::uint32_t> open;
    std::uint32_t last = none;  // the operator before: the last descendant of all that close now, but for itself
    const auto close = [&] {
      if (open.back() != last) host_.last_child_begin_ns[open.back()] = call(last).begin_ns;
      open.pop_back();
    };
    for (std::uint32_t i = 0; i < count(); ++i) {
      const Call& current = call(i);
      if (current.is_python) continue;
      while (!open.empty() && host_.end_ns[open.back()] <= current.begin_ns) close();
      const std::int64_t end_ns = host_.end_ns[i];
      bool is_repaired = false;
      while (!open.empty()) {
        const std::int64_t open_end_ns = host_.end_ns[open.back()];
        const Overlap overlap = overlap_of(current.begin_ns, end_ns, open_end_ns);
        is_repaired = is_repaired || overlap != Overlap::inside;
        if (overlap != Overlap::crossing) {
          host_.end_ns[i] = std::min(end_ns, open_end_ns);
          break;
        }
        close();
      }
      if (is_repaired) count_repair();
      host_.parent[i] = open.empty() ? none : open.back();
      open.push_back(i);
      last = i;
    }
    while (!open.empty()) close();
  }

  void nest_all(HugeArray<NestedCall>& nodes) {
    first_node_ = nodes.size();
    for (std::uint32_t i = 0; i < count(); ++i) {
      close_ended(nodes, i);
      Open opened;
      opened.position = i;
      opened.is_python = call(i).is_python;
      if (opened.is_python) {
        opened.end_ns = place_frame(nodes, i);
        opened.host = open_.empty() ? none : open_.back().host;
      } else {
        place_operator(nodes, i);
        opened.end_ns = host_.end_ns[i];
        opened.host = i;
      }
      NestedCall node;
      node.event = call(i).event;
      if (!open_.empty()) {
        node.parent = node_at(open_.back().position);
        if (open_.back().host != none) node.host_parent = node_at(open_.back().host);
      }
      nodes.push_back(node);
      open_.push_back(opened);
    }
    while (!open_.empty()) close(nodes, static_cast<std::uint32_t>(count()));
  }

  [[nodiscard]] NodeId node_at(std::uint32_t position) const { return id_at<NodeId>(first_node_ + position); }

  void close(HugeArray<NestedCall>& nodes, std::uint32_t next_position) {
    nodes[first_node_ + open_.back().position].subtree_end = node_at(next_position);
    open_.pop_back();
  }

  void close_ended(HugeArray<NestedCall>& nodes, std::uint32_t i) {
    while (!open_.empty() && open_.back().end_ns <= call(i).begin_ns) close(nodes, i);
  }

  /// Leaves open the operator's host parent and the frames that stand between the two.
  void place_operator(HugeArray<NestedCall>& nodes, std::uint32_t i) {
    while (!open_.empty() && open_.back().host != host_.parent[i]) close(nodes, i);
    const std::int64_t begin_ns = call(i).begin_ns;
    const std::int64_t end_ns = host_.end_ns[i];
    while (!open_.empty() && open_.back().is_python) {
      const Overlap overlap = overlap_of(begin_ns, end_ns, open_.back().end_ns);
      if (overlap == Overlap::inside) return;
      count_repair();
      if (overlap == Overlap::inside_by_tolerance) {
        // The frames last as long as the operator, or later calls inside the operator would lose them.
        for (std::size_t at = open_.size(); at > 0 && open_[at - 1].is_python && open_[at - 1].end_ns < end_ns; --at) {
          open_[at - 1].end_ns = end_ns;
        }
        return;
      }
      close(nodes, i);
    }
  }

  /// Leaves open what stands around the frame; says where the frame is closed.
  std::int64_t place_frame(HugeArray<NestedCall>& nodes, std::uint32_t i) {
    const Call& frame = call(i);
    bool is_repaired = false;
    const std::int64_t own_end_ns = host_.end_ns[i];
    std::int64_t end_ns = own_end_ns;
    while (!open_.empty()) {
      const Open& top = open_.back();
      const Overlap overlap = overlap_of(frame.begin_ns, own_end_ns, top.end_ns);
      if (overlap == Overlap::inside) break;
      is_repaired = true;
      const bool has_later_children = !top.is_python && host_.last_child_begin_ns[top.position] != unknown_time_ns &&
                                      host_.last_child_begin_ns[top.position] >= frame.begin_ns;
      if (overlap == Overlap::inside_by_tolerance || has_later_children || is_parent_by_id(top, i)) {
        end_ns = top.end_ns;
        break;
      }
      close(nodes, i);
    }
    if (is_repaired) count_repair();
    return end_ns;
  }

  /// The profiler says that `top` called the frame.
  [[nodiscard]] bool is_parent_by_id(const Open& top, std::uint32_t i) const {
    if (!top.is_python) return false;
    const auto parent_id = trace_.integer(call(i).event, Argument::python_parent_id);
    return parent_id && parent_id == trace_.integer(call(top.position).event, Argument::python_id);
  }

  std::span<const Call> calls_;
  HostNesting& host_;
  const Trace& trace_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::size_t first_node_ = 0;
};
}  // namespace

HugeArray<NestedCall> nest_calls(const Trace& trace, bool with_python, Diagnostics& diagnostics) {
  const SortedCalls sorted(trace, with_python);
  HugeArray<NestedCall> nodes;
  nodes.reserve(sorted.size());
  HostNesting host;
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    ThreadNesting(sorted.of(track), host, trace, diagnostics).run(nodes);
  }
  return nodes;
}
}  // namespace kinetoscope
