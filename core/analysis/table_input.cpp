#include "core/analysis/table_input.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace kinetoscope::analysis {

TableInput::TableInput(const CallTree& tree, const GpuBuckets& buckets, std::span<const EventId> in_scope,
                       TableOptions options, std::stop_token stop)
    : tree_(&tree),
      buckets_(&buckets),
      options_(std::move(options)),
      stop_(std::move(stop)),
      in_scope_(in_scope.begin(), in_scope.end()) {
  for (const EventId event : in_scope_) {
    const bool has_no_launch = is_unlinked(event);
    if (has_no_launch) unlinked_.push_back(event);
    if (!has_no_launch || options_.includes_unlinked) events_.push_back(event);
  }
  is_whole_ = events_.size() == trace().gpu_events().size();
  if (is_whole_) return;
  contains_.resize(trace().size(), false);
  for (const EventId event : events_) contains_[index_of(event)] = true;
}

void TableInput::fail_interrupted() { throw Error({.code = ErrorCode::interrupted}); }
}  // namespace kinetoscope::analysis
