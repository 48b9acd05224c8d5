#pragma once

// Step annotations: what serving and training frameworks write around one iteration, such as
// "execute_context_2(6144)_generation_3(3)" or "step[EXTEND bs=4 toks=16384]". Their grammars are data
// (step_annotations.json). sq and sk are the query and key lengths of one request, summed over the requests of a step;
// sqsq and sqsk are sums of their products.
// Cost: O(length) a name; callers parse each distinct name once. Threads: safe to call at once.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

enum class StepKind : std::uint8_t {
  profiler_step,  ///< ProfilerStep#N of the profiler's schedule
  vllm_detailed,
  vllm_native,
  vllm_requests,  ///< execute_new_N_cached_M: M may hold requests whose prompt is read in chunks
  sglang_detailed,
  sglang_native,
  atom_detailed,
  atom_native,
  diffusion_native,
  tensorrt_llm_native,
};
inline constexpr std::array step_kinds = {
    Spelled{StepKind::profiler_step, "profiler_step"},
    Spelled{StepKind::vllm_detailed, "vllm_detailed"},
    Spelled{StepKind::vllm_native, "vllm_native"},
    Spelled{StepKind::vllm_requests, "vllm_requests"},
    Spelled{StepKind::sglang_detailed, "sglang_detailed"},
    Spelled{StepKind::sglang_native, "sglang_native"},
    Spelled{StepKind::atom_detailed, "atom_detailed"},
    Spelled{StepKind::atom_native, "atom_native"},
    Spelled{StepKind::diffusion_native, "diffusion_native"},
    Spelled{StepKind::tensorrt_llm_native, "tensorrt_llm_native"},
};
static_assert(follows_enum(step_kinds, StepKind::tensorrt_llm_native));
[[nodiscard]] constexpr std::string_view spelling_of(StepKind kind) noexcept {
  return step_kinds[static_cast<std::size_t>(kind)].spelling;
}

/// Steps of a trace are those of its lowest tier that occurs; tiers never mix.
enum class StepTier : std::uint8_t { detailed, native, profiler };
inline constexpr std::array step_tiers = {
    Spelled{StepTier::detailed, "detailed"},
    Spelled{StepTier::native, "native"},
    Spelled{StepTier::profiler, "profiler"},
};
static_assert(follows_enum(step_tiers, StepTier::profiler));
[[nodiscard]] constexpr std::string_view spelling_of(StepTier tier) noexcept {
  return step_tiers[static_cast<std::size_t>(tier)].spelling;
}

enum class StepPhase : std::uint8_t {
  unknown,        ///< the annotation does not say
  prefill_only,   ///< requests whose prompt is read, none that generates
  prefilldecode,  ///< both
  decode_only,
  idle,  ///< no request
};
inline constexpr std::array step_phases = {
    Spelled{StepPhase::unknown, "unknown"},
    Spelled{StepPhase::prefill_only, "prefill_only"},
    Spelled{StepPhase::prefilldecode, "prefilldecode"},
    Spelled{StepPhase::decode_only, "decode_only"},
    Spelled{StepPhase::idle, "idle"},
};
static_assert(follows_enum(step_phases, StepPhase::idle));
[[nodiscard]] constexpr std::string_view spelling_of(StepPhase phase) noexcept {
  return step_phases[static_cast<std::size_t>(phase)].spelling;
}

struct StepAnnotation {
  StepKind kind = StepKind::profiler_step;
  StepTier tier = StepTier::profiler;
  StepPhase phase = StepPhase::unknown;
  std::optional<std::int64_t> step_number;
  /// Requests whose prompt is read, and those that generate; absent when the annotation does not tell them apart.
  std::optional<std::int64_t> context_requests;
  std::optional<std::int64_t> generation_requests;
  std::int64_t num_requests = 0;  ///< context + generation requests, where both are known
  std::int64_t context_sum = 0;   ///< tokens of the step
  std::int64_t generation_sum = 0;
  std::int64_t batch_size = 1;  ///< tokens of the step, requests where tokens are not given
  std::int64_t c_sq = 0;
  std::int64_t c_sk = 0;
  std::int64_t c_sqsq = 0;
  std::int64_t c_sqsk = 0;
  std::int64_t g_sq = 0;
  std::int64_t g_sk = 0;
  std::int64_t g_sqsq = 0;
  std::int64_t g_sqsk = 0;
  bool has_sqsk = false;
  std::optional<std::int64_t> width;  ///< of the picture, diffusion only
  std::optional<std::int64_t> height;
  std::optional<std::int64_t> speculative_tokens;
  bool two_batch_overlap = false;
  std::string context_text;  ///< ATOM's ctx= as written
  friend bool operator==(const StepAnnotation&, const StepAnnotation&) = default;
};

/// Absent for names of no grammar, and for numbers beyond 63 bits. Text after the annotation is ignored.
[[nodiscard]] std::optional<StepAnnotation> parse_step_annotation(std::string_view name);

/// True for names that begin like a step of a known family, so that those that parse_step_annotation() refuses can be
/// listed instead of passing for no step.
[[nodiscard]] bool looks_like_step(std::string_view name);
}  // namespace kinetoscope::names
