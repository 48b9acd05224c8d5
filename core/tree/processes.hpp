#pragma once

// The processes of a trace, numbered in the order of its tracks: what a `pid` is, whether written as number or text.

#include <map>
#include <tuple>
#include <vector>

#include "core/trace/trace.hpp"

namespace kinetoscope {

class Processes {
 public:
  explicit Processes(const Trace& trace) : trace_(&trace) {
    std::map<std::tuple<NameId, std::int64_t>, std::size_t> numbers;
    of_tracks_.reserve(trace.tracks().size());
    for (const Track& track : trace.tracks()) {
      const auto entry = numbers.emplace(std::tuple(track.pid.text, track.pid.number), numbers.size()).first;
      of_tracks_.push_back(entry->second);
    }
    size_ = numbers.size();
  }
  [[nodiscard]] std::size_t of(EventId event) const noexcept { return of_tracks_[index_of(trace_->track(event))]; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  const Trace* trace_;
  std::vector<std::size_t> of_tracks_;
  std::size_t size_ = 0;
};
}  // namespace kinetoscope
