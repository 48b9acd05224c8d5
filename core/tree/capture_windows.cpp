#include "core/tree/capture_windows.hpp"

#include <algorithm>
#include <tuple>

namespace kinetoscope {

CaptureWindows::CaptureWindows(const Trace& trace, const RuntimeCallTable& calls)
    : trace_(trace), windows_(trace.tracks().size()) {
  std::vector<EventId> marks;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const names::RuntimeCall call = calls.of(id_at<EventId>(i));
    const bool is_mark =
        call == names::RuntimeCall::stream_capture_begin || call == names::RuntimeCall::stream_capture_end;
    if (is_mark && trace.extent(id_at<EventId>(i))) marks.push_back(id_at<EventId>(i));
  }
  std::ranges::sort(marks, [&](EventId left, EventId right) {
    return std::tuple(trace.track(left), trace.begin_ns(left), left) <
           std::tuple(trace.track(right), trace.begin_ns(right), right);
  });
  std::vector<std::vector<Interval>> found(windows_.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool is_begin = calls.of(marks[i]) == names::RuntimeCall::stream_capture_begin;
    const std::size_t track = index_of(trace.track(marks[i]));
    const bool follows = i > 0 && trace.track(marks[i - 1]) == trace.track(marks[i]);
    if (is_begin) {
      const bool is_last = i + 1 == marks.size() || trace.track(marks[i + 1]) != trace.track(marks[i]);
      if (is_last) found[track].push_back({trace.extent(marks[i])->end_ns, largest_time_ns});
      continue;
    }
    const bool has_begin = follows && calls.of(marks[i - 1]) == names::RuntimeCall::stream_capture_begin;
    if (!has_begin && follows) continue;  // an end after an end closes nothing
    found[track].push_back(
        {has_begin ? trace.extent(marks[i - 1])->end_ns : -largest_time_ns, trace.begin_ns(marks[i])});
  }
  for (std::size_t track = 0; track < found.size(); ++track) windows_[track] = IntervalSet(std::move(found[track]));
}

bool CaptureWindows::contains(EventId event) const {
  const auto windows = windows_[index_of(trace_.track(event))].intervals();
  const std::int64_t begin_ns = trace_.begin_ns(event);
  const auto after = std::ranges::upper_bound(windows, begin_ns, {}, [](const Interval& w) { return w.begin_ns; });
  return after != windows.begin() && begin_ns < std::prev(after)->end_ns;
}

bool CaptureWindows::has_any() const noexcept {
  return std::ranges::any_of(windows_, [](const IntervalSet& set) { return !set.intervals().empty(); });
}
}  // namespace kinetoscope
