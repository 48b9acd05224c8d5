#include "core/analysis/efficiency.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/tree/recompute.hpp"
#include "core/analysis/counted_work.hpp"
#include "core/analysis/device_runs.hpp"
#include "core/analysis/parent_operators.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::uint32_t no_call = 0xffff'ffff;
constexpr std::string_view reason_without_call = "no call launched it";

/// `amount` in units of `unit` over the time in seconds; not_applicable without time.
Known<double> per_second(WideSum amount, WideSum time_ns, double unit) {
  if (time_ns <= 0) return Reason::not_applicable;
  return static_cast<double>(amount) / unit / (static_cast<double>(time_ns) / 1e9);
}

Known<double> share_at_peak(WideSum at_peak_fs, WideSum time_ns) {
  if (time_ns <= 0) return Reason::not_applicable;
  return static_cast<double>(at_peak_fs) / static_cast<double>(femtoseconds_per_ns) / static_cast<double>(time_ns);
}

class EfficiencyMeasures {
 public:
  EfficiencyMeasures(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates,
                     const perf_model::Platform& platform, std::span<const Step> steps)
      : input_(input),
        work_(work),
        platform_(platform),
        steps_(steps),
        demands_(input.trace(), work, estimates, platform),
        names_(input.tree()),
        call_of_(input.trace().size(), no_call),
        step_of_(input.trace().size(), no_step),
        counted_ns_(work.work.size(), 0) {}

  Efficiency measure() && {
    assign_steps();
    look_at_calls();
    out_.platform = platform_.name;
    out_.bandwidth_gbps = platform_.mem_bw_gbps;
    measure_whole();
    measure_steps();
    add_peaks();
    return std::move(out_);
  }

 private:
  std::span<const EventId> events_of(std::size_t call) const {
    return work_.calls.events_of(work_.calls.launchers[call]);
  }

  /// A call's events follow the first of them.
  void assign_steps() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      for (const EventId event : steps_[i].gpu_events) step_of_[index_of(event)] = id_at<StepId>(i);
    }
    for (std::size_t call = 0; call < work_.work.size(); ++call) {
      input_.stop_if_asked(call);
      const std::span<const EventId> events = events_of(call);
      const StepId step = step_of_[index_of(events.front())];
      for (const EventId event : events) {
        call_of_[index_of(event)] = static_cast<std::uint32_t>(call);
        step_of_[index_of(event)] = step;
      }
    }
  }

  void look_at_calls() {
    const RecomputeMarks marks(input_.tree());
    if (marks.has_any()) is_recomputed_.resize(work_.work.size(), false);
    for (std::size_t call = 0; call < work_.work.size(); ++call) {
      input_.stop_if_asked(call);
      const std::span<const EventId> events = events_of(call);
      if (std::ranges::none_of(events, [&](EventId event) { return input_.trace().extent(event).has_value(); })) {
        ++out_.untimed_calls;
        continue;
      }
      calls_.push_back(static_cast<std::uint32_t>(call));
      if (!marks.has_any()) continue;
      is_recomputed_[call] = std::ranges::all_of(events, [&](EventId event) { return marks.contains_gpu(event); });
    }
  }

  /// A call that only copies has no part in what computation loses: its time is in exposed_copies.
  bool computes(std::uint32_t call) const {
    return std::ranges::any_of(events_of(call),
                               [&](EventId event) { return input_.buckets().of(event) == GpuBucket::computation; });
  }
  bool is_recomputed(std::uint32_t call) const { return !is_recomputed_.empty() && is_recomputed_[call]; }
  StepId step_of_call(std::uint32_t call) const { return step_of_[index_of(events_of(call).front())]; }

  void measure_whole() {
    const std::vector<DeviceRun> runs = device_runs(input_, {});
    out_.devices = runs.size();
    WideSum time_ns = 0;
    for (const DeviceRun& run : runs) time_ns += run.extent.end_ns - run.extent.begin_ns;
    out_.whole = utilisation(runs, calls_, time_ns);
  }

  /// Calls and runs both by step, no_step last.
  void measure_steps() {
    std::ranges::stable_sort(calls_, {}, [&](std::uint32_t call) { return step_of_call(call); });
    std::span<const std::uint32_t> calls_ahead = calls_;
    const auto calls_of_next = [&](StepId step) {
      const auto end =
          std::ranges::upper_bound(calls_ahead, step, {}, [&](std::uint32_t call) { return step_of_call(call); });
      const auto count = static_cast<std::size_t>(end - calls_ahead.begin());
      const std::span<const std::uint32_t> calls = calls_ahead.first(count);
      calls_ahead = calls_ahead.subspan(count);
      return calls;
    };
    const std::vector<DeviceRun> all = device_runs(input_, step_of_.span());
    for (std::span<const DeviceRun> ahead = all; !ahead.empty() && ahead.front().step != no_step;) {
      const StepId step = ahead.front().step;
      std::size_t count = 0;
      WideSum time_ns = 0;
      while (count < ahead.size() && ahead[count].step == step) time_ns += step_time_ns(ahead[count++], all);
      const EventId annotation = steps_[index_of(step)].annotation;
      StepUtilisation& row = out_.by_step.emplace_back();
      row.step = step;
      if (annotation != no_event) row.name = input_.trace().name_text(annotation);
      row.part = utilisation(ahead.first(count), calls_of_next(step), time_ns);
      ahead = ahead.subspan(count);
    }
    for (const std::uint32_t call : calls_ahead) add_work(out_.outside_steps, call);
  }

  /// Of runs and all calls whose events are in them.
  Utilisation utilisation(std::span<const DeviceRun> runs, std::span<const std::uint32_t> calls, WideSum time_ns) {
    Utilisation out;
    LossSums losses;
    UnmodelledSums unmodelled;
    for (const DeviceRun& run : runs) count_times(run, losses, unmodelled);
    for (const std::uint32_t call : calls) {
      input_.stop_if_asked(call);
      add_work(out.work, call);
      const WideSum counted_ns = std::exchange(counted_ns_[call], 0);
      const CallDemand& demand = demands_.of(call);
      if (demand.ideal && !is_recomputed(call)) {
        if (demand.ideal->at_peak_fs > 0 || computes(call)) losses.add_call(*demand.ideal, counted_ns);
      } else {
        losses.add(demand.ideal ? WaterfallPart::recompute : WaterfallPart::unmodelled_work, counted_ns);
      }
      if (!demand.ideal) add_unmodelled(call, counted_ns, demand.reason, unmodelled);
    }
    out.time_ns = time_ns;
    out.waterfall = losses.finish(time_ns);
    out.unmodelled = unmodelled.longest(time_ns);
    add_rates(out);
    return out;
  }

  /// Each device by itself.
  void count_times(const DeviceRun& run, LossSums& losses, UnmodelledSums& unmodelled) {
    input_.stop_if_asked();
    const std::vector<std::int64_t> counted_ns = counted_times_ns(input_.trace(), input_.buckets(), run.events);
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      const EventId event = run.events[i];
      const std::uint32_t call = call_of_[index_of(event)];
      switch (input_.buckets().of(event)) {
        case GpuBucket::communication: losses.add(WaterfallPart::exposed_communication, counted_ns[i]); break;
        case GpuBucket::memcpy: losses.add(WaterfallPart::exposed_copies, counted_ns[i]); break;
        case GpuBucket::computation:
          if (call != no_call) {
            counted_ns_[call] += counted_ns[i];
          } else {
            losses.add(WaterfallPart::unmodelled_work, counted_ns[i]);
            add_kernel(event, counted_ns[i], reason_without_call, unmodelled);
          }
          break;
      }
    }
  }

  void add_kernel(EventId event, WideSum counted_ns, std::string_view reason, UnmodelledSums& unmodelled) const {
    const NameId name = input_.trace().name(event);
    unmodelled.add(static_cast<std::uint32_t>(name), true, input_.trace().text(name), counted_ns, reason);
  }

  void add_unmodelled(std::uint32_t call, WideSum counted_ns, std::string_view reason, UnmodelledSums& unmodelled) {
    const NodeId node = work_.calls.launchers[call].node;
    if (input_.tree().role(node) == Role::operator_call) {
      unmodelled.add(names_.id(node), false, input_.tree().name(node), counted_ns, reason);
    } else {
      add_kernel(events_of(call).front(), counted_ns, reason, unmodelled);
    }
  }

  void add_work(WorkDone& done, std::uint32_t call) {
    const CallDemand& demand = demands_.of(call);
    const bool is_again = is_recomputed(call);
    ++done.calls;
    if (demand.ideal) ++done.modelled_calls;
    (is_again ? done.recomputed_flops : done.model_flops) += demand.matrix_flops;
    if (demand.has_peak_figure) {
      (is_again ? done.recomputed_at_peak_fs : done.model_at_peak_fs) += demand.ideal->at_peak_fs;
    } else {
      done.flops_without_peak += demand.matrix_flops;
    }
    done.vector_flops += demand.vector_flops;
    if (demand.bytes_moved) {
      done.bytes_moved += *demand.bytes_moved;
      if (is_again) done.recomputed_bytes += *demand.bytes_moved;
    } else if (demand.ideal) {
      ++done.calls_without_bytes;
    }
  }

  void add_rates(Utilisation& out) const {
    const WorkDone& done = out.work;
    if (done.model_flops > 0) out.tflops_per_s = per_second(done.model_flops, out.time_ns, 1e12);
    if (done.model_flops + done.recomputed_flops > done.flops_without_peak) {
      out.mfu = share_at_peak(done.model_at_peak_fs, out.time_ns);
      out.hfu = share_at_peak(done.model_at_peak_fs + done.recomputed_at_peak_fs, out.time_ns);
    }
    if (done.bytes_moved == 0) return;
    out.gigabytes_per_s = per_second(done.bytes_moved, out.time_ns, 1e9);
    if (out.gigabytes_per_s) out.mbu = *out.gigabytes_per_s / platform_.mem_bw_gbps.value;
  }

  void add_peaks() {
    std::vector<PeakUse> uses;
    for (const std::uint32_t call : calls_) {
      const CallDemand& demand = demands_.of(call);
      if (demand.peak == CallDemand::no_peak) continue;
      if (uses.size() <= demand.peak) uses.resize(demand.peak + std::size_t{1});
      PeakUse& use = uses[demand.peak];
      (is_recomputed(call) ? use.recomputed_flops : use.model_flops) += demand.matrix_flops;
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
      PeakUse& use = uses[i];
      use.peak = demands_.peaks()[i];
      use.tflops_per_s = per_second(use.model_flops, out_.whole.time_ns, 1e12);
      if (use.tflops_per_s && use.peak.tflops) use.mfu = *use.tflops_per_s / use.peak.tflops->value;
    }
    std::ranges::sort(uses, [](const PeakUse& left, const PeakUse& right) {
      return std::tie(right.model_flops, right.recomputed_flops, left.peak.spec, left.peak.answered_by) <
             std::tie(left.model_flops, left.recomputed_flops, right.peak.spec, right.peak.answered_by);
    });
    out_.peaks = std::move(uses);
  }

  const TableInput& input_;
  const OperatorWork& work_;
  const perf_model::Platform& platform_;
  std::span<const Step> steps_;
  CallDemands demands_;
  NodeNames names_;
  std::vector<std::uint32_t> calls_;  // with some timed event
  std::vector<bool> is_recomputed_;   // by call; empty where nothing was
  HugeArray<std::uint32_t> call_of_;  // by EventId
  HugeArray<StepId> step_of_;         // by EventId
  std::vector<WideSum> counted_ns_;   // by call, of the part being measured; 0 between parts
  Efficiency out_;
};
}  // namespace

void WorkDone::add(const WorkDone& other) noexcept {
  calls += other.calls;
  modelled_calls += other.modelled_calls;
  model_flops += other.model_flops;
  recomputed_flops += other.recomputed_flops;
  flops_without_peak += other.flops_without_peak;
  vector_flops += other.vector_flops;
  bytes_moved += other.bytes_moved;
  recomputed_bytes += other.recomputed_bytes;
  calls_without_bytes += other.calls_without_bytes;
  model_at_peak_fs += other.model_at_peak_fs;
  recomputed_at_peak_fs += other.recomputed_at_peak_fs;
}

Efficiency efficiency_of(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates,
                         const perf_model::Platform& platform, std::span<const Step> steps) {
  return EfficiencyMeasures(input, work, estimates, platform, steps).measure();
}
}  // namespace kinetoscope::analysis
