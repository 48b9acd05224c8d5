#include "core/names/gpu_flavours.hpp"

#include <doctest/doctest.h>

#include "core/names/rank_labels.hpp"

namespace kinetoscope::names {

TEST_CASE("gpu flavours: runtime and driver calls name their runtime, other calls none") {
  CHECK(flavour_of_call("cudaLaunchKernel") == GpuFlavour::cuda);
  CHECK(flavour_of_call("cuLaunchKernelEx") == GpuFlavour::cuda);
  CHECK(flavour_of_call("hipExtModuleLaunchKernel") == GpuFlavour::hip);
  CHECK(flavour_of_call("urEnqueueKernelLaunch") == GpuFlavour::xpu);
  CHECK(flavour_of_call("custom_launch") == GpuFlavour::unknown);
  CHECK(flavour_of_call("zero_grad") == GpuFlavour::unknown);
  CHECK(flavour_of_call("") == GpuFlavour::unknown);
}

TEST_CASE("gpu flavours: versions and devices name theirs") {
  CHECK(flavour_of_version_key("cupti_version") == GpuFlavour::cuda);
  CHECK(flavour_of_version_key("hip_runtime_version") == GpuFlavour::hip);
  CHECK(flavour_of_version_key("schemaVersion") == GpuFlavour::unknown);
  CHECK(flavour_of_device("AMD Instinct MI300X") == GpuFlavour::hip);
  CHECK(flavour_of_device("NVIDIA H100 80GB HBM3") == GpuFlavour::cuda);
  CHECK(profiler_of_version_key("roctracer_version") == "roctracer");
  CHECK(vendor_of(GpuFlavour::hip) == "AMD");
}

TEST_CASE("rank labels: a merged file's process names say which rank they are") {
  CHECK(rank_label("[TP00-DP01-PP00-EP00] 4711") == "TP00-DP01-PP00-EP00");
  CHECK(rank_label("[TP3] python") == "TP3");
  for (const char* const other :
       {"python", "[main] python", "[TP00", "[] 1", "[TP00-] 1", "[-TP00] 1", "[TP] 1", "[00] 1"}) {
    CAPTURE(other);
    CHECK_FALSE(rank_label(other));
  }
}
}  // namespace kinetoscope::names
