// One kernel of a mixture-of-experts operator as an operator of its own: products of AITER, Triton and GPTQ/AWQ
// kernels.

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/trace/input_shapes.hpp"
#include "core/tree/diagnostics.hpp"
#include "core/tree/pseudo_operators.hpp"

namespace kinetoscope {
namespace {

/// Experts a token where the trace does not say: the usual choice of the models that run these kernels.
constexpr std::int64_t default_topk_triton = 4;
constexpr std::int64_t default_topk_gptq_awq = 8;
constexpr int most_levels_to_topk = 10;

/// Of operators of one kind inside one another the outermost, so that no kernel is looked at twice.
std::vector<NodeId> outermost(const CallTree& tree, const PseudoTriggers& triggers, OperatorTrigger trigger) {
  std::vector<NodeId> nodes;
  NodeId covered_to{};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (node < covered_to || !triggers.holds(tree.event(node), trigger)) continue;
    nodes.push_back(node);
    covered_to = tree.subtree_end(node);
  }
  return nodes;
}

bool has_operator_below(const CallTree& tree, NodeId node) {
  for (std::size_t i = index_of(node) + 1; i < index_of(tree.subtree_end(node)); ++i) {
    if (tree.role(id_at<NodeId>(i)) == Role::operator_call) return true;
  }
  return false;
}

/// The kernels of a subtree that hold the trigger, in order of time on the device.
std::vector<EventId> kernels_of(const CallTree& tree, const PseudoTriggers& triggers, NodeId node,
                                KernelTrigger trigger) {
  std::vector<EventId> kernels;
  for (const EventId event : tree.gpu_events(node)) {
    if (triggers.holds(event, trigger)) kernels.push_back(event);
  }
  std::ranges::sort(kernels, [&](EventId left, EventId right) {
    return std::tuple(tree.trace().begin_ns(left), left) < std::tuple(tree.trace().begin_ns(right), right);
  });
  return kernels;
}

/// The second of the `Concrete Inputs`, which are JSON texts in a JSON list.
std::optional<std::int64_t> second_input(const Trace& trace, EventId event) {
  const auto id = trace.json(event, Argument::concrete_inputs);
  if (!id) return {};
  const nlohmann::json inputs = nlohmann::json::parse(trace.json_text(*id), nullptr, false);
  if (!inputs.is_array() || inputs.size() < 2) return {};
  if (inputs[1].is_number_integer()) return inputs[1].get<std::int64_t>();
  if (!inputs[1].is_string()) return {};
  const auto& text = inputs[1].get_ref<const std::string&>();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return {};
  return value;
}

/// At most ten operators and runtime calls down.
bool is_near(const CallTree& tree, NodeId node, NodeId above) {
  int levels = 0;
  for (; node != above && node != no_node && levels <= most_levels_to_topk; ++levels) node = tree.host_parent(node);
  return node == above && levels <= most_levels_to_topk;
}

std::int64_t topk_below(const CallTree& tree, const PseudoTriggers& triggers, NodeId moe) {
  for (std::size_t i = index_of(moe) + 1; i < index_of(tree.subtree_end(moe)); ++i) {
    const auto node = id_at<NodeId>(i);
    if (!triggers.holds(tree.event(node), OperatorTrigger::topk) || !is_near(tree, node, moe)) continue;
    return second_input(tree.trace(), tree.event(node)).value_or(default_topk_triton);
  }
  return default_topk_triton;
}

/// The routing weights are the fifth input: tokens times experts a token.
std::int64_t topk_of_inputs(const Trace& trace, EventId event) {
  const auto dims = trace.json(event, Argument::input_dims);
  if (!dims) return default_topk_gptq_awq;
  const std::vector<InputShape> inputs = parse_input_shapes(trace.json_text(*dims), {});
  const bool is_known = inputs.size() > 4 && inputs[4].dims.size() > 1;
  return is_known ? inputs[4].dims[1] : default_topk_gptq_awq;
}

class MoeKernels {
 public:
  MoeKernels(const CallTree& tree, const PseudoTriggers& triggers, Diagnostics& diagnostics)
      : tree_(tree), triggers_(triggers), diagnostics_(diagnostics) {}

  std::vector<PseudoInsertion> run() {
    isolate_aiter_fused();
    isolate_triton_unfused();
    isolate_gptq_awq();
    return std::move(found_);
  }

 private:
  void isolate_aiter_fused() {
    if (!triggers_.has(OperatorTrigger::moe_forward) || !triggers_.has(OperatorTrigger::aiter_fused_moe)) return;
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      const auto node = id_at<NodeId>(i);
      const bool is_moe = triggers_.holds(tree_.event(node), OperatorTrigger::aiter_fused_moe);
      if (!is_moe || has_operator_below(tree_, node)) continue;
      const std::vector<EventId> kernels = kernels_of(tree_, triggers_, node, KernelTrigger::aiter_fused_moe);
      if (kernels.size() == 1) isolate(node, kernels[0], PseudoKind::moe_aiter_fused_1stage, {});
    }
  }

  void isolate_triton_unfused() {
    if (triggers_.has(OperatorTrigger::aiter_fused_moe) || !triggers_.has(KernelTrigger::matmul_ogs)) return;
    for (const NodeId node : outermost(tree_, triggers_, OperatorTrigger::moe_forward)) {
      MoeGemm gemm{MoeGemm::Type::up, 0, false, topk_below(tree_, triggers_, node)};
      PseudoKind kind = PseudoKind::moe_triton_unfused_up;
      for (const EventId kernel : kernels_of(tree_, triggers_, node, KernelTrigger::matmul_ogs)) {
        gemm.is_gated = triggers_.holds(kernel, KernelTrigger::gated);
        isolate(node, kernel, kind, gemm);
        kind = PseudoKind::moe_triton_unfused_down;
        gemm.type = MoeGemm::Type::down;
        ++gemm.index;
      }
      const std::vector<EventId> last = kernels_of(tree_, triggers_, node, KernelTrigger::matmul_scatter);
      if (last.size() != 1) continue;
      gemm.type = MoeGemm::Type::finalize;
      gemm.is_gated = false;
      isolate(node, last[0], PseudoKind::moe_triton_unfused_finalize, gemm);
    }
  }

  void isolate_gptq_awq() {
    if (!triggers_.has(KernelTrigger::gptq_awq)) return;
    for (const NodeId node : outermost(tree_, triggers_, OperatorTrigger::outplace_fused_experts)) {
      MoeGemm gemm{MoeGemm::Type::up, 0, true, topk_of_inputs(tree_.trace(), tree_.event(node))};
      PseudoKind kind = PseudoKind::moe_gptq_awq_up;
      for (const EventId kernel : kernels_of(tree_, triggers_, node, KernelTrigger::gptq_awq)) {
        isolate(node, kernel, kind, gemm);
        kind = PseudoKind::moe_gptq_awq_down;
        gemm = {MoeGemm::Type::down, gemm.index + 1, false, gemm.topk};
      }
    }
  }

  /// A kernel's launch becomes the only child of an operator of its own. A launch with other GPU work beside the
  /// kernel, such as that of a graph, cannot be given to one.
  void isolate(NodeId donor, EventId kernel, PseudoKind kind, const decltype(PseudoOperator::arguments)& arguments) {
    const NodeId launch = tree_.launch(kernel);
    if (tree_.gpu_events(launch).size() != 1) {
      diagnostics_.add(tree_diagnostics::pseudo_operator_refused);
      return;
    }
    PseudoOperator inserted;
    inserted.kind = kind;
    inserted.donor = tree_.event(donor);
    inserted.external_id = tree_.trace().integer(kernel, Argument::correlation);
    inserted.arguments = arguments;
    found_.push_back({std::move(inserted), place_around(tree_, launch)});
  }

  const CallTree& tree_;
  const PseudoTriggers& triggers_;
  Diagnostics& diagnostics_;
  std::vector<PseudoInsertion> found_;
};
}  // namespace

std::vector<PseudoInsertion> find_moe_kernels(const CallTree& tree, const PseudoTriggers& triggers,
                                              Diagnostics& diagnostics) {
  return MoeKernels(tree, triggers, diagnostics).run();
}
}  // namespace kinetoscope
