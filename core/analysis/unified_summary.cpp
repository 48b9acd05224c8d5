#include "core/analysis/unified_summary.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/tree/recompute.hpp"
#include "core/perf_model/operator_registry.hpp"
#include "core/analysis/call_stacks.hpp"
#include "core/analysis/launcher_keys.hpp"
#include "core/analysis/overview.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::array unified_parts = {
    KeyPart::name,          KeyPart::category,        KeyPart::parent_module, KeyPart::process_name,
    KeyPart::process_label, KeyPart::thread_name,     KeyPart::input_dims,    KeyPart::input_types,
    KeyPart::input_strides, KeyPart::concrete_inputs, KeyPart::kernels,       KeyPart::is_recompute,
};

class UnifiedSheet {
 public:
  UnifiedSheet(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates)
      : input_(input), work_(work), estimates_(estimates), details_(input.trace(), work.calls) {
    if (input.options().groups_by_parent_module) stacks_.emplace(input.tree());
    if (input.options().detects_recompute) recompute_.emplace(input.tree());
    out_.unowned_events = work.calls.unowned_events;
    out_.unowned_counted_ns = work.calls.unowned_counted_ns;
  }

  UnifiedSummary make() && {
    const KeySources sources{stacks_ ? &*stacks_ : nullptr, recompute_ ? &*recompute_ : nullptr};
    HugeArray<LauncherKey> keys = launcher_keys(input_, work_.calls, sources, out_.texts);
    for (std::size_t place = 0; place < keys.size(); ++place) rename(place, keys[place]);
    const LauncherGroups groups = group_launchers(keys.span(), unified_parts);
    out_.rows.reserve(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      input_.stop_if_asked();
      out_.rows.push_back(row_of(keys[groups.of(group).front()], groups.of(group)));
    }
    std::ranges::sort(out_.rows, [](const UnifiedRow& left, const UnifiedRow& right) {
      return std::tie(right.kernel.sum, left.example) < std::tie(left.kernel.sum, right.example);
    });
    add_percentages();
    return std::move(out_);
  }

 private:
  using Places = std::span<const std::uint32_t>;

  /// Backward work has the category that the forward operator gives it; single events have names of their own.
  void rename(std::size_t place, LauncherKey& key) {
    const Work& work = work_.work[place];
    const perf_model::OperatorRegistry& registry = perf_model::operator_registry();
    if (work.kind == WorkKind::backward) {
      const perf_model::RegisteredOperator* const forward = registry.find(input_.tree().name(work.forward));
      key.set(KeyPart::category, static_cast<std::uint32_t>(*forward->backward_category));
    } else if (work.kind == WorkKind::single_event) {
      const Launcher& call = work_.calls.launchers[place];
      const EventId event = work_.calls.events_of(call).front();
      name_.assign(input_.tree().name(call.node)).append("->");
      name_.append(input_.trace().text(input_.trace().name(event))).append(" (Synthetic Op)");
      key.set(KeyPart::name, out_.texts.add(name_).index);
      if (const auto* const known = registry.find(name_)) {
        key.set(KeyPart::category, static_cast<std::uint32_t>(known->category));
      }
    }
  }

  std::string_view text(const LauncherKey& key, KeyPart part) const { return out_.texts.text(key.of(part)); }
  std::optional<std::string_view> argument(const LauncherKey& key, KeyPart part) const {
    if (key.of(part) == no_text) return {};
    return text(key, part);
  }

  const perf_model::Estimate* estimate_of(const Work& work) const {
    return work.estimate == CallEstimates::none ? nullptr : &estimates_.estimate(work.estimate);
  }

  Statistics host_statistics(Places places) {
    times_ns_.clear();
    for (const std::uint32_t place : places) {
      const std::int64_t duration_ns = input_.tree().duration_ns(work_.calls.launchers[place].node);
      if (duration_ns != unknown_time_ns) times_ns_.push_back(duration_ns);
    }
    return statistics_of(times_ns_);
  }

  UnifiedRow row_of(const LauncherKey& key, Places places) {
    const Work& first = work_.work[places.front()];
    UnifiedRow row;
    row.name = text(key, KeyPart::name);
    row.category =
        perf_model::operator_registry().spelling_of(id_at<perf_model::CategoryId>(key.of(KeyPart::category)));
    if (input_.options().groups_by_parent_module) row.parent_module = text(key, KeyPart::parent_module);
    row.process_name = text(key, KeyPart::process_name);
    row.process_label = text(key, KeyPart::process_label);
    row.thread_name = text(key, KeyPart::thread_name);
    row.input_dims = argument(key, KeyPart::input_dims);
    row.input_types = argument(key, KeyPart::input_types);
    row.input_strides = argument(key, KeyPart::input_strides);
    row.concrete_inputs = argument(key, KeyPart::concrete_inputs);
    row.kernels = key.of(KeyPart::kernels);
    row.is_recompute = key.of(KeyPart::is_recompute) != 0;
    row.example = first.id;
    row.kind = first.kind;
    row.estimate = estimate_of(first);
    row.host = host_statistics(places);
    calls_.clear();
    times_ns_.clear();
    for (const std::uint32_t place : places) {
      const Launcher& call = work_.calls.launchers[place];
      calls_.push_back({estimate_of(work_.work[place]), call.direct_ns});
      times_ns_.push_back(call.direct_ns);
      row.counted_ns += call.counted_ns;
    }
    row.kernel = statistics_of(times_ns_);
    row.rates = rates_of(calls_);
    row.kernels_run = details_.of(places);
    const EventId event = input_.tree().arguments_event(work_.calls.launchers[places.front()].node);
    row.recorded_flops = input_.trace().real(event, Argument::kernel_flop);
    row.recorded_gigabytes = input_.trace().real(event, Argument::kernel_num_gb);
    return row;
  }

  void add_percentages() {
    WideSum total_ns = 0;
    for (const UnifiedRow& row : out_.rows) total_ns += row.kernel.sum;
    WideSum so_far_ns = 0;
    for (UnifiedRow& row : out_.rows) {
      so_far_ns += row.kernel.sum;
      row.percentage = percentage_of(row.kernel.sum, total_ns);
      row.cumulative_percentage = percentage_of(so_far_ns, total_ns);
    }
  }

  const TableInput& input_;
  const OperatorWork& work_;
  const CallEstimates& estimates_;
  std::optional<CallStacks> stacks_;
  std::optional<RecomputeMarks> recompute_;
  KernelDetailList details_;
  std::vector<std::int64_t> times_ns_;
  std::vector<RatedCall> calls_;
  std::string name_;
  UnifiedSummary out_;
};
}  // namespace

UnifiedSummary unified_summary(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates) {
  return UnifiedSheet(input, work, estimates).make();
}
}  // namespace kinetoscope::analysis
