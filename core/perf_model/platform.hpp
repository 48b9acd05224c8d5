#pragma once

// What a GPU can do at most: rates of its compute units, memory and links, each figure with its kind and source. A
// figure that is missing is missing: nothing is borrowed from another device, and the reason is text for people.
// Rates are dense, in TFLOP/s (TOP/s for int8); memory and bandwidth in decimal GB and GB/s, as vendors print them.
// Cost: a look-up in a map of some fifteen names.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/names/spelled.hpp"

namespace kinetoscope::perf_model {

enum class FigureKind : std::uint8_t {
  peak,      ///< what the vendor publishes, or follows from it
  measured,  ///< what a run reached, under its conditions
  stated,    ///< a user's file gives a number without saying which
};
inline constexpr std::array figure_kinds = {
    names::Spelled{FigureKind::peak, "peak"},
    names::Spelled{FigureKind::measured, "measured"},
    names::Spelled{FigureKind::stated, "stated"},
};
static_assert(names::follows_enum(figure_kinds, FigureKind::stated));
[[nodiscard]] constexpr std::string_view spelling_of(FigureKind kind) noexcept {
  return figure_kinds[static_cast<std::size_t>(kind)].spelling;
}

enum class FigureStatus : std::uint8_t {
  verified,    ///< the vendor's text and another source agree, or two that cite it
  single,      ///< one source
  unverified,  ///< arithmetic, general knowledge, or nothing is said
};
inline constexpr std::array figure_statuses = {
    names::Spelled{FigureStatus::verified, "verified"},
    names::Spelled{FigureStatus::single, "single"},
    names::Spelled{FigureStatus::unverified, "unverified"},
};
static_assert(names::follows_enum(figure_statuses, FigureStatus::unverified));
[[nodiscard]] constexpr std::string_view spelling_of(FigureStatus status) noexcept {
  return figure_statuses[static_cast<std::size_t>(status)].spelling;
}

/// Above zero and finite.
struct Figure {
  double value = 0;
  FigureKind kind = FigureKind::stated;
  FigureStatus status = FigureStatus::unverified;
  std::string source;      ///< keys of the table's legend, joined by "; "; free text in a user's file
  std::string conditions;  ///< empty when there are none to know
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// What is known of one compute spec, such as matrix_bf16.
struct ComputeRate {
  std::optional<Figure> peak;      ///< or stated, never measured
  std::optional<Figure> measured;  ///< always of kind measured
  bool has_no_path = false;        ///< the hardware cannot do it; no figure then
  std::optional<double> per_clock_and_unit;
  friend bool operator==(const ComputeRate&, const ComputeRate&) = default;
};

/// How a trace names the device and what it says of it. What is absent is not compared.
struct DeviceMarks {
  std::vector<std::string> names;
  std::string compute_capability;  ///< "9.4"; empty when it is not known
  std::optional<std::int64_t> warp_size;
  std::optional<std::int64_t> units;
  std::vector<double> memory_gib;        ///< any of these, within 3 %
  std::vector<std::int64_t> partitions;  ///< units of a part of the device that is a device to a process
  friend bool operator==(const DeviceMarks&, const DeviceMarks&) = default;
};

struct Platform {
  std::string name;
  std::string about;
  std::string vendor;
  std::string arch;               ///< "gfx942", "cc 9.0"
  bool is_informational = false;  ///< not what a process sees as one device: never detected
  Figure mem_bw_gbps;
  std::optional<Figure> mem_bw_achievable_gbps;  ///< for advice only; ceilings take mem_bw_gbps
  std::optional<Figure> memory_gb;
  std::optional<Figure> units;  ///< compute units or streaming multiprocessors
  std::optional<Figure> clock_mhz;
  std::optional<Figure> clock_tensor_mhz;  ///< of matrix rates other than fp64, where it is another
  std::optional<Figure> link_gbps_per_direction;
  std::optional<Figure> last_level_cache_bytes;
  std::map<std::string, ComputeRate, std::less<>> compute;  ///< by compute spec
  DeviceMarks detect;
  friend bool operator==(const Platform&, const Platform&) = default;
};

/// matrix_fp64 ... vector_int8, and last vector_fp32_unpacked: the rate of code that does not use packed instructions.
[[nodiscard]] const std::vector<std::string>& compute_specs();

/// How the matrix products of fp32 operands run, which only the kernel can say.
enum class Fp32Products : std::uint8_t { exact, tf32 };

/// What a compute spec is held against. Either `figure` is there or `reason` says why not.
struct Ceiling {
  std::optional<Figure> figure;  ///< TFLOP/s: measured where there is a measurement, else the peak
  std::optional<Figure> peak;    ///< beside a measured figure, so that "of peak" can be said, too
  std::string answered_by;       ///< the spec that the figure is of
  bool is_estimated = false;     ///< by a rate of other operands, which may be too low
  std::string note;              ///< why another spec answers; empty when it is the one that was asked for
  std::string reason;            ///< a clause, such as "no matrix_fp4 path on MI300X"
  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

/// matrix_fp32 is answered by matrix_tf32 where the products run so and, on hardware without such a path, by
/// vector_fp32. vector_fp16 and vector_bf16 without figure are answered by the rate of unpacked vector fp32, estimated.
[[nodiscard]] Ceiling ceiling_of(const Platform& platform, std::string_view spec,
                                 Fp32Products products = Fp32Products::exact);
}  // namespace kinetoscope::perf_model
