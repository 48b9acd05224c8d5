#include "core/analysis/operator_tables.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/perf_model/operator_registry.hpp"
#include "core/analysis/launcher_keys.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::array category_parts = {KeyPart::category, KeyPart::parent_module, KeyPart::is_recompute};
constexpr std::array summary_parts = {KeyPart::name, KeyPart::parent_module, KeyPart::is_recompute};
constexpr std::array unique_parts = {
    KeyPart::name,          KeyPart::category,        KeyPart::parent_module, KeyPart::process_name,
    KeyPart::process_label, KeyPart::thread_name,     KeyPart::input_dims,    KeyPart::input_types,
    KeyPart::input_strides, KeyPart::concrete_inputs, KeyPart::kernels,       KeyPart::is_recompute,
};
constexpr std::array overlap_parts = {
    KeyPart::name,
    KeyPart::category,
    KeyPart::parent_module,
    KeyPart::process_name,
    KeyPart::process_label,
    KeyPart::thread_name,
    KeyPart::input_dims,
    KeyPart::input_types,
    KeyPart::input_strides,
    KeyPart::concrete_inputs,
    KeyPart::kernels,
    KeyPart::is_recompute,
    KeyPart::overlapping_names,
};

/// Long texts of a sheet: the first rows have them, as many as there is room for. Rows that have none are counted.
class TextRoom {
 public:
  TextRoom(std::size_t bytes, std::uint64_t& rows_without) : bytes_left_(bytes), rows_without_(rows_without) {}
  /// What `make` gives, asked only while there is room; nothing where it does not fit, nor from there on.
  template <typename Make, typename Bytes>
  auto filled(Make make, Bytes bytes_of) -> decltype(make()) {
    if (!is_full_) {
      auto text = make();
      const std::size_t bytes = bytes_of(text);
      is_full_ = bytes > bytes_left_;
      if (!is_full_) {
        bytes_left_ -= bytes;
        return text;
      }
    }
    ++rows_without_;
    return {};
  }

 private:
  std::size_t bytes_left_;
  std::uint64_t& rows_without_;
  bool is_full_ = false;
};

/// What the sheet writes of it.
std::size_t text_bytes(std::span<const KernelDetail> overlapping) {
  return overlapping_names(overlapping).size() + details_text(overlapping).size() +
         short_details_text(overlapping).size();
}

/// Shares of the rows' own total, in their order.
template <typename Row>
void add_percentages(std::vector<Row>& rows) {
  WideSum total_ns = 0;
  for (const Row& row : rows) total_ns += row.totals.direct_ns;
  WideSum so_far_ns = 0;
  for (Row& row : rows) {
    so_far_ns += row.totals.direct_ns;
    row.totals.percentage = percentage_of(row.totals.direct_ns, total_ns);
    row.totals.cumulative_percentage = percentage_of(so_far_ns, total_ns);
  }
}

class OperatorSheets {
 public:
  OperatorSheets(const TableInput& input, const Launchers& launchers, std::int64_t total_ns)
      : input_(input), launchers_(launchers), whole_ns_(total_ns), details_(input.trace(), launchers) {
    const TableOptions& options = input.options();
    if (options.has_call_stack || options.groups_by_parent_module) stacks_.emplace(input.tree());
    if (options.detects_recompute) recompute_.emplace(input.tree());
    const KeySources sources{stacks_ ? &*stacks_ : nullptr, recompute_ ? &*recompute_ : nullptr};
    keys_ = launcher_keys(input, launchers_, sources, out_.texts);
    out_.unowned_events = launchers_.unowned_events;
    out_.unowned_counted_ns = launchers_.unowned_counted_ns;
    first_begin_ns_ = INT64_MAX;
    for (const Launcher& launcher : launchers_.launchers) {
      out_.direct_ns += launcher.direct_ns;
      out_.counted_ns += launcher.counted_ns;
      if (launcher.begin_ns != unknown_time_ns) first_begin_ns_ = std::min(first_begin_ns_, launcher.begin_ns);
    }
  }

  OperatorTables make() && {
    const LauncherGroups groups = group_launchers(keys_.span(), unique_parts);
    parts_ = parts_of(groups);
    for (const Part& part : parts_) part_keys_.push_back(keys_[part.first_place]);
    out_.unique_arguments = unique_rows(groups, parts_, out_.limits.rows_without_stacks.unique_arguments);
    make_categories();
    make_summary();
    if (input_.options().has_overlap) make_overlap();
    return std::move(out_);
  }

 private:
  using Places = std::span<const std::uint32_t>;
  /// A row of ops_unique_args, before rows are sorted.
  struct Part {
    std::uint32_t first_place = 0;
    LauncherTotals totals;
  };

  LauncherTotals totals_of(Places places) const {
    LauncherTotals totals;
    totals.launchers = places.size();
    for (const std::uint32_t place : places) {
      const Launcher& launcher = launchers_.launchers[place];
      totals.direct_ns += launcher.direct_ns;
      totals.subtree_ns += launcher.subtree_ns;
      totals.counted_ns += launcher.counted_ns;
    }
    totals.percent_of_whole = percentage_of(totals.counted_ns, whole_ns_);
    return totals;
  }

  /// Of rows of ops_unique_args: the other sheets' rows are made of whole ones, so nobody walks the launchers again.
  LauncherTotals totals_of_parts(Places places) const {
    LauncherTotals totals;
    for (const std::uint32_t place : places) {
      const LauncherTotals& part = parts_[place].totals;
      totals.launchers += part.launchers;
      totals.direct_ns += part.direct_ns;
      totals.subtree_ns += part.subtree_ns;
      totals.counted_ns += part.counted_ns;
    }
    totals.percent_of_whole = percentage_of(totals.counted_ns, whole_ns_);
    return totals;
  }

  std::vector<Part> parts_of(const LauncherGroups& groups) const {
    std::vector<Part> parts;
    parts.reserve(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      parts.push_back({groups.of(group).front(), totals_of(groups.of(group))});
    }
    return parts;
  }

  NodeId first_launcher(Places parts) const { return launchers_.launchers[parts_[parts.front()].first_place].node; }

  /// Of rows in their order.
  template <typename Row>
  void add_stacks(std::vector<Row>& rows, std::uint64_t& rows_without) const {
    if (!input_.options().has_call_stack) return;
    TextRoom room(most_stack_bytes, rows_without);
    for (Row& row : rows) {
      row.call_stack = room.filled([&] { return stacks_->modules_text(row.first_launcher); },
                                   [](const std::string& text) { return text.size(); });
    }
  }

  struct RowStacks {
    std::string modules;
    FullCallStack full;
  };
  void add_full_stacks(UniqueArgumentsRow& row, const Launcher& first, TextRoom& room) const {
    if (!input_.options().has_call_stack) return;
    const auto make = [&] {
      return RowStacks{stacks_->modules_text(first.node), stacks_->full(first.node, launchers_.events_of(first))};
    };
    RowStacks stacks = room.filled(make, [](const RowStacks& made) {
      return made.modules.size() + made.full.entry_point.size() + made.full.text.size();
    });
    row.call_stack = std::move(stacks.modules);
    row.full_call_stack = std::move(stacks.full);
  }

  std::string_view text(const LauncherKey& key, KeyPart part) const { return out_.texts.text(key.of(part)); }
  std::optional<std::string_view> argument(const LauncherKey& key, KeyPart part) const {
    if (key.of(part) == no_text) return {};
    return text(key, part);
  }
  std::string_view module_text(const LauncherKey& key) const {
    return input_.options().groups_by_parent_module ? text(key, KeyPart::parent_module) : std::string_view();
  }
  [[nodiscard]] std::string_view category_text(std::uint32_t number) const {
    return input_.registry().spelling_of(id_at<perf_model::CategoryId>(number));
  }

  void make_categories() {
    const LauncherGroups groups = group_launchers(part_keys_, category_parts);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const Places places = groups.of(group);
      const LauncherKey& key = part_keys_[places.front()];
      out_.by_category.push_back({category_text(key.of(KeyPart::category)),
                                  module_text(key),
                                  key.of(KeyPart::is_recompute) != 0,
                                  first_launcher(places),
                                  {},
                                  totals_of_parts(places)});
    }
    std::ranges::sort(out_.by_category, [](const CategoryRow& left, const CategoryRow& right) {
      return std::tie(right.totals.direct_ns, left.category, left.parent_module, left.is_recompute) <
             std::tie(left.totals.direct_ns, right.category, right.parent_module, right.is_recompute);
    });
    add_percentages(out_.by_category);
    add_stacks(out_.by_category, out_.limits.rows_without_stacks.by_category);
  }

  std::vector<std::string_view> categories_of(Places places) const {
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t place : places) {
      const std::uint32_t number = part_keys_[place].of(KeyPart::category);
      if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);  // a few dozen at the most
    }
    std::vector<std::string_view> categories;
    categories.reserve(numbers.size());
    for (const std::uint32_t number : numbers) categories.push_back(category_text(number));
    std::ranges::sort(categories);
    return categories;
  }

  void make_summary() {
    const LauncherGroups groups = group_launchers(part_keys_, summary_parts);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const Places places = groups.of(group);
      const LauncherKey& key = part_keys_[places.front()];
      out_.summary.push_back({text(key, KeyPart::name),
                              module_text(key),
                              key.of(KeyPart::is_recompute) != 0,
                              categories_of(places),
                              first_launcher(places),
                              {},
                              totals_of_parts(places)});
    }
    std::ranges::sort(out_.summary, [](const OperatorRow& left, const OperatorRow& right) {
      return std::tie(right.totals.direct_ns, left.name, left.parent_module, left.is_recompute) <
             std::tie(left.totals.direct_ns, right.name, right.parent_module, right.is_recompute);
    });
    add_percentages(out_.summary);
    add_stacks(out_.summary, out_.limits.rows_without_stacks.summary);
  }

  template <typename Time>
  Statistics statistics(Places places, Time time) {
    times_ns_.clear();
    for (const std::uint32_t place : places) times_ns_.push_back(launchers_.launchers[place].*time);
    return statistics_of(times_ns_);
  }

  UniqueArgumentsRow unique_row(Places places, const LauncherTotals& totals, TextRoom& stack_room) {
    const LauncherKey& key = keys_[places.front()];
    const Launcher& first = launchers_.launchers[places.front()];
    UniqueArgumentsRow row;
    row.name = text(key, KeyPart::name);
    row.category = category_text(key.of(KeyPart::category));
    row.parent_module = module_text(key);
    row.process_name = text(key, KeyPart::process_name);
    row.process_label = text(key, KeyPart::process_label);
    row.thread_name = text(key, KeyPart::thread_name);
    row.input_dims = argument(key, KeyPart::input_dims);
    row.input_types = argument(key, KeyPart::input_types);
    row.input_strides = argument(key, KeyPart::input_strides);
    row.concrete_inputs = argument(key, KeyPart::concrete_inputs);
    row.kernels = key.of(KeyPart::kernels);
    row.is_recompute = key.of(KeyPart::is_recompute) != 0;
    // Launchers rise by start, so the first is the earliest.
    if (first.begin_ns != unknown_time_ns) row.first_occurrence_ns = first.begin_ns - first_begin_ns_;
    row.direct = statistics(places, &Launcher::direct_ns);
    row.subtree = statistics(places, &Launcher::subtree_ns);
    row.example = input_.tree().event(first.node);
    add_full_stacks(row, first, stack_room);
    row.kernels_run = details_.of(places);
    if (overlaps_) row.overlap = overlap_of(places);
    row.totals = totals;
    return row;
  }

  /// Kernels' names are long, too.
  OverlapSummary overlap_of(Places places) {
    OverlapSummary overlap = summarize_overlaps(input_.trace(), *overlaps_, places);
    if (overlap.names > most_overlapping_names) ++out_.limits.rows_of_many_names;
    if (overlap.kernels.empty()) return overlap;
    overlap.kernels = overlap_room_.filled([&] { return std::move(overlap.kernels); }, text_bytes);
    return overlap;
  }

  std::vector<UniqueArgumentsRow> unique_rows(const LauncherGroups& groups, std::span<const Part> parts,
                                              std::uint64_t& rows_without_stacks) {
    TextRoom stack_room(most_stack_bytes, rows_without_stacks);
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto example = [&](std::uint32_t group) {
      return input_.tree().event(launchers_.launchers[parts[group].first_place].node);
    };
    std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
      return std::tuple(parts[right].totals.direct_ns, example(left)) <
             std::tuple(parts[left].totals.direct_ns, example(right));
    });
    std::vector<UniqueArgumentsRow> rows;
    rows.reserve(groups.size());
    for (const std::uint32_t group : order) {
      input_.stop_if_asked();  // a row may have any number of launchers
      rows.push_back(unique_row(groups.of(group), parts[group].totals, stack_room));
    }
    add_percentages(rows);
    return rows;
  }

  void make_overlap() {
    overlaps_ = find_overlaps(input_, launchers_);
    out_.limits.overlaps_not_compared = overlaps_->not_compared;
    if (overlaps_->not_compared > 0) return;
    // What ran beside a launcher is a part of the key.
    for (std::size_t place = 0; place < keys_.size(); ++place) {
      keys_[place].set(KeyPart::overlapping_names, overlaps_->names[place].set);
    }
    const LauncherGroups groups = group_launchers(keys_.span(), overlap_parts);
    out_.with_overlap = unique_rows(groups, parts_of(groups), out_.limits.rows_without_stacks.with_overlap);
  }

  const TableInput& input_;
  const Launchers& launchers_;
  std::int64_t whole_ns_;
  std::optional<CallStacks> stacks_;
  std::optional<RecomputeMarks> recompute_;
  std::optional<KernelOverlaps> overlaps_;
  HugeArray<LauncherKey> keys_;
  std::vector<LauncherKey> part_keys_;  // by row of ops_unique_args, in order of first appearance
  std::vector<Part> parts_;
  KernelDetailList details_;
  std::vector<std::int64_t> times_ns_;
  std::int64_t first_begin_ns_ = 0;
  OperatorTables out_;
  TextRoom overlap_room_{most_overlap_bytes, out_.limits.rows_without_overlaps};
};
}  // namespace

OperatorTables operator_tables(const TableInput& input, const Launchers& launchers, std::int64_t total_ns) {
  return OperatorSheets(input, launchers, total_ns).make();
}
}  // namespace kinetoscope::analysis
