#include "core/analysis/work_rows.hpp"

namespace kinetoscope::analysis {

WorkRowMaker::WorkRowMaker(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates,
                           TextIndex& texts)
    : input_(&input),
      work_(&work),
      estimates_(&estimates),
      texts_(&texts),
      details_(input.trace(), work.calls),
      rooflines_(input, work, estimates) {
  if (input.options().groups_by_parent_module) stacks_.emplace(input.tree());
  if (input.options().detects_recompute) recompute_.emplace(input.tree());
}

HugeArray<LauncherKey> WorkRowMaker::keys() {
  const KeySources sources{stacks_ ? &*stacks_ : nullptr, recompute_ ? &*recompute_ : nullptr};
  HugeArray<LauncherKey> keys = launcher_keys(*input_, work_->calls, sources, *texts_);
  for (std::size_t place = 0; place < keys.size(); ++place) rename(place, keys[place]);
  return keys;
}

/// Backward work has the category that the forward operator gives it; single events have names of their own.
void WorkRowMaker::rename(std::size_t place, LauncherKey& key) {
  const Work& work = work_->work[place];
  const perf_model::OperatorRegistry& registry = input_->registry();
  if (work.kind == WorkKind::backward) {
    const perf_model::RegisteredOperator* const forward = registry.find(input_->tree().name(work.forward));
    key.set(KeyPart::category, static_cast<std::uint32_t>(*forward->backward_category));
  } else if (work.kind == WorkKind::single_event) {
    const Launcher& call = work_->calls.launchers[place];
    const EventId event = work_->calls.events_of(call).front();
    name_.assign(input_->tree().name(call.node)).append("->");
    name_.append(input_->trace().text(input_->trace().name(event))).append(" (Synthetic Op)");
    key.set(KeyPart::name, texts_->add(name_).index);
    if (const auto* const known = registry.find(name_)) {
      key.set(KeyPart::category, static_cast<std::uint32_t>(known->category));
    }
  }
}

std::optional<std::string_view> WorkRowMaker::argument(const LauncherKey& key, KeyPart part) const {
  if (key.of(part) == no_text) return {};
  return texts_->text(key.of(part));
}

const perf_model::Estimate* WorkRowMaker::estimate_of(std::uint32_t place) const {
  const std::uint32_t number = work_->work[place].estimate;
  return number == CallEstimates::none ? nullptr : &estimates_->estimate(number);
}

Statistics WorkRowMaker::host_statistics(std::span<const std::uint32_t> places) {
  times_ns_.clear();
  for (const std::uint32_t place : places) {
    const std::int64_t duration_ns = input_->tree().duration_ns(work_->calls.launchers[place].node);
    if (duration_ns != unknown_time_ns) times_ns_.push_back(duration_ns);
  }
  return statistics_of(times_ns_);
}

WorkRow WorkRowMaker::row_of(const LauncherKey& key, std::span<const std::uint32_t> places) {
  const Work& first = work_->work[places.front()];
  WorkRow row;
  row.name = texts_->text(key.of(KeyPart::name));
  row.category = input_->registry().spelling_of(id_at<perf_model::CategoryId>(key.of(KeyPart::category)));
  if (input_->options().groups_by_parent_module) row.parent_module = texts_->text(key.of(KeyPart::parent_module));
  row.process_name = texts_->text(key.of(KeyPart::process_name));
  row.process_label = texts_->text(key.of(KeyPart::process_label));
  row.thread_name = texts_->text(key.of(KeyPart::thread_name));
  row.input_dims = argument(key, KeyPart::input_dims);
  row.input_types = argument(key, KeyPart::input_types);
  row.input_strides = argument(key, KeyPart::input_strides);
  row.concrete_inputs = argument(key, KeyPart::concrete_inputs);
  row.kernels = key.of(KeyPart::kernels);
  row.is_recompute = key.of(KeyPart::is_recompute) != 0;
  row.example = first.id;
  row.kind = first.kind;
  row.estimate = estimate_of(places.front());
  row.host = host_statistics(places);
  calls_.clear();
  times_ns_.clear();
  for (const std::uint32_t place : places) {
    const Launcher& call = work_->calls.launchers[place];
    calls_.push_back({estimate_of(place), call.direct_ns});
    times_ns_.push_back(call.direct_ns);
    row.counted_ns += call.counted_ns;
  }
  row.kernel = statistics_of(times_ns_);
  row.rates = rates_of(calls_);
  row.roofline = rooflines_.of_row(places);
  row.kernels_run = details_.of(places);
  const EventId event = input_->tree().arguments_event(work_->calls.launchers[places.front()].node);
  row.recorded_flops = input_->trace().real(event, Argument::kernel_flop);
  row.recorded_gigabytes = input_->trace().real(event, Argument::kernel_num_gb);
  return row;
}
}  // namespace kinetoscope::analysis
