// All families of models, by the names that operators.json uses.

#include <array>

#include "core/perf_model/families/attention.hpp"
#include "core/perf_model/families/convolution.hpp"
#include "core/perf_model/families/elementwise.hpp"
#include "core/perf_model/families/fused_kernel.hpp"
#include "core/perf_model/families/gated_activation.hpp"
#include "core/perf_model/families/gemm.hpp"
#include "core/perf_model/families/inference_attention.hpp"
#include "core/perf_model/families/linear_attention.hpp"
#include "core/perf_model/families/reduction.hpp"
#include "core/perf_model/families/resampling.hpp"
#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr std::array all_model_families = {
    &attention_family,        &convolution_family, &elementwise_family,         &fused_kernel_family,
    &gated_activation_family, &gemm_family,        &inference_attention_family, &linear_attention_family,
    &reduction_family,        &resampling_family,
};
}  // namespace

std::span<const ModelFamily* const> model_families() noexcept { return all_model_families; }
}  // namespace kinetoscope::perf_model
