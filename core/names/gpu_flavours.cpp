#include "core/names/gpu_flavours.hpp"

#include <algorithm>

namespace kinetoscope::names {
namespace {

struct Beginning {
  std::string_view text;
  GpuFlavour flavour{};
};

/// The first that fits decides: "cuda" before "cu".
constexpr std::array call_beginnings = {
    Beginning{"cuda", GpuFlavour::cuda}, Beginning{"cu", GpuFlavour::cuda},  Beginning{"hip", GpuFlavour::hip},
    Beginning{"hsa_", GpuFlavour::hip},  Beginning{"ur", GpuFlavour::xpu},   Beginning{"ze", GpuFlavour::xpu},
    Beginning{"pi", GpuFlavour::xpu},    Beginning{"sycl", GpuFlavour::xpu},
};
constexpr std::array key_beginnings = {
    Beginning{"cuda", GpuFlavour::cuda},       Beginning{"cupti", GpuFlavour::cuda},
    Beginning{"hip", GpuFlavour::hip},         Beginning{"roctracer", GpuFlavour::hip},
    Beginning{"rocprofiler", GpuFlavour::hip}, Beginning{"rocm", GpuFlavour::hip},
    Beginning{"xpu", GpuFlavour::xpu},         Beginning{"level_zero", GpuFlavour::xpu},
};
constexpr std::array device_beginnings = {
    Beginning{"NVIDIA", GpuFlavour::cuda},  Beginning{"Tesla", GpuFlavour::cuda},
    Beginning{"GeForce", GpuFlavour::cuda}, Beginning{"Quadro", GpuFlavour::cuda},
    Beginning{"AMD", GpuFlavour::hip},      Beginning{"Radeon", GpuFlavour::hip},
    Beginning{"Instinct", GpuFlavour::hip}, Beginning{"Intel", GpuFlavour::xpu},
};

template <std::size_t size>
GpuFlavour first_of(const std::array<Beginning, size>& table, std::string_view text) noexcept {
  const auto found = std::ranges::find_if(table, [&](const Beginning& b) { return text.starts_with(b.text); });
  return found == table.end() ? GpuFlavour::unknown : found->flavour;
}

struct Profiler {
  std::string_view key_beginning;
  std::string_view name;
};
constexpr std::array profilers = {
    Profiler{"cupti", "cupti"},
    Profiler{"roctracer", "roctracer"},
    Profiler{"rocprofiler", "rocprofiler-sdk"},
};
constexpr std::array<std::string_view, 3> torch_keys = {"pytorch_version", "torch_version", "PyTorch version"};
}  // namespace

std::string_view vendor_of(GpuFlavour flavour) noexcept {
  switch (flavour) {
    case GpuFlavour::unknown: return "";
    case GpuFlavour::cuda: return "NVIDIA";
    case GpuFlavour::hip: return "AMD";
    case GpuFlavour::xpu: return "Intel";
  }
  return "";
}

GpuFlavour flavour_of_call(std::string_view name) noexcept {
  const GpuFlavour flavour = first_of(call_beginnings, name);
  // Short beginnings are followed by a capital: cuLaunchKernel, but not "custom_call".
  const auto is_capital = [&](std::size_t at) { return name.size() > at && name[at] >= 'A' && name[at] <= 'Z'; };
  const bool is_short =
      !name.starts_with("cuda") && !name.starts_with("hip") && !name.starts_with("hsa_") && !name.starts_with("sycl");
  return is_short && !is_capital(2) ? GpuFlavour::unknown : flavour;
}

GpuFlavour flavour_of_version_key(std::string_view key) noexcept { return first_of(key_beginnings, key); }

GpuFlavour flavour_of_device(std::string_view name) noexcept { return first_of(device_beginnings, name); }

std::string_view profiler_of_version_key(std::string_view key) noexcept {
  const auto found =
      std::ranges::find_if(profilers, [&](const Profiler& p) { return key.starts_with(p.key_beginning); });
  return found == profilers.end() ? std::string_view() : found->name;
}

bool is_torch_version_key(std::string_view key) noexcept {
  return std::ranges::find(torch_keys, key) != torch_keys.end();
}
}  // namespace kinetoscope::names
