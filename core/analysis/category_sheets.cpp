#include "core/analysis/category_sheets.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/analysis/subtree_times.hpp"

namespace kinetoscope::analysis {
namespace {

struct FamilySheet {
  std::string_view family;
  bool is_merged = false;  ///< forward and backward operators in one sheet
};
/// In the order of the files.
constexpr std::array family_sheets = {
    FamilySheet{"GEMM", true},
    FamilySheet{"SDPA"},
    FamilySheet{"CONV"},
    FamilySheet{"InferenceAttention"},
    FamilySheet{"BinaryElementwise", true},
    FamilySheet{"GroupedGEMM"},
    FamilySheet{"MoE_comm"},
    FamilySheet{"SSM"},
    FamilySheet{"RoPE"},
    FamilySheet{"CrossEntropy"},
    FamilySheet{"UnaryElementwise", true},
    FamilySheet{"MoE_fused"},
    FamilySheet{"MoE_unfused"},
    FamilySheet{"MoE_aux"},
    FamilySheet{"RMSNorm"},
    FamilySheet{"elementwise"},
    FamilySheet{"GroupQuant"},
    FamilySheet{"FusedRoPE"},
    FamilySheet{"CustomCollective"},
    FamilySheet{"mHC"},
    FamilySheet{"Normalization", true},
    FamilySheet{"Reduce"},
};
constexpr std::string_view backward_suffix = "_bwd";

/// A family's place and whether it is its backward sheet: twice the place, and one more.
using SheetNumber = std::uint32_t;

std::string name_of_sheet(SheetNumber sheet) {
  const FamilySheet& family = family_sheets[sheet / 2];
  std::string name(family.family);
  if (family.is_merged) return name;
  return name + (sheet % 2 == 0 ? "_fwd" : "_bwd");
}

constexpr std::array category_parts_of_rows = {KeyPart::name, KeyPart::parameters, KeyPart::kernels,
                                               KeyPart::is_recompute};

/// Calls with their GPU work, in depth-first order; backward work behind the operators.
class ModelledCalls {
 public:
  ModelledCalls(const TableInput& input, const OperatorWork& counting, CallEstimates& estimates)
      : input_(input), tree_(input.tree()), counting_(counting), estimates_(estimates) {
    events_left_ = 4 * input.events().size() + 1'000'000;
    for (std::size_t place = 0; place < counting.work.size(); ++place) {
      const Work& one = counting.work[place];
      if (one.kind == WorkKind::modelled) counted_.emplace(index_of(counting.calls.launchers[place].node), place);
      if (one.kind == WorkKind::backward) counted_backward_.emplace(index_of(one.forward), place);
    }
  }

  void collect() {
    const bool has_all = input_.events().size() == input_.trace().gpu_events().size() ||
                         input_.in_scope().size() == input_.trace().gpu_events().size();
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      input_.stop_if_asked(i);
      const auto node = id_at<NodeId>(i);
      const perf_model::RegisteredOperator* const known = estimates_.registered(node);
      if (known == nullptr || known->model == nullptr || known->sheet.empty()) continue;
      if (has_all || has_work(node)) add_operator(node, *known);
    }
    measure_deep_calls();
    collect_backward();
  }

  OperatorWork work;
  std::vector<SheetNumber> sheets;     ///< by place of the call
  std::vector<std::uint32_t> counted;  ///< 1 where the call counts
  std::uint64_t calls_without_details = 0;

 private:
  bool has_work(NodeId node) const {
    return std::ranges::any_of(tree_.gpu_events(node), [&](EventId event) { return input_.contains(event); });
  }

  std::optional<std::uint32_t> family_of(std::string_view sheet) const {
    const auto* const found = std::ranges::find(family_sheets, sheet, &FamilySheet::family);
    if (found == family_sheets.end()) return {};
    return static_cast<std::uint32_t>(found - family_sheets.begin());
  }

  void add_operator(NodeId node, const perf_model::RegisteredOperator& known) {
    const std::optional<std::uint32_t> family = family_of(known.sheet);
    if (!family) return;
    const std::string_view category = input_.registry().spelling_of(known.category);
    const bool is_backward = category.ends_with(backward_suffix) && !family_sheets[*family].is_merged;
    const auto first = static_cast<std::uint32_t>(work.calls.events.size());
    const bool has_details = take_events(node);
    Launcher call = measured_call(input_, work.calls, node, first);
    if (!has_details) deep_.push_back(static_cast<std::uint32_t>(work.calls.launchers.size()));
    const auto counts = counted_.find(index_of(node));
    if (counts != counted_.end()) call.counted_ns = counting_.calls.launchers[counts->second].counted_ns;
    add(call, {WorkKind::modelled, estimates_.of(node), no_node, index_of(tree_.event(node))},
        2 * *family + (is_backward ? 1 : 0), counts != counted_.end());
  }

  void add(const Launcher& call, const Work& one, SheetNumber sheet, bool counts) {
    work.calls.launchers.push_back(call);
    work.work.push_back(one);
    sheets.push_back(sheet);
    counted.push_back(counts ? 1 : 0);
  }

  /// False when calls inside one another have too many: their kernels are not listed then.
  bool take_events(NodeId node) {
    const std::span<const EventId> events = tree_.gpu_events(node);
    if (events.size() > events_left_) return false;
    events_left_ -= events.size();
    for (const EventId event : events) {
      if (input_.contains(event)) work.calls.events.push_back(event);
    }
    return true;
  }

  void measure_deep_calls() {
    calls_without_details += deep_.size();
    if (deep_.empty()) return;
    std::vector<Launcher> calls;
    calls.reserve(deep_.size());
    for (const std::uint32_t place : deep_) calls.push_back(work.calls.launchers[place]);
    measure_subtrees(input_, calls);
    for (std::size_t i = 0; i < deep_.size(); ++i) {
      work.calls.launchers[deep_[i]].direct_ns = calls[i].subtree_ns;
      work.calls.launchers[deep_[i]].subtree_ns = calls[i].subtree_ns;
    }
  }

  /// Forward call and autograd call, by the forward call.
  std::vector<std::pair<NodeId, NodeId>> backward_links() const {
    std::vector<std::pair<NodeId, NodeId>> links;
    links.reserve(tree_.backward().links().size());
    for (const BackwardLink& link : tree_.backward().links()) {
      const NodeId forward = tree_.node(link.forward);
      const NodeId backward = tree_.node(link.backward);
      if (forward != no_node && backward != no_node) links.emplace_back(forward, backward);
    }
    std::ranges::sort(links);
    return links;
  }

  void collect_backward() {
    const std::vector<std::pair<NodeId, NodeId>> links = backward_links();
    if (links.empty()) return;
    const std::size_t operators = work.calls.launchers.size();
    for (std::size_t place = 0; place < operators; ++place) {
      input_.stop_if_asked(place);
      const NodeId node = work.calls.launchers[place].node;
      const perf_model::RegisteredOperator& known = *estimates_.registered(node);
      const std::optional<std::uint32_t> family = family_of(known.sheet);
      if (family_sheets[*family].is_merged || sheets[place] % 2 == 1) continue;
      const std::uint32_t estimate = estimates_.of_backward(node);
      if (estimate == CallEstimates::none) continue;
      const auto first = std::ranges::lower_bound(links, std::pair(node, id_at<NodeId>(0)));
      const auto last = std::ranges::lower_bound(links, std::pair(tree_.subtree_end(node), id_at<NodeId>(0)));
      add_backward(node, {first, last}, estimate, known.backward_category.value_or(known.category), 2 * *family + 1);
    }
  }

  void add_backward(NodeId forward, std::span<const std::pair<NodeId, NodeId>> links, std::uint32_t estimate,
                    perf_model::CategoryId category, SheetNumber sheet) {
    if (links.empty()) return;
    const auto first = static_cast<std::uint32_t>(work.calls.events.size());
    bool has_details = true;
    for (const auto& [linked, autograd_call] : links) {
      if (has_own_model(autograd_call, category)) return;
      has_details = has_details && take_events(autograd_call);
    }
    if (!has_details) {
      ++calls_without_details;
      return;
    }
    Launcher call = measured_call(input_, work.calls, forward, first);
    const auto counts = counted_backward_.find(index_of(forward));
    if (counts != counted_backward_.end()) call.counted_ns = counting_.calls.launchers[counts->second].counted_ns;
    add(call, {WorkKind::backward, estimate, forward, index_of(tree_.event(forward))}, sheet,
        counts != counted_backward_.end());
  }

  /// An operator below knows the work itself, in the same category.
  bool has_own_model(NodeId autograd_call, perf_model::CategoryId category) {
    constexpr std::size_t most_nodes_searched = 1'000;
    const std::size_t end =
        std::min(index_of(tree_.subtree_end(autograd_call)), index_of(autograd_call) + most_nodes_searched);
    for (std::size_t i = index_of(autograd_call) + 1; i < end; ++i) {
      const perf_model::RegisteredOperator* const known = estimates_.registered(id_at<NodeId>(i));
      if (known != nullptr && known->model != nullptr && known->category == category) return true;
    }
    return false;
  }

  const TableInput& input_;
  const CallTree& tree_;
  const OperatorWork& counting_;
  CallEstimates& estimates_;
  std::size_t events_left_ = 0;
  std::vector<std::uint32_t> deep_;
  std::unordered_map<std::size_t, std::size_t> counted_;           // by node: place among the work that counts
  std::unordered_map<std::size_t, std::size_t> counted_backward_;  // by forward call
};

void add_parameter_names(const WorkRow& row, std::vector<std::string_view>& names) {
  if (row.estimate == nullptr) return;
  for (const perf_model::Parameter& parameter : row.estimate->parameters) {
    if (std::ranges::find(names, parameter.name) == names.end()) names.push_back(parameter.name);
  }
}
}  // namespace

std::vector<std::string> category_sheet_names() {
  std::vector<std::string> names;
  names.reserve(2 * family_sheets.size());
  for (SheetNumber sheet = 0; sheet < 2 * family_sheets.size(); ++sheet) {
    const bool is_second_of_merged = sheet % 2 == 1 && family_sheets[sheet / 2].is_merged;
    if (!is_second_of_merged) names.push_back(name_of_sheet(sheet));
  }
  return names;
}

CategorySheets category_sheets(const TableInput& input, const OperatorWork& counting, CallEstimates& estimates) {
  ModelledCalls calls(input, counting, estimates);
  calls.collect();
  CategorySheets out;
  out.calls_without_details = calls.calls_without_details;
  WorkRowMaker maker(input, calls.work, estimates, out.texts);
  HugeArray<LauncherKey> keys = maker.keys();
  std::unordered_map<std::uint64_t, std::uint32_t> printed;  // by estimate and sheet
  for (std::size_t place = 0; place < keys.size(); ++place) {
    const std::uint32_t estimate = calls.work.work[place].estimate;
    const auto [found, is_new] = printed.try_emplace((std::uint64_t{estimate} << 8) | calls.sheets[place], 0);
    if (is_new) {
      const std::string text = perf_model::printed(estimates.estimate(estimate).parameters);
      found->second = out.texts.add(std::to_string(calls.sheets[place]) + text).index;
    }
    keys[place].set(KeyPart::parameters, found->second);
  }
  const LauncherGroups groups = group_launchers(keys.span(), category_parts_of_rows);
  std::vector<CategorySheet> sheets(2 * family_sheets.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    input.stop_if_asked();
    const std::span<const std::uint32_t> places = groups.of(group);
    CategorySheet& sheet = sheets[calls.sheets[places.front()]];
    sheet.rows.push_back(maker.row_of(keys[places.front()], places));
    WorkRow& row = sheet.rows.back();
    for (const std::uint32_t place : places) row.counted += calls.counted[place];
    add_parameter_names(row, sheet.parameters);
  }
  for (SheetNumber number = 0; number < sheets.size(); ++number) {
    CategorySheet& sheet = sheets[number];
    if (sheet.rows.empty()) continue;
    sheet.name = name_of_sheet(number);
    std::ranges::sort(sheet.rows, [](const WorkRow& left, const WorkRow& right) {
      return std::tie(right.kernel.sum, left.example) < std::tie(left.kernel.sum, right.example);
    });
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}
}  // namespace kinetoscope::analysis
