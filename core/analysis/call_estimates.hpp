#pragma once

// What models say of the calls of a trace. A model is evaluated once for each distinct name, shapes, types, strides,
// literals and whatever else its family reads, not once a call: a trace of a million calls has some thousand distinct
// ones. Estimates are numbered in order of first question.
// Cost: about 30 ns a call that was seen before.

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/group_index.hpp"
#include "core/tree/steps.hpp"
#include "core/perf_model/compiled_kernels.hpp"
#include "core/perf_model/models.hpp"
#include "core/analysis/parent_operators.hpp"

namespace kinetoscope::analysis {

class CallEstimates {
 public:
  static constexpr std::uint32_t none = 0xffff'ffff;

  /// All must outlive this. `steps` are the tree's own.
  CallEstimates(const CallTree& tree, std::span<const Step> steps, const perf_model::OperatorRegistry& registry,
                perf_model::CompiledKernels compiled = {});

  /// What the registry says of an operator's name; nullptr when it is not in it. Of other nodes nullptr, too.
  [[nodiscard]] const perf_model::RegisteredOperator* registered(NodeId node);
  /// A model knows the operator by its name.
  [[nodiscard]] bool has_model(NodeId node) { return model_of(node) != nullptr; }

  /// The number of the call's estimate; none without a model.
  [[nodiscard]] std::uint32_t of(NodeId call);
  /// Of the backward work that belongs to a forward call; none where its family has no model of it.
  [[nodiscard]] std::uint32_t of_backward(NodeId forward_call);
  [[nodiscard]] const perf_model::Estimate& estimate(std::uint32_t number) const { return estimates_[number]; }
  /// How many models were evaluated.
  [[nodiscard]] std::size_t size() const noexcept { return estimates_.size(); }

 private:
  /// By name, dims, types, strides, literals, direction, and what the family needs.
  using Key = GroupIndex<8>::Key;
  struct KnownName {
    const perf_model::RegisteredOperator* registered = nullptr;
    const perf_model::OperatorModel* model = nullptr;
    bool is_known = false;
  };
  [[nodiscard]] const KnownName& known(NodeId node);
  [[nodiscard]] const perf_model::OperatorModel* model_of(NodeId node) { return known(node).model; }
  [[nodiscard]] std::uint32_t number_of(NodeId call, bool is_backward);
  [[nodiscard]] perf_model::Estimate evaluate(NodeId call, bool is_backward, const perf_model::ModelFamily& family);
  [[nodiscard]] perf_model::Call call_of(NodeId node) const;
  [[nodiscard]] const Step* step_of(NodeId call) const;
  [[nodiscard]] NodeId forward_of(NodeId call);
  [[nodiscard]] EventId first_kernel_of(NodeId call) const;
  /// The name of the first kernel that says how operands lie; no_name without.
  [[nodiscard]] NameId ordering_kernel_of(NodeId call);

  const CallTree* tree_;
  std::span<const Step> steps_;
  const perf_model::OperatorRegistry* registry_;
  perf_model::CompiledKernels compiled_;
  NodeNames names_;
  std::vector<KnownName> known_;  // by number of the name
  GroupIndex<8> keys_;
  std::deque<perf_model::Estimate> estimates_;  // by number of the key
  std::vector<std::uint8_t> orders_;  // by NameId of a kernel: a number of what it says of the operands' order
  std::vector<std::pair<std::int64_t, NodeId>> by_sequence_number_;
  bool has_sequence_numbers_ = false;
};
}  // namespace kinetoscope::analysis
