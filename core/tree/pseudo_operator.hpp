#pragma once

// An operator that nobody recorded: put into the call tree where one kernel, or one Python frame, does work that a
// performance model knows by its own name. What stands in such a node, beside its place in the tree.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/ids.hpp"
#include "core/names/spelled.hpp"

namespace kinetoscope {

enum class PseudoKind : std::uint8_t {
  moe_aiter_fused_1stage,
  moe_triton_unfused_up,
  moe_triton_unfused_down,
  moe_triton_unfused_finalize,
  moe_gptq_awq_up,
  moe_gptq_awq_down,
  moe_flydsl_stage1,
  moe_flydsl_stage2,
  mla_decode,
  mla_prefill,
  paged_decode_swa,
  paged_decode_csa,
  paged_decode_hca,
};
inline constexpr std::array pseudo_kinds = {
    names::Spelled{PseudoKind::moe_aiter_fused_1stage, "pseudo_op::moe_aiter_fused_1stage"},
    names::Spelled{PseudoKind::moe_triton_unfused_up, "pseudo_op::moe_triton_unfused_up"},
    names::Spelled{PseudoKind::moe_triton_unfused_down, "pseudo_op::moe_triton_unfused_down"},
    names::Spelled{PseudoKind::moe_triton_unfused_finalize, "pseudo_op::moe_triton_unfused_finalize_matmul_scatter"},
    names::Spelled{PseudoKind::moe_gptq_awq_up, "pseudo_op::moe_gptq_awq_up"},
    names::Spelled{PseudoKind::moe_gptq_awq_down, "pseudo_op::moe_gptq_awq_down"},
    names::Spelled{PseudoKind::moe_flydsl_stage1, "pseudo_op::moe_flydsl_stage1"},
    names::Spelled{PseudoKind::moe_flydsl_stage2, "pseudo_op::moe_flydsl_stage2"},
    names::Spelled{PseudoKind::mla_decode, "pseudo_mla_decode_fwd"},
    names::Spelled{PseudoKind::mla_prefill, "pseudo_mla_prefill_fwd"},
    names::Spelled{PseudoKind::paged_decode_swa, "pseudo_v4_paged_decode_swa"},
    names::Spelled{PseudoKind::paged_decode_csa, "pseudo_v4_paged_decode_csa"},
    names::Spelled{PseudoKind::paged_decode_hca, "pseudo_v4_paged_decode_hca"},
};
static_assert(names::follows_enum(pseudo_kinds, PseudoKind::paged_decode_hca));
/// The operator's name in every table.
[[nodiscard]] constexpr std::string_view spelling_of(PseudoKind kind) noexcept {
  return pseudo_kinds[static_cast<std::size_t>(kind)].spelling;
}

/// The matrix product of a mixture of experts that one kernel does.
struct MoeGemm {
  enum class Type : std::uint8_t { up, down, finalize };
  Type type = Type::up;
  std::uint32_t index = 0;  ///< among the products of one call, in order of time on the device
  bool is_gated = false;
  std::int64_t topk = 0;  ///< experts a token
  friend bool operator==(const MoeGemm&, const MoeGemm&) = default;
};

/// One call of a sparse attention over a paged cache.
struct PagedDecode {
  enum class Mode : std::uint8_t { swa, csa, hca };
  Mode mode = Mode::swa;
  std::uint32_t call_index = 0;          ///< among those of the trace, by process, thread and time
  std::optional<std::int64_t> heads;     ///< H_Q, on this device
  std::optional<std::int64_t> head_dim;  ///< d_h
  std::string model_name;                ///< as the user says; empty when unsaid
  std::int64_t tensor_parallel = 1;
  friend bool operator==(const PagedDecode&, const PagedDecode&) = default;
};

/// What no trace says.
struct PseudoOperatorOptions {
  std::string model_name;
  std::int64_t tensor_parallel = 1;
};

struct PseudoOperator {
  PseudoKind kind{};
  /// The recorded event whose arguments (shapes, types, sequence number) are the operator's, beside `Pseudo op`.
  EventId donor = no_event;
  /// The recorded call whose time is the operator's; no_event for an isolated kernel, which has none.
  EventId timed_as = no_event;
  /// `External id` where it is not the donor's: an isolated kernel's correlation id.
  std::optional<std::int64_t> external_id;
  std::variant<std::monostate, MoeGemm, PagedDecode> arguments;
  friend bool operator==(const PseudoOperator&, const PseudoOperator&) = default;
};
}  // namespace kinetoscope
