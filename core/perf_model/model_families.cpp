// All families of models, by the names that operators.json uses.

#include <array>

#include "core/perf_model/families/gemm.hpp"
#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr std::array all_model_families = {
    &gemm_family,
};
}  // namespace

std::span<const ModelFamily* const> model_families() noexcept { return all_model_families; }
}  // namespace kinetoscope::perf_model
