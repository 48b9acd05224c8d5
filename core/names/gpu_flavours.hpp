#pragma once

// Which runtime drives a device (CUDA, HIP, SYCL over Level Zero), told by the names of its host calls, by the keys
// under which the profiler writes versions, and by what devices are called. Cost: a few comparisons. Safe from any
// thread.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

enum class GpuFlavour : std::uint8_t { unknown, cuda, hip, xpu };
inline constexpr std::array gpu_flavours = {
    Spelled{GpuFlavour::unknown, "unknown"},
    Spelled{GpuFlavour::cuda, "cuda"},
    Spelled{GpuFlavour::hip, "hip"},
    Spelled{GpuFlavour::xpu, "xpu"},
};
static_assert(follows_enum(gpu_flavours, GpuFlavour::xpu));
[[nodiscard]] constexpr std::string_view spelling_of(GpuFlavour flavour) noexcept {
  return gpu_flavours[static_cast<std::size_t>(flavour)].spelling;
}
/// "NVIDIA", "AMD", "Intel"; empty for unknown.
[[nodiscard]] std::string_view vendor_of(GpuFlavour flavour) noexcept;

/// Of a runtime or driver call: cudaLaunchKernel, cuLaunchKernel, hipLaunchKernel, urEnqueueKernelLaunch.
[[nodiscard]] GpuFlavour flavour_of_call(std::string_view name) noexcept;
/// Of a metadata key: cuda_runtime_version, cupti_version, hip_driver_version, roctracer_version.
[[nodiscard]] GpuFlavour flavour_of_version_key(std::string_view key) noexcept;
/// Of a device's name: "NVIDIA H100 80GB HBM3", "AMD Instinct MI300X".
[[nodiscard]] GpuFlavour flavour_of_device(std::string_view name) noexcept;
/// The tool that a metadata key gives the version of: "cupti", "roctracer", "rocprofiler-sdk"; empty for another key.
[[nodiscard]] std::string_view profiler_of_version_key(std::string_view key) noexcept;
/// A metadata key that gives the version of PyTorch.
[[nodiscard]] bool is_torch_version_key(std::string_view key) noexcept;
}  // namespace kinetoscope::names
