#include "core/perf_model/platform.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/perf_model/precision.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr std::string_view unpacked_spec = "vector_fp32_unpacked";

std::vector<std::string> every_compute_spec() {
  std::vector<std::string> specs;
  specs.reserve(2 * precisions.size() + 1);
  for (const ComputeUnit unit : {ComputeUnit::matrix, ComputeUnit::vector}) {
    for (const auto& precision : precisions) {
      specs.push_back(fmt::format("{}_{}", spelling_of(unit), precision.spelling));
    }
  }
  specs.emplace_back(unpacked_spec);
  return specs;
}

const ComputeRate* rate_of(const Platform& platform, std::string_view spec) {
  const auto found = platform.compute.find(spec);
  return found == platform.compute.end() ? nullptr : &found->second;
}

bool has_figure(const ComputeRate* rate) {
  return rate != nullptr && (rate->measured.has_value() || rate->peak.has_value());
}

bool has_no_path(const ComputeRate* rate) { return rate != nullptr && rate->has_no_path; }

Ceiling answer(const ComputeRate& rate, std::string_view spec) {
  Ceiling out;
  out.figure = rate.measured ? rate.measured : rate.peak;
  if (rate.measured) out.peak = rate.peak;
  out.answered_by = spec;
  return out;
}

/// The rate of vector code in 32 bits that packs nothing, which is never above that of narrower operands.
Ceiling estimate(const Platform& platform, std::string_view asked, std::string reason) {
  for (const std::string_view spec : {unpacked_spec, std::string_view("vector_fp32")}) {
    const ComputeRate* const rate = rate_of(platform, spec);
    if (!has_figure(rate)) continue;
    Ceiling out = answer(*rate, spec);
    out.is_estimated = true;
    out.note = fmt::format("{}; estimated by {}, which may be half of it or less", reason, spec);
    return out;
  }
  Ceiling none;
  none.answered_by = asked;
  none.reason = std::move(reason);
  return none;
}
}  // namespace

const std::vector<std::string>& compute_specs() {
  static const std::vector<std::string> specs = every_compute_spec();
  return specs;
}

Ceiling ceiling_of(const Platform& platform, std::string_view spec, Fp32Products products) {
  if (spec == "matrix_fp32" && products == Fp32Products::tf32) {
    if (const ComputeRate* const tf32 = rate_of(platform, "matrix_tf32"); has_figure(tf32)) {
      Ceiling out = answer(*tf32, "matrix_tf32");
      out.note = "the products of fp32 operands run in TF32";
      return out;
    }
  }
  const ComputeRate* const rate = rate_of(platform, spec);
  if (has_figure(rate)) return answer(*rate, spec);
  const std::string name = printable(platform.name);
  const bool is_impossible = has_no_path(rate);
  std::string reason = is_impossible ? fmt::format("no {} path on {}", spec, name)
                                     : fmt::format("no figure of {} is known on {}", spec, name);
  if (spec == "matrix_fp32" && is_impossible) {
    if (const ComputeRate* const vector = rate_of(platform, "vector_fp32"); has_figure(vector)) {
      Ceiling out = answer(*vector, "vector_fp32");
      out.note = reason + ": products of fp32 operands run at the vector rate";
      return out;
    }
  }
  // Without bf16 arithmetic, too: such kernels compute in 32 bits.
  if (spec == "vector_fp16" || spec == "vector_bf16") return estimate(platform, spec, std::move(reason));
  Ceiling none;
  none.answered_by = spec;
  none.reason = std::ranges::find(compute_specs(), spec) == compute_specs().end()
                    ? fmt::format("{} is no compute spec", in_quotes(spec))
                    : std::move(reason);
  return none;
}
}  // namespace kinetoscope::perf_model
