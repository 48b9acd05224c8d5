#include "core/analysis/kernel_summary.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "core/base/dense_ids.hpp"
#include "core/base/group_index.hpp"
#include "core/base/wide_sum.hpp"
#include "core/analysis/parent_operators.hpp"
#include "core/analysis/stream_number.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::string_view unlinked_category = "unlinked";
constexpr std::string_view graph_category = "graph";      // launched with a graph, for no operator
constexpr std::string_view runtime_category = "runtime";  // launched by itself, for no operator

struct Parent {
  std::uint32_t category = no_id;
  std::uint32_t name = no_id;
};

struct Durations {
  std::uint64_t count = 0;
  std::uint64_t timed = 0;
  WideSum sum_ns = 0;
  std::int64_t min_ns = INT64_MAX;
  std::int64_t max_ns = 0;
};

class KernelSummary {
 public:
  KernelSummary(const TableInput& input, const CategoryOfOperator& category_of)
      : input_(input), tree_(input.tree()), category_of_(category_of), operators_(tree_), names_(tree_) {}

  void add(EventId event) {
    const NodeId launch = tree_.launch(event);
    const Parent parent = launch == no_node ? parent_without_node(event) : parent_of(launch);
    const NameId name = input_.trace().name(event);
    const std::uint32_t stream = streams_.of(stream_number(input_.trace(), event));
    const std::uint32_t group = groups_.of({parent.category, parent.name, static_cast<std::uint32_t>(name), stream});
    if (group == durations_.size()) durations_.emplace_back();
    Durations& durations = durations_[group];
    ++durations.count;
    const std::optional<Interval> extent = input_.trace().extent(event);
    if (!extent) return;
    const std::int64_t duration_ns = extent->end_ns - extent->begin_ns;
    ++durations.timed;
    durations.sum_ns += duration_ns;
    durations.min_ns = std::min(durations.min_ns, duration_ns);
    durations.max_ns = std::max(durations.max_ns, duration_ns);
    all_ns_ += duration_ns;
  }

  [[nodiscard]] std::vector<KernelSummaryRow> rows(std::int64_t total_ns) const {
    std::vector<KernelSummaryRow> rows;
    rows.reserve(groups_.size());
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
      const auto& [category, parent, name, stream] = groups_.key(group);
      const Durations& durations = durations_[group];
      KernelSummaryRow& row = rows.emplace_back();
      if (category != no_id) row.category = categories_.value(category);
      if (parent != no_id) row.parent = names_.text(parent);
      row.kernel_name = input_.trace().text(NameId{name});
      row.stream = streams_.value(stream);
      row.count = durations.count;
      if (durations.timed == 0) continue;
      row.sum_ns = durations.sum_ns;
      row.mean_ns = static_cast<double>(durations.sum_ns) / static_cast<double>(durations.timed);
      row.min_ns = durations.min_ns;
      row.max_ns = durations.max_ns;
      row.percent_of_kernels = percentage_of(durations.sum_ns, all_ns_);
      const bool is_in_population = input_.options().includes_unlinked || category != unlinked_;
      if (is_in_population) row.percent_of_total = percentage_of(durations.sum_ns, total_ns);
    }
    return rows;
  }

 private:
  /// A launch that was recorded without a start stands nowhere in the tree.
  Parent parent_without_node(EventId event) {
    const EventId call = tree_.link(event).launch;
    if (call != no_event) return launched_by(call);
    return {tree_.has_launches() ? unlinked_ : no_id, no_id};
  }

  Parent launched_by(EventId call) {
    const bool is_graph = tree_.runtime_call(call) == names::RuntimeCall::graph_launch;
    // Without operators the sheet has no column for the parent.
    return {is_graph ? categories_.of(graph_category) : runtime_, input_.is_gpu_only() ? no_id : names_.id(call)};
  }

  /// Kernels mostly stand in the order of their launches, so the last answer is often the next.
  Parent parent_of(NodeId launch) {
    if (launch == last_launch_) return last_parent_;
    last_launch_ = launch;
    const NodeId around = operators_.around(launch);
    if (around != no_node && around == last_operator_) return last_parent_;
    last_operator_ = around;
    if (around != no_node) {
      last_parent_ = {category_id(category_of_(around)), names_.id(around)};
    } else {
      last_parent_ = launched_by(tree_.event(launch));
    }
    return last_parent_;
  }

  /// Categories are few and their texts stay where they are, so that addresses mostly tell them apart.
  [[nodiscard]] std::uint32_t category_id(std::string_view category) {
    for (const auto& [known, id] : recent_) {
      if (known.data() == category.data() && known.size() == category.size()) return id;
    }
    const std::uint32_t id = categories_.of(category);
    if (recent_.size() < most_recent) recent_.emplace_back(category, id);
    return id;
  }

  static constexpr std::size_t most_recent = 64;

  const TableInput& input_;
  const CallTree& tree_;
  const CategoryOfOperator& category_of_;
  ParentOperators operators_;
  NodeNames names_;
  DenseIds<std::string_view> categories_;
  std::vector<std::pair<std::string_view, std::uint32_t>> recent_;
  std::uint32_t unlinked_ = categories_.of(unlinked_category);
  std::uint32_t runtime_ = categories_.of(runtime_category);
  DenseIds<std::optional<std::int64_t>> streams_;
  GroupIndex<4> groups_;
  std::vector<Durations> durations_;  // by group
  WideSum all_ns_ = 0;
  NodeId last_launch_ = no_node;
  NodeId last_operator_ = no_node;
  Parent last_parent_;
};

/// Rows that were not timed behind those of 0 ns, absent keys behind all others.
bool kernel_stands_before(const KernelSummaryRow& left, const KernelSummaryRow& right) {
  const auto keys = [](const KernelSummaryRow& row) {
    return std::tuple(!row.sum_ns, !row.category, row.category, !row.parent, row.parent, row.kernel_name, !row.stream,
                      row.stream);
  };
  const WideSum left_ns = left.sum_ns.value_or(0);
  const WideSum right_ns = right.sum_ns.value_or(0);
  return left_ns != right_ns ? left_ns > right_ns : keys(left) < keys(right);
}
}  // namespace

std::vector<KernelSummaryRow> kernel_summary(const TableInput& input, const CategoryOfOperator& category_of,
                                             std::int64_t total_ns) {
  KernelSummary summary(input, category_of);
  for (std::size_t place = 0; place < input.in_scope().size(); ++place) {
    input.stop_if_asked(place);
    const EventId event = input.in_scope()[place];
    if (input.trace().role(event) == Role::kernel) summary.add(event);
  }
  std::vector<KernelSummaryRow> rows = summary.rows(total_ns);
  std::ranges::sort(rows, kernel_stands_before);
  return rows;
}
}  // namespace kinetoscope::analysis
