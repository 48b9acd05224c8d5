#pragma once

// By which names the pseudo-operators of core/tree/pseudo_operators.cpp know where they belong: the data file
// pseudo_operators.json, and the names of one trace looked at with it, each once.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace.hpp"
#include "core/names/spelled.hpp"

namespace kinetoscope {

enum class OperatorTrigger : std::uint8_t {
  moe_forward,
  aiter_fused_moe,
  outplace_fused_experts,
  topk,
  flydsl_moe,
  mla_decode_stage1,
  mla_prefill,
  v4_attention,
};
inline constexpr std::array operator_triggers = {
    names::Spelled{OperatorTrigger::moe_forward, "moe_forward"},
    names::Spelled{OperatorTrigger::aiter_fused_moe, "aiter_fused_moe"},
    names::Spelled{OperatorTrigger::outplace_fused_experts, "outplace_fused_experts"},
    names::Spelled{OperatorTrigger::topk, "topk"},
    names::Spelled{OperatorTrigger::flydsl_moe, "flydsl_moe"},
    names::Spelled{OperatorTrigger::mla_decode_stage1, "mla_decode_stage1"},
    names::Spelled{OperatorTrigger::mla_prefill, "mla_prefill"},
    names::Spelled{OperatorTrigger::v4_attention, "v4_attention"},
};
static_assert(names::follows_enum(operator_triggers, OperatorTrigger::v4_attention));

enum class FrameTrigger : std::uint8_t { flydsl_stage1, flydsl_stage2, mla_decode, mla_prefill, paged_decode };
inline constexpr std::array frame_triggers = {
    names::Spelled{FrameTrigger::flydsl_stage1, "flydsl_stage1"},
    names::Spelled{FrameTrigger::flydsl_stage2, "flydsl_stage2"},
    names::Spelled{FrameTrigger::mla_decode, "mla_decode"},
    names::Spelled{FrameTrigger::mla_prefill, "mla_prefill"},
    names::Spelled{FrameTrigger::paged_decode, "paged_decode"},
};
static_assert(names::follows_enum(frame_triggers, FrameTrigger::paged_decode));

enum class KernelTrigger : std::uint8_t {
  aiter_fused_moe,
  matmul_ogs,
  matmul_scatter,
  gated,
  gptq_awq,
  heavily_compressed,
  compressed_sparse,
  query_heads,
};
inline constexpr std::array kernel_triggers = {
    names::Spelled{KernelTrigger::aiter_fused_moe, "aiter_fused_moe"},
    names::Spelled{KernelTrigger::matmul_ogs, "matmul_ogs"},
    names::Spelled{KernelTrigger::matmul_scatter, "matmul_scatter"},
    names::Spelled{KernelTrigger::gated, "gated"},
    names::Spelled{KernelTrigger::gptq_awq, "gptq_awq"},
    names::Spelled{KernelTrigger::heavily_compressed, "heavily_compressed"},
    names::Spelled{KernelTrigger::compressed_sparse, "compressed_sparse"},
    names::Spelled{KernelTrigger::query_heads, "query_heads"},
};
static_assert(names::follows_enum(kernel_triggers, KernelTrigger::query_heads));

/// What the names of one trace trigger.
class PseudoTriggers {
 public:
  /// O(events), and O(length) a distinct name. Keeps a reference to `trace`.
  explicit PseudoTriggers(const Trace& trace);

  /// Of an operator, a Python frame, a kernel; false for events of other roles.
  [[nodiscard]] bool holds(EventId event, OperatorTrigger trigger) const noexcept;
  [[nodiscard]] bool holds(EventId event, FrameTrigger trigger) const noexcept;
  [[nodiscard]] bool holds(EventId event, KernelTrigger trigger) const noexcept;
  /// Some event of the trace has the trigger.
  [[nodiscard]] bool has(OperatorTrigger trigger) const noexcept { return seen_operators_.has(trigger); }
  [[nodiscard]] bool has(FrameTrigger trigger) const noexcept { return seen_frames_.has(trigger); }
  [[nodiscard]] bool has(KernelTrigger trigger) const noexcept { return seen_kernels_.has(trigger); }

 private:
  [[nodiscard]] std::uint64_t bits_of(EventId event, Role role) const noexcept;

  const Trace* trace_;
  // Triggers by name, one table a role; empty where the trace has no event of the role.
  std::vector<std::uint64_t> operators_;
  std::vector<std::uint64_t> frames_;
  std::vector<std::uint64_t> kernels_;
  names::EnumSet<OperatorTrigger> seen_operators_;
  names::EnumSet<FrameTrigger> seen_frames_;
  names::EnumSet<KernelTrigger> seen_kernels_;
};

/// How much of an operator's name counts: without the number that some profilers append to each call's name.
[[nodiscard]] std::string_view without_call_number(std::string_view operator_name);
}  // namespace kinetoscope
