#include "core/tree/launch_links.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/id_chains.hpp"
#include "core/tree/diagnostics.hpp"
#include "core/tree/event_places.hpp"
#include "core/tree/processes.hpp"

namespace kinetoscope {
namespace {

constexpr std::array<std::string_view, 6> method_spellings = {
    "none", "correlation", "correlation_and_arrow", "correlation_and_device", "flow", "external_id"};
static_assert(method_spellings.size() == static_cast<std::size_t>(LinkMethod::external_id) + 1);
constexpr std::array<std::string_view, 5> cause_spellings = {"none", "queued_before_window", "launch_not_recorded",
                                                             "ambiguous_correlation", "no_identity"};
static_assert(cause_spellings.size() == static_cast<std::size_t>(UnlinkedCause::no_identity) + 1);

/// Who launched the work of a device: one process, or several.
struct Owner {
  std::size_t process = 0;
  bool is_shared = false;
};

class Linker {
 public:
  Linker(const Trace& trace, const RuntimeCallTable& calls, Diagnostics& diagnostics)
      : trace_(trace), calls_(calls), diagnostics_(diagnostics), processes_(trace) {
    out_.links.resize(trace.gpu_events().size());
  }

  LaunchLinks run() {
    index_events();
    link_by_correlation();
    for (const std::int64_t id : shared_ids_) link_shared(id);
    link_by_arrow();
    link_by_external_id();
    follow_arrows();
    count_findings();
    return std::move(out_);
  }

 private:
  using Ordinal = std::uint32_t;  // a position in trace.gpu_events()

  [[nodiscard]] EventId gpu_event(Ordinal ordinal) const { return trace_.gpu_events()[ordinal]; }

  void index_events() {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const auto event = id_at<EventId>(i);
      const Role role = trace_.role(event);
      if (role == Role::runtime_call) {
        const std::int64_t id = trace_.integer(event, Argument::correlation).value_or(0);
        if (id == 0) continue;
        launches_.add(id, event);
        smallest_launch_id_ = std::min(smallest_launch_id_.value_or(id), id);
      } else if (role == Role::launch_arrow && trace_.arrow_id(event) != 0) {
        if (trace_.phase(event) == Phase::flow_start) arrow_starts_.add(trace_.arrow_id(event), event);
        if (trace_.phase(event) == Phase::flow_end) arrow_ends_.add(trace_.arrow_id(event), event);
      }
    }
    for (Ordinal i = 0; i < out_.links.size(); ++i) {
      const std::int64_t id = trace_.integer(gpu_event(i), Argument::correlation).value_or(0);
      if (id != 0) gpu_by_id_.add(id, i);
    }
  }

  void link(Ordinal ordinal, EventId launch, LinkMethod method) {
    out_.links[ordinal] = {launch, method, UnlinkedCause::none};
    if (method == LinkMethod::correlation || method == LinkMethod::correlation_and_arrow) {
      own_device(processes_.of(launch), gpu_event(ordinal));
    }
  }

  void own_device(std::size_t process, EventId event) {
    const auto [owner, is_new] = owners_.try_emplace(device_of(event), Owner{process, false});
    if (!is_new && owner->second.process != process) owner->second.is_shared = true;
  }

  [[nodiscard]] std::int64_t device_of(EventId event) const {
    return trace_.streams()[index_of(trace_.stream(event))].device;
  }

  void link_by_correlation() {
    for (Ordinal i = 0; i < out_.links.size(); ++i) {
      const std::int64_t id = trace_.integer(gpu_event(i), Argument::correlation).value_or(0);
      if (id == 0) continue;
      const std::uint32_t first_launch = launches_.first(id);
      if (first_launch == IdChains<EventId>::none) {
        const bool is_early = smallest_launch_id_ && id < *smallest_launch_id_;
        out_.links[i].cause = is_early ? UnlinkedCause::queued_before_window : UnlinkedCause::launch_not_recorded;
        continue;
      }
      const std::uint32_t first_gpu = gpu_by_id_.first(id);
      const bool is_shared = launches_.next(first_launch) != IdChains<EventId>::none ||
                             gpu_by_id_.next(first_gpu) != IdChains<Ordinal>::none;
      if (!is_shared) {
        link(i, launches_.value(first_launch), LinkMethod::correlation);
      } else if (gpu_by_id_.value(first_gpu) == i) {
        defer_or_link_graph(id, launches_.value(first_launch));
      }
    }
  }

  /// An id of several: a graph launch that alone has the id owns all; the rest waits until devices have owners.
  void defer_or_link_graph(std::int64_t id, EventId launch) {
    const bool is_alone = launches_.next(launches_.first(id)) == IdChains<EventId>::none;
    const std::vector<Ordinal> work = values(gpu_by_id_, id);
    if (is_alone && owns_all(launch, work)) {
      for (const Ordinal ordinal : work) link(ordinal, launch, LinkMethod::correlation);
    } else {
      shared_ids_.push_back(id);
    }
  }

  [[nodiscard]] bool owns_all(EventId launch, const std::vector<Ordinal>& work) const {
    return calls_.of(launch) == names::RuntimeCall::graph_launch || std::ranges::any_of(work, [&](Ordinal ordinal) {
             return trace_.identifier(gpu_event(ordinal), Argument::graph_node_id).has_value() ||
                    trace_.identifier(gpu_event(ordinal), Argument::graph_id).has_value();
           });
  }

  template <typename T>
  [[nodiscard]] static std::vector<T> values(const IdChains<T>& chains, std::int64_t id) {
    std::vector<T> out;
    for (std::uint32_t at = chains.first(id); at != IdChains<T>::none; at = chains.next(at)) {
      out.push_back(chains.value(at));
    }
    return out;
  }

  /// Calls inside one another on one thread that share an id are one launch, the outermost.
  [[nodiscard]] std::vector<EventId> outermost(std::vector<EventId> launches) const {
    std::ranges::stable_sort(launches, [&](EventId left, EventId right) {
      return std::tuple(trace_.track(left), trace_.begin_ns(left), trace_.duration_ns(right)) <
             std::tuple(trace_.track(right), trace_.begin_ns(right), trace_.duration_ns(left));
    });
    std::vector<EventId> out;
    for (const EventId launch : launches) {
      if (!out.empty() && trace_.track(out.back()) == trace_.track(launch)) {
        const auto outer = trace_.extent(out.back());
        const auto inner = trace_.extent(launch);
        if (outer && inner && inner->begin_ns >= outer->begin_ns && inner->end_ns <= outer->end_ns) continue;
      }
      out.push_back(launch);
    }
    return out;
  }

  void link_shared(std::int64_t id) {
    const std::vector<Ordinal> work = values(gpu_by_id_, id);
    const std::vector<EventId> launches = outermost(values(launches_, id));
    for (const Ordinal ordinal : work) out_.links[ordinal].cause = UnlinkedCause::ambiguous_correlation;
    if (launches.size() > 1) diagnostics_.add(tree_diagnostics::correlation_collision, {}, launches.size());
    link_by_arrow_order(id, launches, work);
    if (launches.size() == 1 && owns_all(launches.front(), work)) {
      for (const Ordinal ordinal : work) {
        if (!is_linked(ordinal)) link(ordinal, launches.front(), LinkMethod::correlation);
      }
      return;
    }
    link_by_device(launches, work);
  }

  [[nodiscard]] bool is_linked(Ordinal ordinal) const { return out_.links[ordinal].launch != no_event; }

  void link_by_arrow_order(std::int64_t id, const std::vector<EventId>& launches, const std::vector<Ordinal>& work) {
    const std::vector<EventId> starts = values(arrow_starts_, id);
    const std::vector<EventId> ends = values(arrow_ends_, id);
    const EventPlaces launch_places(trace_, launches);
    std::vector<EventId> gpu_events;
    for (const Ordinal ordinal : work) gpu_events.push_back(gpu_event(ordinal));
    const EventPlaces work_places(trace_, gpu_events);
    std::vector<bool> has_work(launches.size(), false);
    for (std::size_t k = 0; k < std::min(starts.size(), ends.size()); ++k) {
      const auto launch = launch_places.at_start_of(starts[k]);
      const auto target = work_places.at_start_of(ends[k]);
      if (!launch || !target || is_linked(work[*target]) || has_work[*launch]) continue;
      link(work[*target], launches[*launch], LinkMethod::correlation_and_arrow);
      has_work[*launch] = true;
    }
  }

  /// A process's launches of one id: only a single one can be told.
  struct ProcessLaunches {
    EventId first = no_event;
    std::size_t count = 0;
  };

  /// What arrows left: a call can have launched what runs on the device its process owns, or on any device that nobody
  /// owns when it is the only call of the id, and not before the call began.
  void link_by_device(const std::vector<EventId>& launches, const std::vector<Ordinal>& work) {
    std::map<std::size_t, ProcessLaunches> by_process;
    for (const EventId launch : launches) {
      ProcessLaunches& own = by_process[processes_.of(launch)];
      if (own.count++ == 0) own.first = launch;
    }
    const auto only_launch = [&](EventId event) {
      const auto owner = owners_.find(device_of(event));
      if (owner == owners_.end()) return launches.size() == 1 ? launches.front() : no_event;
      const auto own = by_process.find(owner->second.process);
      const bool is_told = !owner->second.is_shared && own != by_process.end() && own->second.count == 1;
      return is_told ? own->second.first : no_event;
    };
    std::map<EventId, std::vector<Ordinal>> possible;  // the work that a call, the only possible one, may have launched
    std::vector<EventId> busy;
    for (const Ordinal ordinal : work) {
      if (is_linked(ordinal)) {
        busy.push_back(out_.links[ordinal].launch);
        continue;
      }
      const EventId launch = only_launch(gpu_event(ordinal));
      if (launch == no_event || trace_.begin_ns(gpu_event(ordinal)) < trace_.begin_ns(launch)) continue;
      possible[launch].push_back(ordinal);
    }
    std::ranges::sort(busy);
    for (const auto& [launch, ordinals] : possible) {
      const bool takes_all = owns_all(launch, ordinals);
      if (!takes_all && (ordinals.size() > 1 || std::ranges::binary_search(busy, launch))) continue;
      for (const Ordinal ordinal : ordinals) link(ordinal, launch, LinkMethod::correlation_and_device);
    }
  }

  /// GPU events whose id leads nowhere, by the arrow that ends at them.
  void link_by_arrow() {
    std::vector<EventId> unlinked;
    std::vector<Ordinal> ordinals;
    for (Ordinal i = 0; i < out_.links.size(); ++i) {
      if (is_linked(i) || out_.links[i].cause == UnlinkedCause::ambiguous_correlation) continue;
      unlinked.push_back(gpu_event(i));
      ordinals.push_back(i);
    }
    if (unlinked.empty()) return;
    const std::vector<EventPair> arrows = unused_arrows();
    if (arrows.empty()) return;
    const EventPlaces targets(trace_, unlinked);
    const std::vector<EventId> calls = runtime_calls();
    const EventPlaces call_places(trace_, calls);
    for (const EventPair& arrow : arrows) {
      const auto target = targets.at_start_of(arrow.end);
      const auto call = call_places.at_start_of(arrow.start);
      if (call && !target) diagnostics_.add(tree_diagnostics::flow_target_missing);
      if (target && call && !is_linked(ordinals[*target])) link(ordinals[*target], calls[*call], LinkMethod::flow);
    }
  }

  struct EventPair {
    EventId start = no_event;
    EventId end = no_event;
  };
  /// Arrows whose id is no GPU event's that is linked already: the k-th start of an id with its k-th end.
  [[nodiscard]] std::vector<EventPair> unused_arrows() const {
    std::vector<EventPair> out;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const auto event = id_at<EventId>(i);
      if (trace_.role(event) != Role::launch_arrow || trace_.phase(event) != Phase::flow_start) continue;
      const std::int64_t id = trace_.arrow_id(event);
      const std::uint32_t first = arrow_starts_.first(id);
      if (first == IdChains<EventId>::none || arrow_starts_.value(first) != event) continue;  // once an id
      const std::uint32_t work = gpu_by_id_.first(id);
      if (work != IdChains<Ordinal>::none && is_linked(gpu_by_id_.value(work))) continue;
      const std::vector<EventId> starts = values(arrow_starts_, id);
      const std::vector<EventId> ends = values(arrow_ends_, id);
      for (std::size_t k = 0; k < std::min(starts.size(), ends.size()); ++k) out.push_back({starts[k], ends[k]});
    }
    return out;
  }

  [[nodiscard]] std::vector<EventId> runtime_calls() const {
    std::vector<EventId> out;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (trace_.role(id_at<EventId>(i)) == Role::runtime_call) out.push_back(id_at<EventId>(i));
    }
    return out;
  }

  /// GPU events with neither id nor arrow: the k-th of an External id goes with its k-th call that has no work yet,
  /// when there are as many of both; a single call owns a single event.
  void link_by_external_id() {
    std::map<std::int64_t, std::vector<Ordinal>> work;
    for (Ordinal i = 0; i < out_.links.size(); ++i) {
      if (is_linked(i) || trace_.integer(gpu_event(i), Argument::correlation).value_or(0) != 0) continue;
      const std::int64_t id = trace_.integer(gpu_event(i), Argument::external_id).value_or(0);
      if (id != 0) work[id].push_back(i);
    }
    if (work.empty()) return;
    std::vector<EventId> busy;
    for (const GpuLink& found : out_.links) busy.push_back(found.launch);
    std::ranges::sort(busy);
    std::map<std::int64_t, std::vector<EventId>> calls;
    for (const EventId event : runtime_calls()) {
      if (std::ranges::binary_search(busy, event) || !names::is_launch(calls_.of(event))) continue;
      calls[trace_.integer(event, Argument::external_id).value_or(0)].push_back(event);
    }
    const auto by_time = [&](EventId left, EventId right) {
      return std::tuple(trace_.begin_ns(left), left) < std::tuple(trace_.begin_ns(right), right);
    };
    for (auto& [id, ordinals] : work) {
      const auto found = calls.find(id);
      if (found == calls.end()) continue;
      for (const Ordinal ordinal : ordinals) out_.links[ordinal].cause = UnlinkedCause::ambiguous_correlation;
      if (found->second.size() != ordinals.size()) continue;
      std::ranges::sort(found->second, by_time);
      std::ranges::sort(ordinals,
                        [&](Ordinal left, Ordinal right) { return by_time(gpu_event(left), gpu_event(right)); });
      for (std::size_t k = 0; k < ordinals.size(); ++k) link(ordinals[k], found->second[k], LinkMethod::external_id);
    }
  }

  /// Arrows say who depends on whom, and whether they agree with the ids.
  void follow_arrows() {
    std::vector<bool> is_device_track(trace_.tracks().size(), false);
    for (const EventId event : trace_.gpu_events()) is_device_track[index_of(trace_.track(event))] = true;
    std::vector<EventId> all;
    std::optional<EventPlaces> places;  // built for the first arrow between GPU events
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const auto arrow = id_at<EventId>(i);
      if (trace_.role(arrow) != Role::launch_arrow || trace_.phase(arrow) != Phase::flow_start) continue;
      const std::uint32_t end = arrow_ends_.first(trace_.arrow_id(arrow));
      if (!is_device_track[index_of(trace_.track(arrow))]) {
        compare_with_ids(arrow, end);
      } else if (end != IdChains<EventId>::none) {
        if (!places) {
          all.assign(trace_.gpu_events().begin(), trace_.gpu_events().end());
          places.emplace(trace_, all);
        }
        const auto from = places->around_start_of(arrow);
        const auto to = places->at_start_of(arrow_ends_.value(end));
        if (from && to && *from != *to) out_.edges.push_back({all[*from], all[*to]});
      }
    }
  }

  void compare_with_ids(EventId start, std::uint32_t end) {
    const std::int64_t id = trace_.arrow_id(start);
    const std::uint32_t work = gpu_by_id_.first(id);
    if (work == IdChains<Ordinal>::none) return;
    if (gpu_by_id_.next(work) != IdChains<Ordinal>::none) return;  // of several, an arrow names any one
    const GpuLink& found = out_.links[gpu_by_id_.value(work)];
    // Linked by the arrow itself, or one of several: nothing to compare.
    const std::uint32_t launch = launches_.first(id);
    if (found.launch == no_event || launch == IdChains<EventId>::none) return;
    if (launches_.next(launch) != IdChains<EventId>::none) return;
    const bool starts_there =
        trace_.track(found.launch) == trace_.track(start) && trace_.begin_ns(found.launch) == trace_.begin_ns(start);
    const EventId target = gpu_event(gpu_by_id_.value(work));
    const bool ends_there =
        end == IdChains<EventId>::none || (trace_.track(arrow_ends_.value(end)) == trace_.track(target) &&
                                           trace_.begin_ns(arrow_ends_.value(end)) == trace_.begin_ns(target));
    if (!starts_there) diagnostics_.add(tree_diagnostics::flow_disagrees);
    if (!ends_there) diagnostics_.add(tree_diagnostics::flow_target_missing);
  }

  void count_findings() {
    const bool has_launches = !launches_.empty();
    for (Ordinal i = 0; i < out_.links.size(); ++i) {
      const GpuLink& found = out_.links[i];
      const EventId event = gpu_event(i);
      if (found.cause == UnlinkedCause::ambiguous_correlation) {
        diagnostics_.add(tree_diagnostics::ambiguous_correlation);
      } else if (found.launch == no_event) {
        // Without any launch there is one population: all GPU work (decision 4).
        if (has_launches) diagnostics_.add(tree_diagnostics::unlinked_kernel);
      } else {
        count_link(found, event);
      }
    }
  }

  void count_link(const GpuLink& found, EventId event) {
    if (found.method == LinkMethod::flow) diagnostics_.add(tree_diagnostics::linked_by_flow);
    if (found.method == LinkMethod::external_id) diagnostics_.add(tree_diagnostics::linked_by_external_id);
    const bool is_graph = calls_.of(found.launch) == names::RuntimeCall::graph_launch;
    if (is_graph) diagnostics_.add(tree_diagnostics::graph_replayed_kernels);
    const std::int64_t id = trace_.integer(event, Argument::correlation).value_or(0);
    const bool has_arrow =
        arrow_starts_.first(id) != IdChains<EventId>::none && arrow_ends_.first(id) != IdChains<EventId>::none;
    if (id != 0 && !is_graph && !has_arrow) {
      diagnostics_.add(tree_diagnostics::linked_without_flow);
    }
    const std::int64_t begin_ns = trace_.begin_ns(event);
    const bool is_timed = trace_.extent(event).has_value() && trace_.begin_ns(found.launch) != unknown_time_ns;
    if (is_timed && begin_ns < trace_.begin_ns(found.launch) - launch_tolerance_ns) {
      diagnostics_.add(tree_diagnostics::kernel_before_launch);
    }
  }

  /// Host and device clocks are aligned to about a microsecond.
  static constexpr std::int64_t launch_tolerance_ns = 1000;

  const Trace& trace_;
  const RuntimeCallTable& calls_;
  Diagnostics& diagnostics_;
  Processes processes_;
  LaunchLinks out_;
  IdChains<EventId> launches_;
  IdChains<EventId> arrow_starts_;
  IdChains<EventId> arrow_ends_;
  IdChains<Ordinal> gpu_by_id_;
  std::optional<std::int64_t> smallest_launch_id_;
  std::vector<std::int64_t> shared_ids_;
  std::map<std::int64_t, Owner> owners_;  // by device
};
}  // namespace

std::string_view spelling_of(LinkMethod method) noexcept { return method_spellings[static_cast<std::size_t>(method)]; }

std::string_view spelling_of(UnlinkedCause cause) noexcept { return cause_spellings[static_cast<std::size_t>(cause)]; }

LaunchLinks link_launches(const Trace& trace, const RuntimeCallTable& calls, Diagnostics& diagnostics) {
  return Linker(trace, calls, diagnostics).run();
}
}  // namespace kinetoscope
