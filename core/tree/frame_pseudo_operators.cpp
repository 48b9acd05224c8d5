// Python frames of kernel libraries as operators: stages of FlyDSL, latent attention, sparse paged decodes.

#include <algorithm>
#include <charconv>
#include <tuple>

#include "core/tree/pseudo_operators.hpp"

namespace kinetoscope {
namespace {

/// By node: the nearest operator around it that holds the trigger. O(nodes).
HugeArray<NodeId> nearest_around(const CallTree& tree, const PseudoTriggers& triggers, OperatorTrigger trigger) {
  HugeArray<NodeId> around(tree.size(), no_node);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const NodeId parent = tree.parent(id_at<NodeId>(i));
    if (parent == no_node) continue;
    around[i] = triggers.holds(tree.event(parent), trigger) ? parent : around[index_of(parent)];
  }
  return around;
}

/// By node: the first operator from it on, in depth-first order, that holds the trigger. O(nodes).
HugeArray<NodeId> next_from(const CallTree& tree, const PseudoTriggers& triggers, OperatorTrigger trigger) {
  HugeArray<NodeId> next(tree.size() + 1, no_node);
  for (std::size_t i = tree.size(); i-- > 0;) {
    const auto node = id_at<NodeId>(i);
    next[i] = triggers.holds(tree.event(node), trigger) ? node : next[i + 1];
  }
  return next;
}

/// Which subtrees hold a kernel of some kind: one pass, then each question is a look-up.
class KernelsBelow {
 public:
  KernelsBelow(const CallTree& tree, const PseudoTriggers& triggers, KernelTrigger trigger)
      : tree_(tree), linked_(tree.linked_gpu_events()), next_(linked_.size() + 1, linked_.size()) {
    for (std::size_t i = linked_.size(); i-- > 0;) next_[i] = triggers.holds(linked_[i], trigger) ? i : next_[i + 1];
  }
  /// The first by launch; no_event without.
  [[nodiscard]] EventId first(NodeId node) const {
    const std::span<const EventId> below = tree_.gpu_events(node);
    if (below.empty()) return no_event;
    const auto begin = static_cast<std::size_t>(below.data() - linked_.data());
    const std::size_t next = next_[begin];
    return next < begin + below.size() ? linked_[next] : no_event;
  }

 private:
  const CallTree& tree_;
  std::span<const EventId> linked_;
  HugeArray<std::size_t> next_;  // by place among the linked GPU events: the place of the first from there on
};

PseudoOperator operator_of(PseudoKind kind, EventId donor, EventId timed_as) {
  PseudoOperator inserted;
  inserted.kind = kind;
  inserted.donor = donor;
  inserted.timed_as = timed_as;
  return inserted;
}

class MlaFrames {
 public:
  MlaFrames(const CallTree& tree, const PseudoTriggers& triggers) : tree_(tree), triggers_(triggers) {}

  std::vector<PseudoInsertion> run() {
    wrap(FrameTrigger::mla_decode, OperatorTrigger::mla_decode_stage1, PseudoKind::mla_decode);
    wrap(FrameTrigger::mla_prefill, OperatorTrigger::mla_prefill, PseudoKind::mla_prefill);
    return std::move(found_);
  }

 private:
  void wrap(FrameTrigger frame_trigger, OperatorTrigger operator_trigger, PseudoKind kind) {
    if (!triggers_.has(frame_trigger) || !triggers_.has(operator_trigger)) return;
    const HugeArray<NodeId> next = next_from(tree_, triggers_, operator_trigger);
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      const auto frame = id_at<NodeId>(i);
      if (!triggers_.holds(tree_.event(frame), frame_trigger) || tree_.gpu_events(frame).empty()) continue;
      const NodeId stage = next[i + 1];
      if (stage == no_node || stage >= tree_.subtree_end(frame)) continue;
      found_.push_back({operator_of(kind, tree_.event(stage), tree_.event(frame)), place_below(tree_, frame)});
    }
  }

  const CallTree& tree_;
  const PseudoTriggers& triggers_;
  std::vector<PseudoInsertion> found_;
};

struct HeadSizes {
  std::optional<std::int64_t> heads;
  std::optional<std::int64_t> head_dim;
};

/// Of a kernel's name "…qk_norm_rope_H<heads>_D<head_dim>_RD<rotary>…".
HeadSizes head_sizes(std::string_view name) {
  constexpr std::string_view mark = "qk_norm_rope_H";
  const std::size_t at = name.find(mark);
  if (at == std::string_view::npos) return {};
  const char* const end = name.data() + name.size();
  std::int64_t heads = 0;
  const auto after_heads = std::from_chars(name.data() + at + mark.size(), end, heads);
  if (after_heads.ec != std::errc() || end - after_heads.ptr < 3) return {};
  if (std::string_view(after_heads.ptr, 2) != "_D") return {};
  std::int64_t head_dim = 0;
  const auto after_dim = std::from_chars(after_heads.ptr + 2, end, head_dim);
  if (after_dim.ec != std::errc() || heads <= 0 || head_dim <= 0) return {};
  return {heads, head_dim};
}

bool is_before(const TrackPart& left, const TrackPart& right, const Trace& trace) {
  return std::tuple(left.is_text(), left.number, trace.text(left.text)) <
         std::tuple(right.is_text(), right.number, trace.text(right.text));
}

/// Frames by process, thread and time.
void sort_frames(const CallTree& tree, std::vector<NodeId>& frames) {
  const Trace& trace = tree.trace();
  std::ranges::sort(frames, [&](NodeId left, NodeId right) {
    const Track& left_track = trace.track_info(tree.track(left));
    const Track& right_track = trace.track_info(tree.track(right));
    if (left_track.pid != right_track.pid) return is_before(left_track.pid, right_track.pid, trace);
    if (left_track.tid != right_track.tid) return is_before(left_track.tid, right_track.tid, trace);
    return left < right;
  });
}

class PagedDecodes {
 public:
  PagedDecodes(const CallTree& tree, const PseudoTriggers& triggers, const PseudoOperatorOptions& options)
      : tree_(tree),
        options_(options),
        around_(nearest_around(tree, triggers, OperatorTrigger::v4_attention)),
        heavily_compressed_(tree, triggers, KernelTrigger::heavily_compressed),
        compressed_sparse_(tree, triggers, KernelTrigger::compressed_sparse),
        query_heads_(tree, triggers, KernelTrigger::query_heads) {
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const auto node = id_at<NodeId>(i);
      const bool is_call = triggers.holds(tree.event(node), FrameTrigger::paged_decode);
      if (is_call && around_[i] != no_node && tree.first_child(node) != no_node) frames_.push_back(node);
    }
    sort_frames(tree, frames_);
  }

  std::vector<PseudoInsertion> run() const {
    std::vector<PseudoInsertion> found;
    for (const NodeId frame : frames_) {
      const NodeId donor = around_[index_of(frame)];
      const PagedDecode call = call_of(donor, static_cast<std::uint32_t>(found.size()));
      PseudoOperator inserted = operator_of(kind_of(call.mode), tree_.event(donor), tree_.event(frame));
      inserted.arguments = call;
      found.push_back({std::move(inserted), place_below(tree_, frame)});
    }
    return found;
  }

 private:
  [[nodiscard]] PagedDecode call_of(NodeId donor, std::uint32_t call_index) const {
    PagedDecode call;
    call.call_index = call_index;
    call.model_name = options_.model_name;
    call.tensor_parallel = options_.tensor_parallel;
    if (heavily_compressed_.first(donor) != no_event) {
      call.mode = PagedDecode::Mode::hca;
    } else if (compressed_sparse_.first(donor) != no_event) {
      call.mode = PagedDecode::Mode::csa;
    }
    const EventId kernel = query_heads_.first(donor);
    if (kernel == no_event) return call;
    const HeadSizes sizes = head_sizes(tree_.trace().name_text(kernel));
    call.heads = sizes.heads;
    call.head_dim = sizes.head_dim;
    return call;
  }

  [[nodiscard]] static PseudoKind kind_of(PagedDecode::Mode mode) {
    switch (mode) {
      case PagedDecode::Mode::swa: return PseudoKind::paged_decode_swa;
      case PagedDecode::Mode::csa: return PseudoKind::paged_decode_csa;
      case PagedDecode::Mode::hca: return PseudoKind::paged_decode_hca;
    }
    return PseudoKind::paged_decode_swa;
  }

  const CallTree& tree_;
  const PseudoOperatorOptions& options_;
  HugeArray<NodeId> around_;
  KernelsBelow heavily_compressed_;
  KernelsBelow compressed_sparse_;
  KernelsBelow query_heads_;
  std::vector<NodeId> frames_;
};
}  // namespace

std::vector<PseudoInsertion> find_flydsl_stages(const CallTree& tree, const PseudoTriggers& triggers) {
  std::vector<PseudoInsertion> found;
  const bool has_stage = triggers.has(FrameTrigger::flydsl_stage1) || triggers.has(FrameTrigger::flydsl_stage2);
  if (!has_stage || !triggers.has(OperatorTrigger::flydsl_moe)) return found;
  const HugeArray<NodeId> around = nearest_around(tree, triggers, OperatorTrigger::flydsl_moe);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const EventId event = tree.event(id_at<NodeId>(i));
    const bool is_first = triggers.holds(event, FrameTrigger::flydsl_stage1);
    if (around[i] == no_node || (!is_first && !triggers.holds(event, FrameTrigger::flydsl_stage2))) continue;
    const PseudoKind kind = is_first ? PseudoKind::moe_flydsl_stage1 : PseudoKind::moe_flydsl_stage2;
    found.push_back({operator_of(kind, tree.event(around[i]), event), place_around(tree, id_at<NodeId>(i))});
  }
  return found;
}

std::vector<PseudoInsertion> find_mla_frames(const CallTree& tree, const PseudoTriggers& triggers) {
  return MlaFrames(tree, triggers).run();
}

std::vector<PseudoInsertion> find_paged_decodes(const CallTree& tree, const PseudoTriggers& triggers,
                                                const PseudoOperatorOptions& options) {
  if (!triggers.has(FrameTrigger::paged_decode) || !triggers.has(OperatorTrigger::v4_attention)) return {};
  return PagedDecodes(tree, triggers, options).run();
}
}  // namespace kinetoscope
