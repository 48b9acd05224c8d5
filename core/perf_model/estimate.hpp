#pragma once

// What a model says of one call: the arithmetic it has to do, the bytes it has to move at least, where that runs, how
// good the model is, and the parameters it read from the arguments.
//
// Counts are doubles: whole numbers up to 2^53 are exact, and no shape that a file claims can overflow them. Bytes are
// those of each operand once from device memory and of each result once to it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/names/spelled.hpp"
#include "core/perf_model/precision.hpp"

namespace kinetoscope::perf_model {

enum class Quality : std::uint8_t {
  none,          ///< no figures; Estimate::gap says why
  lower_bound,   ///< at least so much: something that the trace does not say adds to it
  average_case,  ///< depends on data that no trace has, such as which expert a token is sent to
  exact,         ///< follows from shapes, types and literals
};
inline constexpr std::array qualities = {
    names::Spelled{Quality::none, "none"},
    names::Spelled{Quality::lower_bound, "lower_bound"},
    names::Spelled{Quality::average_case, "average_case"},
    names::Spelled{Quality::exact, "exact"},
};
static_assert(names::follows_enum(qualities, Quality::exact));
[[nodiscard]] constexpr std::string_view spelling_of(Quality quality) noexcept {
  return qualities[static_cast<std::size_t>(quality)].spelling;
}

/// Why a figure is missing.
enum class Gap : std::uint8_t {
  not_modelled,            ///< no model knows the operator, or not this work of it
  argument_not_recorded,   ///< the model needs an argument that the trace does not have
  shape_not_fitting,       ///< shapes that do not fit the operator or one another
  literal_not_fitting,     ///< a literal that cannot be read as what it should be
  element_type_unknown,    ///< the size of an operand's elements is not known
  step_not_annotated,      ///< no step annotation says how many tokens were worked on
  forward_call_not_found,  ///< the arguments stand at a forward call that is not in the trace
};
inline constexpr std::array gaps = {
    names::Spelled{Gap::not_modelled, "not_modelled"},
    names::Spelled{Gap::argument_not_recorded, "argument_not_recorded"},
    names::Spelled{Gap::shape_not_fitting, "shape_not_fitting"},
    names::Spelled{Gap::literal_not_fitting, "literal_not_fitting"},
    names::Spelled{Gap::element_type_unknown, "element_type_unknown"},
    names::Spelled{Gap::step_not_annotated, "step_not_annotated"},
    names::Spelled{Gap::forward_call_not_found, "forward_call_not_found"},
};
static_assert(names::follows_enum(gaps, Gap::forward_call_not_found));
[[nodiscard]] constexpr std::string_view spelling_of(Gap gap) noexcept {
  return gaps[static_cast<std::size_t>(gap)].spelling;
}

/// What a reader of the figures should know.
enum class Note : std::uint8_t {
  operand_not_dense,     ///< an operand's strides are not those of a dense tensor: more bytes may have been moved
  operand_repeated,      ///< an expanded operand: only elements that lie in memory are counted
  output_type_assumed,   ///< the trace does not say the type of the result
  scales_not_counted,    ///< scales of quantised operands are left out of the bytes
  lengths_estimated,     ///< sequence lengths are not recorded: all but the longest are taken as equal
  routing_uniform,       ///< every expert is taken to be chosen equally often
  size_assumed,          ///< a size that the trace does not have is taken from another one
  in_place_assumed,      ///< from the number of operands: one is taken to be written over
  window_unknown,        ///< a sliding window that the trace does not say would make it less
  chunked_work_omitted,  ///< work that a chunked algorithm adds is left out
  arguments_from_cache,  ///< the trace has no arguments: types and sizes are those of generated source
};
inline constexpr std::array notes = {
    names::Spelled{Note::operand_not_dense, "operand_not_dense"},
    names::Spelled{Note::operand_repeated, "operand_repeated"},
    names::Spelled{Note::output_type_assumed, "output_type_assumed"},
    names::Spelled{Note::scales_not_counted, "scales_not_counted"},
    names::Spelled{Note::lengths_estimated, "lengths_estimated"},
    names::Spelled{Note::routing_uniform, "routing_uniform"},
    names::Spelled{Note::size_assumed, "size_assumed"},
    names::Spelled{Note::in_place_assumed, "in_place_assumed"},
    names::Spelled{Note::window_unknown, "window_unknown"},
    names::Spelled{Note::chunked_work_omitted, "chunked_work_omitted"},
    names::Spelled{Note::arguments_from_cache, "arguments_from_cache"},
};
static_assert(names::follows_enum(notes, Note::arguments_from_cache));
using Notes = names::EnumSet<Note>;

/// A list, already printed as Python prints it: "(2048, 1)".
struct PythonText {
  std::string text;
  friend bool operator==(const PythonText&, const PythonText&) = default;
};
/// Nothing is None.
using ParameterValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, PythonText>;
struct Parameter {
  std::string_view name;  ///< lives as long as the program
  ParameterValue value;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Estimate {
  std::optional<double> flops;
  std::optional<double> bytes_moved;
  /// Over the links to other devices at least, each way; absent for work of one device.
  std::optional<double> link_bytes;
  std::optional<double> most_flops;  ///< of a lower bound whose other end is known
  ComputeUnit unit = ComputeUnit::none;
  std::optional<Precision> precision;
  Quality quality = Quality::none;
  Notes notes;
  std::optional<Gap> gap;  ///< of the first figure that is missing
  std::string gap_detail;  ///< which argument, type or shape
  std::vector<Parameter> parameters;

  void add_parameter(std::string_view name, ParameterValue value);
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// A count as a whole number, where a double holds it exactly.
[[nodiscard]] ParameterValue count_parameter(double count);
/// As Python prints it: 8944, True, None, 'per_block', (2048, 1).
[[nodiscard]] std::string printed(const ParameterValue& value);
/// {'M': 8944, 'N': 2816}.
[[nodiscard]] std::string printed(const std::vector<Parameter>& parameters);
/// (16, 559, 1024); (5,); ().
[[nodiscard]] PythonText printed_tuple(const std::vector<std::int64_t>& numbers);
/// None where they are absent, as strides that were not recorded are.
[[nodiscard]] ParameterValue printed_or_none(const std::optional<std::vector<std::int64_t>>& numbers);
/// ('c10::BFloat16', 'float').
[[nodiscard]] PythonText printed_tuple_of_texts(const std::vector<std::string>& texts);
}  // namespace kinetoscope::perf_model
