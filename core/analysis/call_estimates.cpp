#include "core/analysis/call_estimates.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace kinetoscope::analysis {
namespace {

using perf_model::ContextNeed;

std::uint32_t json_number(const Trace& trace, EventId event, Argument argument) {
  const std::optional<JsonId> json = trace.json(event, argument);
  return json ? static_cast<std::uint32_t>(index_of(*json)) : no_id;
}

std::string_view argument_text(const Trace& trace, EventId event, Argument argument) {
  const std::optional<JsonId> json = trace.json(event, argument);
  return json ? trace.json_text(*json) : std::string_view();
}

/// 1 for a name that says nothing, else one of nine others.
std::uint8_t order_number(const std::optional<perf_model::OperandOrder>& order) {
  if (!order) return 1;
  const auto digit = [](const std::optional<bool>& value) { return !value ? 0 : *value ? 2 : 1; };
  return static_cast<std::uint8_t>(2 + 3 * digit(order->is_a_transposed) + digit(order->is_b_transposed));
}
}  // namespace

CallEstimates::CallEstimates(const CallTree& tree, std::span<const Step> steps,
                             const perf_model::OperatorRegistry& registry, perf_model::CompiledKernels compiled)
    : tree_(&tree), steps_(steps), registry_(&registry), compiled_(std::move(compiled)), names_(tree) {}

const CallEstimates::KnownName& CallEstimates::known(NodeId node) {
  static constexpr KnownName nothing;
  if (tree_->role(node) != Role::operator_call) return nothing;
  const std::uint32_t name = names_.id(node);
  if (known_.size() <= name) known_.resize(name + std::size_t{1});
  KnownName& found = known_[name];
  if (!found.is_known) {
    const std::string_view text = tree_->name(node);
    found = {registry_->find(text), registry_->model_of(text), true};
  }
  return found;
}

const perf_model::RegisteredOperator* CallEstimates::registered(NodeId node) { return known(node).registered; }

std::uint32_t CallEstimates::of(NodeId call) { return has_model(call) ? number_of(call, false) : none; }

std::uint32_t CallEstimates::of_backward(NodeId forward_call) {
  const perf_model::OperatorModel* const model = model_of(forward_call);
  return model == nullptr || model->family->backward == nullptr ? none : number_of(forward_call, true);
}

std::uint32_t CallEstimates::number_of(NodeId call, bool is_backward) {
  const perf_model::ModelFamily& family = *model_of(call)->family;
  const Trace& trace = tree_->trace();
  const EventId event = tree_->arguments_event(call);
  Key key = {names_.id(call),
             json_number(trace, event, Argument::input_dims),
             json_number(trace, event, Argument::input_types),
             json_number(trace, event, Argument::input_strides),
             json_number(trace, event, Argument::concrete_inputs),
             is_backward ? 1U : 0U,
             no_id,
             no_id};
  if (family.needs.has(ContextNeed::step)) {
    if (const Step* const step = step_of(call)) key[6] = static_cast<std::uint32_t>(step - steps_.data());
  }
  if (family.needs.has(ContextNeed::forward_call)) {
    key[7] = static_cast<std::uint32_t>(index_of(forward_of(call)));
  } else if (family.needs.has(ContextNeed::pseudo_operator)) {
    key[7] = static_cast<std::uint32_t>(index_of(call));  // each has arguments of its own
  } else if (family.needs.has(ContextNeed::operand_order)) {
    const NameId name = ordering_kernel_of(call);
    if (name != no_name) key[7] = orders_[index_of(name)];
  } else if (family.needs.has(ContextNeed::first_kernel)) {
    const EventId kernel = first_kernel_of(call);
    if (kernel != no_event) key[7] = static_cast<std::uint32_t>(index_of(trace.name(kernel)));
  }
  const std::uint32_t number = keys_.of(key);
  if (number == estimates_.size()) estimates_.push_back(evaluate(call, is_backward, family));
  return number;
}

perf_model::Call CallEstimates::call_of(NodeId node) const {
  const Trace& trace = tree_->trace();
  const EventId event = tree_->arguments_event(node);
  return perf_model::read_call(
      tree_->name(node),
      {argument_text(trace, event, Argument::input_dims), argument_text(trace, event, Argument::input_types),
       argument_text(trace, event, Argument::input_strides), argument_text(trace, event, Argument::concrete_inputs)});
}

perf_model::Estimate CallEstimates::evaluate(NodeId call, bool is_backward, const perf_model::ModelFamily& family) {
  perf_model::CallContext context;
  perf_model::Call forward;
  if (family.needs.has(ContextNeed::step)) {
    if (const Step* const step = step_of(call)) context.step = &step->label;
  }
  if (family.needs.has(ContextNeed::forward_call)) {
    const NodeId node = forward_of(call);
    if (node != no_node) {
      forward = call_of(node);
      context.forward = &forward;
    }
  }
  if (family.needs.has(ContextNeed::first_kernel) || family.needs.has(ContextNeed::pseudo_operator)) {
    const EventId kernel = first_kernel_of(call);
    if (kernel != no_event) context.first_kernel = tree_->trace().text(tree_->trace().name(kernel));
  }
  if (family.needs.has(ContextNeed::operand_order)) {
    const NameId name = ordering_kernel_of(call);
    if (name != no_name) context.operand_order = perf_model::gemm_operand_order(tree_->trace().text(name));
  }
  if (const PseudoOperator* const pseudo = tree_->pseudo_operator(call)) {
    if (const auto* const gemm = std::get_if<MoeGemm>(&pseudo->arguments)) {
      if (gemm->topk > 0) context.experts_per_token = gemm->topk;
      context.is_gated = gemm->is_gated;
    } else if (const auto* const decode = std::get_if<PagedDecode>(&pseudo->arguments)) {
      context.served_model = decode->model_name;
      context.query_heads = decode->heads;
    }
  }
  const perf_model::Call read = call_of(call);
  context.compiled = compiled_.find(read.name);
  return is_backward ? estimate_backward_of(*registry_, read, context) : estimate_call(*registry_, read, context);
}

NameId CallEstimates::ordering_kernel_of(NodeId call) {
  constexpr std::uint8_t unasked = 0;
  constexpr std::uint8_t says_nothing = 1;
  if (orders_.empty()) orders_.assign(tree_->trace().names_count(), unasked);
  for (const EventId event : tree_->gpu_events(call)) {
    const NameId name = tree_->trace().name(event);
    if (name == no_name) continue;
    std::uint8_t& order = orders_[index_of(name)];
    if (order == unasked) order = order_number(perf_model::gemm_operand_order(tree_->trace().text(name)));
    if (order != says_nothing) return name;
  }
  return no_name;
}

/// Steps rise by start; the one that holds the call's whole time.
const Step* CallEstimates::step_of(NodeId call) const {
  const std::int64_t begin_ns = tree_->begin_ns(call);
  if (begin_ns == unknown_time_ns) return nullptr;
  const auto behind = std::ranges::upper_bound(steps_, begin_ns, {}, &Step::begin_ns);
  if (behind == steps_.begin()) return nullptr;
  const Step& step = *std::prev(behind);
  const std::int64_t end_ns = begin_ns + std::max<std::int64_t>(tree_->duration_ns(call), 0);
  return end_ns <= step.end_ns ? &step : nullptr;
}

/// The first modelled call with the same sequence number, on whatever thread, that is no backward call.
NodeId CallEstimates::forward_of(NodeId call) {
  const Trace& trace = tree_->trace();
  if (!std::exchange(has_sequence_numbers_, true)) {
    for (std::size_t i = 0; i < tree_->size(); ++i) {
      const auto node = id_at<NodeId>(i);
      const perf_model::RegisteredOperator* const found = registered(node);
      if (found == nullptr || found->model == nullptr || found->model->family->backward == nullptr) continue;
      const auto number = trace.integer(tree_->arguments_event(node), Argument::sequence_number);
      if (number && *number >= 0) by_sequence_number_.emplace_back(*number, node);
    }
    std::ranges::sort(by_sequence_number_);
  }
  const auto number = trace.integer(tree_->arguments_event(call), Argument::sequence_number);
  if (!number) return no_node;
  const auto found = std::ranges::lower_bound(by_sequence_number_, std::pair(*number, id_at<NodeId>(0)));
  return found != by_sequence_number_.end() && found->first == *number ? found->second : no_node;
}

EventId CallEstimates::first_kernel_of(NodeId call) const {
  const std::span<const EventId> events = tree_->gpu_events(call);
  const Trace& trace = tree_->trace();
  EventId first = no_event;
  for (const EventId event : events) {
    if (first == no_event || trace.begin_ns(event) < trace.begin_ns(first)) first = event;
  }
  return first;
}
}  // namespace kinetoscope::analysis
