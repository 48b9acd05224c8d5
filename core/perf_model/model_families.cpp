// All families of models, by the names that operators.json uses.

#include <array>

#include "core/perf_model/families/attention.hpp"
#include "core/perf_model/families/cache_store.hpp"
#include "core/perf_model/families/causal_conv.hpp"
#include "core/perf_model/families/convolution.hpp"
#include "core/perf_model/families/cross_entropy.hpp"
#include "core/perf_model/families/custom_collective.hpp"
#include "core/perf_model/families/elementwise.hpp"
#include "core/perf_model/families/expert_routing.hpp"
#include "core/perf_model/families/fused_experts.hpp"
#include "core/perf_model/families/fused_kernel.hpp"
#include "core/perf_model/families/gated_activation.hpp"
#include "core/perf_model/families/gemm.hpp"
#include "core/perf_model/families/grouped_gemm.hpp"
#include "core/perf_model/families/hyper_connections.hpp"
#include "core/perf_model/families/inference_attention.hpp"
#include "core/perf_model/families/latent_rope.hpp"
#include "core/perf_model/families/linear_attention.hpp"
#include "core/perf_model/families/mamba.hpp"
#include "core/perf_model/families/modulated_norm.hpp"
#include "core/perf_model/families/normalization.hpp"
#include "core/perf_model/families/quantization.hpp"
#include "core/perf_model/families/reduction.hpp"
#include "core/perf_model/families/resampling.hpp"
#include "core/perf_model/families/rms_norm.hpp"
#include "core/perf_model/families/rope.hpp"
#include "core/perf_model/families/sampling.hpp"
#include "core/perf_model/families/token_exchange.hpp"
#include "core/perf_model/families/unfused_experts.hpp"
#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr std::array all_model_families = {
    &attention_family,
    &cache_store_family,
    &causal_conv_family,
    &convolution_family,
    &cross_entropy_family,
    &custom_collective_family,
    &elementwise_family,
    &expert_routing_family,
    &fused_experts_family,
    &fused_kernel_family,
    &gated_activation_family,
    &gemm_family,
    &grouped_gemm_family,
    &hyper_connections_family,
    &inference_attention_family,
    &latent_rope_family,
    &linear_attention_family,
    &mamba_family,
    &modulated_norm_family,
    &normalization_family,
    &quantization_family,
    &reduction_family,
    &resampling_family,
    &rms_norm_family,
    &rope_family,
    &sampling_family,
    &token_exchange_family,
    &unfused_experts_family,
};
}  // namespace

std::span<const ModelFamily* const> model_families() noexcept { return all_model_families; }
}  // namespace kinetoscope::perf_model
