// Which events bear a name, and which of them has the most GPU time: what a question about a name is about.

#include <optional>
#include <vector>

#include "core/base/glob.hpp"
#include "core/analysis/call_context.hpp"
#include "core/analysis/event_gpu_time.hpp"

namespace kinetoscope::analysis {
namespace {

/// Each distinct name is held against the pattern once.
class PatternMemo {
 public:
  PatternMemo(const Trace& trace, std::string_view pattern)
      : trace_(trace), pattern_(pattern), answers_(trace.names_count(), unasked) {}
  [[nodiscard]] bool fits(NameId name) {
    if (name == no_name) return false;
    std::uint8_t& answer = answers_[index_of(name)];
    if (answer == unasked) {
      answer = matches_glob(trace_.text(name), pattern_) ? yes : no;
      if (answer == yes) ++names_;
    }
    return answer == yes;
  }
  [[nodiscard]] std::uint64_t names() const noexcept { return names_; }

 private:
  enum Answer : std::uint8_t { unasked, yes, no };
  const Trace& trace_;
  std::string_view pattern_;
  std::vector<std::uint8_t> answers_;  // by name
  std::uint64_t names_ = 0;
};
}  // namespace

CallInstances call_instances(const CallTree& tree, const ScopeSelection& selection, std::string_view pattern) {
  const Trace& trace = tree.trace();
  PatternMemo memo(trace, pattern);
  std::vector<EventId> found;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (selection.contains(node) && memo.fits(trace.name(tree.event(node)))) found.push_back(tree.event(node));
  }
  for (const EventId event : selection.gpu_events()) {
    if (memo.fits(trace.name(event))) found.push_back(event);
  }
  CallInstances out{found.size(), memo.names(), no_event};
  if (found.empty()) return out;
  const EventGpuTime gpu_time(tree, trace.gpu_events());
  std::optional<WideSum> longest_ns;
  for (const EventId event : found) {
    const WideSum time_ns = gpu_time.total_ns(event).value_or(0);
    const bool is_longer = !longest_ns || time_ns > *longest_ns || (time_ns == *longest_ns && event < out.longest);
    if (!is_longer) continue;
    longest_ns = time_ns;
    out.longest = event;
  }
  return out;
}
}  // namespace kinetoscope::analysis
