#include "core/analysis/collective_summary.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "core/base/dense_ids.hpp"
#include "core/base/group_index.hpp"
#include "core/names/element_sizes.hpp"
#include "core/names/kernel_names.hpp"
#include "core/analysis/stream_number.hpp"

namespace kinetoscope::analysis {
namespace {

/// Stand in for a group's name that the profiler did not write: of some kernels, or of all, on one stream.
constexpr std::string_view unknown_group = "Unknown_Group";
constexpr std::string_view only_group = "all";

/// What the kernel's name tells of the collective, in PyTorch's words where they differ from ours.
std::optional<std::string_view> collective_of(names::CollectiveKind kind) {
  switch (kind) {
    case names::CollectiveKind::none:
    case names::CollectiveKind::unknown: return {};
    case names::CollectiveKind::all_reduce: return "allreduce";
    case names::CollectiveKind::all_gather:
    case names::CollectiveKind::reduce_scatter:
    case names::CollectiveKind::all_to_all:
    case names::CollectiveKind::broadcast:
    case names::CollectiveKind::reduce:
    case names::CollectiveKind::gather:
    case names::CollectiveKind::scatter:
    case names::CollectiveKind::send_recv:
    case names::CollectiveKind::dispatch:
    case names::CollectiveKind::combine:
    case names::CollectiveKind::barrier: return spelling_of(kind);
  }
  return {};
}

class CollectiveSummary {
 public:
  explicit CollectiveSummary(const TableInput& input)
      : trace_(input.trace()), of_kernel_names_(trace_.names_count(), not_asked) {}

  void add(EventId event) {
    const Key key = {text(event, Argument::group_name),
                     text(event, Argument::group_ranks),
                     collective(event),
                     number(event, Argument::group_size),
                     text(event, Argument::data_type),
                     number(event, Argument::in_elements),
                     number(event, Argument::out_elements),
                     text(event, Argument::in_split_size),
                     text(event, Argument::out_split_size),
                     stream(event)};
    const std::uint32_t group = groups_.of(key);
    if (group == operations_.size()) operations_.push_back(0);
    ++operations_[group];
    has_group_name_ = has_group_name_ || key[0] != no_id;
    is_on_several_streams_ = is_on_several_streams_ || key[stream_place] != groups_.key(0)[stream_place];
    if (const std::optional<Interval> extent = trace_.extent(event)) {
      timed_.push_back({group, extent->end_ns - extent->begin_ns});
    }
  }

  [[nodiscard]] std::vector<CollectiveRow> rows() {
    std::vector<CollectiveRow> rows(groups_.size());
    for (std::uint32_t group = 0; group < rows.size(); ++group) fill_keys(rows[group], groups_.key(group));
    for (std::uint32_t group = 0; group < rows.size(); ++group) rows[group].operations = operations_[group];
    std::ranges::stable_sort(timed_, {}, &Timed::group);
    std::vector<std::int64_t> durations_ns;
    for (auto from = timed_.begin(); from != timed_.end();) {
      durations_ns.clear();
      const std::uint32_t group = from->group;
      for (; from != timed_.end() && from->group == group; ++from) durations_ns.push_back(from->duration_ns);
      rows[group].durations_ns = statistics_of(durations_ns);
    }
    return rows;
  }

 private:
  static constexpr std::size_t stream_place = 9;
  static constexpr std::uint32_t not_asked = 0xffff'fffe;
  using Key = GroupIndex<stream_place + 1>::Key;
  struct Timed {
    std::uint32_t group = 0;
    std::int64_t duration_ns = 0;
  };

  [[nodiscard]] std::uint32_t text(EventId event, Argument argument) {
    const std::optional<NameId> name = trace_.text(event, argument);
    return name ? texts_.of(trace_.text(*name)) : no_id;
  }
  [[nodiscard]] std::uint32_t number(EventId event, Argument argument) {
    const std::optional<std::int64_t> written = trace_.integer(event, argument);
    return written ? numbers_.of(*written) : no_id;
  }
  [[nodiscard]] std::uint32_t stream(EventId event) {
    const std::optional<std::int64_t> known = stream_number(trace_, event);
    return known ? numbers_.of(*known) : no_id;
  }
  /// What the profiler says, else what the kernel's name says; each name is classified once.
  [[nodiscard]] std::uint32_t collective(EventId event) {
    const std::uint32_t written = text(event, Argument::collective_name);
    const NameId name = trace_.name(event);
    if (written != no_id || name == no_name) return written;
    std::uint32_t& known = of_kernel_names_[index_of(name)];
    if (known == not_asked) {
      const auto said = collective_of(names::classify_kernel(trace_.text(name)).collective);
      known = said ? texts_.of(*said) : no_id;
    }
    return known;
  }

  void fill_keys(CollectiveRow& row, const Key& key) const {
    const auto text = [&](std::uint32_t id) {
      return id == no_id ? std::nullopt : std::optional<std::string_view>(texts_.value(id));
    };
    const auto number = [&](std::uint32_t id) {
      return id == no_id ? std::nullopt : std::optional<std::int64_t>(numbers_.value(id));
    };
    const auto& distributed = trace_.metadata().distributed;
    row.rank = distributed ? distributed->rank.value_or(0) : 0;
    row.group_name = text(key[0]).value_or(has_group_name_ || is_on_several_streams_ ? unknown_group : only_group);
    row.group_ranks = text(key[1]);
    row.collective_name = text(key[2]);
    row.group_size = number(key[3]);
    row.data_type = text(key[4]);
    row.in_elements = number(key[5]);
    row.out_elements = number(key[6]);
    row.in_split_size = text(key[7]);
    row.out_split_size = text(key[8]);
    row.stream = number(key[stream_place]);
    if (row.data_type) row.element_bytes = names::element_bytes(*row.data_type);
  }

  const Trace& trace_;
  std::vector<std::uint32_t> of_kernel_names_;  // by NameId
  DenseIds<std::string_view> texts_;
  DenseIds<std::int64_t> numbers_;
  GroupIndex<stream_place + 1> groups_;
  std::vector<std::uint64_t> operations_;  // by group
  std::vector<Timed> timed_;
  bool has_group_name_ = false;         // some kernel says its group's
  bool is_on_several_streams_ = false;  // kernels are on several streams
};

/// Absent keys behind all others.
bool collective_stands_before(const CollectiveRow& left, const CollectiveRow& right) {
  const auto keys = [](const CollectiveRow& row) {
    return std::tuple(row.group_name, !row.group_ranks, row.group_ranks, !row.collective_name, row.collective_name,
                      !row.group_size, row.group_size, !row.data_type, row.data_type, !row.in_elements, row.in_elements,
                      !row.out_elements, row.out_elements, !row.in_split_size, row.in_split_size, !row.out_split_size,
                      row.out_split_size, !row.stream, row.stream);
  };
  const WideSum left_ns = left.durations_ns.sum;
  const WideSum right_ns = right.durations_ns.sum;
  return left_ns != right_ns ? left_ns > right_ns : keys(left) < keys(right);
}
}  // namespace

std::vector<CollectiveRow> collective_summary(const TableInput& input) {
  CollectiveSummary summary(input);
  for (std::size_t place = 0; place < input.events().size(); ++place) {
    input.stop_if_asked(place);
    const EventId event = input.events()[place];
    const bool communicates = input.buckets().of(event) == GpuBucket::communication;
    if (communicates && input.trace().role(event) == Role::kernel) summary.add(event);
  }
  std::vector<CollectiveRow> rows = summary.rows();
  std::ranges::sort(rows, collective_stands_before);
  return rows;
}
}  // namespace kinetoscope::analysis
