#pragma once

// Damaged and unusual inputs, each with its right outcome. The kinds F01 to F38 are those of problem reports from
// public trackers; each has at least five variants that differ in place and shape. Outcomes follow from the
// construction, by the rules beside it, never from a run of the product.
//
// The vocabulary of `expected` (whatever is absent is not claimed):
//   error             code of the refusal, "any" for a refusal whose code is not claimed; nothing else is then expected
//   events            elements of traceEvents that were read
//   diagnostics       code to count; "present" is any count but 0, "any" is any count. When this key is there, codes of
//                     severity warning or partial that it does not list must not occur, except that several partial
//                     codes may describe one cut; notes may
//   partial_offset    where the usable part ends, in bytes of the decompressed stream, or "present"
//   gpu               figures over all GPU events (GpuFigures)
//   linked, launches, launches_without_kernel
//   names             texts, UTF-8, that events must have as their names, exactly
//   kernels           by name: method (correlation, flow, external_id, none), process, stream, launcher (the nearest
//                     operator), ancestors (from the launch outward), and values of args as text
//   host_parents      by name of a host call: the name of the call around it
//   rank              null or a number
//   kind              as in Truth
//   steps             in order of time: name, phase (null when idle), gpu_events, busy_ns, gpu_annotation_busy_ns
//   streams           hardware streams, as text where they exceed 2^53
//   pair              for two files: start_difference_ns of their first kernels on the common clock, null without one

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace kinetoscope::examples {

struct DefectCase {
  std::string id{};            ///< "F01"
  std::string variant{};       ///< a few words
  std::string bytes{};         ///< the file
  std::string second_bytes{};  ///< the other file of a pair; empty when there is none
  nlohmann::json expected{};
};

/// All cases, by id, in the order of their variants. A few hundred small files, made anew on each call.
[[nodiscard]] std::vector<DefectCase> defect_cases();

/// The areas of which they are made, one source file each.
[[nodiscard]] std::vector<DefectCase> string_defects();     ///< F01 - F03
[[nodiscard]] std::vector<DefectCase> value_defects();      ///< F04, F05, F12
[[nodiscard]] std::vector<DefectCase> cut_defects();        ///< F06, F07
[[nodiscard]] std::vector<DefectCase> container_defects();  ///< F08 - F11
[[nodiscard]] std::vector<DefectCase> time_defects();       ///< F13 - F18
[[nodiscard]] std::vector<DefectCase> clock_defects();      ///< F32, F33
[[nodiscard]] std::vector<DefectCase> identity_defects();   ///< F19 - F23
[[nodiscard]] std::vector<DefectCase> link_defects();       ///< F26, F27, F34, F38
[[nodiscard]] std::vector<DefectCase> metadata_defects();   ///< F24, F25, F28, F29, F35
[[nodiscard]] std::vector<DefectCase> step_defects();       ///< F30, F31, F36, F37
}  // namespace kinetoscope::examples
