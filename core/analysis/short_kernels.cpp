#include "core/analysis/short_kernels.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/cell.hpp"
#include "core/base/dense_ids.hpp"
#include "core/base/group_index.hpp"
#include "core/base/python_literal.hpp"
#include "core/base/wide_sum.hpp"
#include "core/analysis/parent_operators.hpp"

namespace kinetoscope::analysis {
namespace {

/// How far a histogram of equal durations reaches to either side.
constexpr double half_width_of_nothing_us = 0.5;

/// Numbers for JSON values, equal where they print the same.
class PrintedArguments {
 public:
  explicit PrintedArguments(const Trace& trace) : trace_(trace) {}

  [[nodiscard]] std::uint32_t id(std::optional<JsonId> json) {
    if (!json) return no_id;
    const auto [known, is_new] = ids_.try_emplace(static_cast<std::uint32_t>(*json), 0);
    if (is_new) {
      known->second = printed_.of(python_tuple(trace_.json_text(*json)));
      if (known->second == first_.size()) first_.push_back(*json);
    }
    return known->second;
  }
  [[nodiscard]] std::optional<std::string_view> json(std::uint32_t id) const {
    if (id == no_id) return {};
    return trace_.json_text(first_[id]);
  }

 private:
  const Trace& trace_;
  std::unordered_map<std::uint32_t, std::uint32_t> ids_;  // by JsonId
  DenseIds<std::string> printed_;
  std::vector<JsonId> first_;  // by number: the value that was first to print so
};

class Summary {
 public:
  explicit Summary(const TableInput& input)
      : input_(input), operators_(input.tree()), names_(input.tree()), arguments_(input.trace()) {}

  void add(EventId event, std::int64_t duration_ns) {
    const NodeId around = operators_.around(input_.tree().launch(event));
    if (around != last_operator_) {
      last_operator_ = around;
      last_key_ = key_of(around);
    }
    Key key = last_key_;
    key.back() = static_cast<std::uint32_t>(input_.trace().name(event));
    const std::uint32_t group = groups_.of(key);
    if (group == sums_.size()) sums_.emplace_back();
    ++sums_[group].count;
    sums_[group].ns += duration_ns;
  }

  [[nodiscard]] std::vector<ShortKernelRow> rows(std::int64_t total_ns) const {
    std::vector<ShortKernelRow> rows;
    rows.reserve(groups_.size());
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
      const auto& [parent, dims, strides, concrete, name] = groups_.key(group);
      const auto sum = static_cast<double>(sums_[group].ns);
      ShortKernelRow& row = rows.emplace_back();
      if (parent != no_id) row.parent = names_.text(parent);
      row.input_dims = arguments_.json(dims);
      row.input_strides = arguments_.json(strides);
      row.concrete_inputs = arguments_.json(concrete);
      row.kernel_name = input_.trace().text(NameId{name});
      row.sum_ns = sums_[group].ns;
      row.count = sums_[group].count;
      row.mean_ns = sum / static_cast<double>(row.count);
      row.percent_of_total = percentage_of(sums_[group].ns, total_ns);
    }
    return rows;
  }

 private:
  using Key = GroupIndex<5>::Key;
  struct Sum {
    std::uint64_t count = 0;
    WideSum ns = 0;
  };

  /// All but the kernel's name.
  [[nodiscard]] Key key_of(NodeId around) {
    if (around == no_node) return nothing;
    const EventId donor = input_.tree().arguments_event(around);
    const auto argument = [&](Argument which) { return arguments_.id(input_.trace().json(donor, which)); };
    return {names_.id(around), argument(Argument::input_dims), argument(Argument::input_strides),
            argument(Argument::concrete_inputs), no_id};
  }

  static constexpr Key nothing = {no_id, no_id, no_id, no_id, no_id};

  const TableInput& input_;
  ParentOperators operators_;
  NodeNames names_;
  PrintedArguments arguments_;
  GroupIndex<5> groups_;
  std::vector<Sum> sums_;  // by group
  NodeId last_operator_ = no_node;
  Key last_key_ = nothing;
};

/// Absent keys behind all others. Mean and share follow from sum and count.
bool short_kernel_stands_before(const ShortKernelRow& left, const ShortKernelRow& right) {
  const auto keys = [](const ShortKernelRow& row) {
    return std::tuple(row.count, !row.parent, row.parent, !row.input_dims, row.input_dims, !row.input_strides,
                      row.input_strides, !row.concrete_inputs, row.concrete_inputs, row.kernel_name);
  };
  return left.sum_ns != right.sum_ns ? left.sum_ns > right.sum_ns : keys(left) < keys(right);
}

/// Equal widths from the shortest to the longest, evenly spaced in floating point as numpy.linspace spaces them: the
/// start, whole multiples of one width added to it, and the end itself.
std::vector<ShortKernelBin> empty_bins(double from_us, double to_us, std::uint32_t count) {
  std::vector<ShortKernelBin> bins(count);
  const double width_us = (to_us - from_us) / static_cast<double>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    bins[i].begin_us = i == 0 ? from_us : bins[i - 1].end_us;
    bins[i].end_us = i + 1 == count ? to_us : static_cast<double>(i + 1) * width_us + from_us;
  }
  return bins;
}

std::vector<ShortKernelBin> histogram_of(const std::vector<std::int64_t>& durations_ns, std::uint32_t count) {
  if (durations_ns.empty()) return {};
  const auto [least_ns, largest_ns] = std::ranges::minmax(durations_ns);
  const double margin_us = least_ns == largest_ns ? half_width_of_nothing_us : 0;
  std::vector<ShortKernelBin> bins =
      empty_bins(microseconds(least_ns) - margin_us, microseconds(largest_ns) + margin_us, count);
  for (const std::int64_t duration_ns : durations_ns) {
    const auto behind = std::ranges::upper_bound(bins, microseconds(duration_ns), {}, &ShortKernelBin::begin_us);
    ++std::prev(behind)->count;
  }
  return bins;
}
}  // namespace

ShortKernels short_kernels(const TableInput& input, std::int64_t total_ns) {
  const TableOptions& options = input.options();
  Summary summary(input);
  std::vector<std::int64_t> durations_ns;
  for (std::size_t place = 0; place < input.events().size(); ++place) {
    input.stop_if_asked(place);
    const EventId event = input.events()[place];
    if (input.trace().role(event) != Role::kernel) continue;
    const std::optional<Interval> extent = input.trace().extent(event);
    if (!extent) continue;
    const std::int64_t duration_ns = extent->end_ns - extent->begin_ns;
    if (duration_ns >= options.short_kernel_ns) continue;
    durations_ns.push_back(duration_ns);
    summary.add(event, duration_ns);
  }
  ShortKernels out;
  out.kernels = durations_ns.size();
  out.histogram = histogram_of(durations_ns, std::max<std::uint32_t>(options.short_kernel_bins, 1));
  out.rows = summary.rows(total_ns);
  std::ranges::sort(out.rows, short_kernel_stands_before);
  if (options.top_short_kernels && *options.top_short_kernels < out.rows.size()) {
    out.rows.resize(static_cast<std::size_t>(*options.top_short_kernels));
  }
  return out;
}
}  // namespace kinetoscope::analysis
