#pragma once

// Which framework recorded a trace, by names that only it writes: operators ("vllm::..."), Python frames
// ("sglang/srt/...") and annotations; and how the capture of a graph is named. One table, frameworks.json.
// Cost: below 1 us a name. Threads: safe to call at once.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

enum class Framework : std::uint8_t {
  vllm,
  sglang,
  tensorrt_llm,
  atom,
  megatron,
  deepspeed,
  torchtitan,
  xdit,
  diffusers,
  transformers,
  verl,
  nemo,
  lightning,
  jax,
};
inline constexpr std::array frameworks = {
    Spelled{Framework::vllm, "vllm"},
    Spelled{Framework::sglang, "sglang"},
    Spelled{Framework::tensorrt_llm, "tensorrt_llm"},
    Spelled{Framework::atom, "atom"},
    Spelled{Framework::megatron, "megatron"},
    Spelled{Framework::deepspeed, "deepspeed"},
    Spelled{Framework::torchtitan, "torchtitan"},
    Spelled{Framework::xdit, "xdit"},
    Spelled{Framework::diffusers, "diffusers"},
    Spelled{Framework::transformers, "transformers"},
    Spelled{Framework::verl, "verl"},
    Spelled{Framework::nemo, "nemo"},
    Spelled{Framework::lightning, "lightning"},
    Spelled{Framework::jax, "jax"},
};
static_assert(follows_enum(frameworks, Framework::jax));
[[nodiscard]] constexpr std::string_view spelling_of(Framework framework) noexcept {
  return frameworks[static_cast<std::size_t>(framework)].spelling;
}

/// The framework that this host event's name proves; absent for names that say nothing. Kernel names prove nothing:
/// frameworks use each other's kernels. A trace may hold several (a trainer on a serving engine, an engine on
/// transformers): callers count, and the enum's order decides ties, engines first.
[[nodiscard]] std::optional<Framework> framework_of(std::string_view host_event_name);

/// Does an annotation or Python frame of this name enclose the capture of a graph: "capture_32_FULL",
/// "... _capture_graph", "... _dummy_run"?
[[nodiscard]] bool is_capture_annotation(std::string_view name);
}  // namespace kinetoscope::names
