// All families of models, by the names that operators.json uses.

#include <array>

#include "core/perf_model/families/custom_collective.hpp"
#include "core/perf_model/families/elementwise.hpp"
#include "core/perf_model/families/expert_routing.hpp"
#include "core/perf_model/families/fused_experts.hpp"
#include "core/perf_model/families/fused_kernel.hpp"
#include "core/perf_model/families/gated_activation.hpp"
#include "core/perf_model/families/gemm.hpp"
#include "core/perf_model/families/grouped_gemm.hpp"
#include "core/perf_model/families/hyper_connections.hpp"
#include "core/perf_model/families/reduction.hpp"
#include "core/perf_model/families/resampling.hpp"
#include "core/perf_model/families/token_exchange.hpp"
#include "core/perf_model/families/unfused_experts.hpp"
#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr std::array all_model_families = {
    &custom_collective_family, &elementwise_family,      &expert_routing_family, &fused_experts_family,
    &fused_kernel_family,      &gated_activation_family, &gemm_family,           &grouped_gemm_family,
    &hyper_connections_family, &reduction_family,        &resampling_family,     &token_exchange_family,
    &unfused_experts_family,
};
}  // namespace

std::span<const ModelFamily* const> model_families() noexcept { return all_model_families; }
}  // namespace kinetoscope::perf_model
