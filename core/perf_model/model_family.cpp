#include "core/perf_model/model_family.hpp"

#include <algorithm>
#include <cmath>

#include "core/perf_model/literals.hpp"

namespace kinetoscope::perf_model {
namespace {

/// What `read` makes of the first literal that it can read.
template <typename Read>
auto first_readable(const Call& call, const LayoutEntry* entry, Read read) -> decltype(read(std::string_view())) {
  if (entry == nullptr) return {};
  for (const std::size_t position : entry->positions) {
    if (position >= call.literals.size()) continue;
    if (auto value = read(call.literals[position])) return value;
  }
  return {};
}

bool is_count(const std::optional<double>& figure) { return !figure || (std::isfinite(*figure) && *figure >= 0); }
}  // namespace

const LayoutEntry* ModelInput::entry(const Field& field) const noexcept {
  const auto found = std::ranges::find(layout_, field.name, &LayoutEntry::field);
  return found == layout_.end() ? nullptr : &*found;
}

const Operand* ModelInput::find(const Field& field) const {
  const LayoutEntry* const found = entry(field);
  if (found == nullptr) return nullptr;
  for (const std::size_t position : found->positions) {
    if (position < call_.operands.size() && call_.operands[position].is_tensor()) return &call_.operands[position];
  }
  return nullptr;
}

const Operand* ModelInput::find_list(const Field& field) const {
  const LayoutEntry* const found = entry(field);
  if (found == nullptr) return nullptr;
  for (const std::size_t position : found->positions) {
    if (position < call_.operands.size() && !call_.operands[position].items.empty()) return &call_.operands[position];
  }
  return nullptr;
}

const Operand& ModelInput::tensor(const Field& field, std::size_t rank) const {
  const Operand* const found = find(field);
  if (found == nullptr) throw NoEstimate{Gap::argument_not_recorded, std::string(field.name)};
  if (found->dims.size() < rank || std::ranges::any_of(found->dims, [](std::int64_t size) { return size < 0; })) {
    throw NoEstimate{Gap::shape_not_fitting, std::string(field.name) + " is " + printed_tuple(found->dims).text};
  }
  return *found;
}

const ElementType& ModelInput::element_type(const Operand& operand) const {
  const ElementType* const found = find_element_type(operand.type);
  if (found == nullptr) throw NoEstimate{Gap::element_type_unknown, operand.type};
  return *found;
}

const names::StepAnnotation& ModelInput::step() const {
  if (context_.step == nullptr || !context_.step->has_sqsk) throw NoEstimate{Gap::step_not_annotated, {}};
  return *context_.step;
}

std::string_view ModelInput::literal(const Field& field) const {
  const auto found = first_readable(call_, entry(field), [](std::string_view text) {
    return text.empty() ? std::optional<std::string_view>() : std::optional(text);
  });
  return found.value_or(std::string_view());
}
std::optional<bool> ModelInput::truth(const Field& field) const {
  return first_readable(call_, entry(field), [](std::string_view text) { return truth_in(text); });
}
std::optional<std::int64_t> ModelInput::whole_number(const Field& field) const {
  return first_readable(call_, entry(field), [](std::string_view text) { return whole_number_in(text); });
}
std::optional<double> ModelInput::number(const Field& field) const {
  return first_readable(call_, entry(field), [](std::string_view text) { return number_in(text); });
}
std::optional<std::vector<std::int64_t>> ModelInput::whole_numbers(const Field& field) const {
  return first_readable(call_, entry(field), [](std::string_view text) { return whole_numbers_in(text); });
}

std::string_view ModelInput::choice(const Field& field) const {
  const LayoutEntry* const found = entry(field);
  return found != nullptr ? std::string_view(found->word) : field.words.substr(0, field.words.find(' '));
}
double ModelInput::fixed(const Field& field, double otherwise) const {
  const LayoutEntry* const found = entry(field);
  return found != nullptr ? found->number : otherwise;
}

Estimate run_model(EstimateFunction function, const ModelInput& input) {
  Estimate out;
  if (function == nullptr) {
    out.gap = Gap::not_modelled;
    return out;
  }
  try {
    function(input, out);
    if (!is_count(out.flops) || !is_count(out.bytes_moved) || !is_count(out.most_flops)) {
      throw NoEstimate{Gap::shape_not_fitting, "the figures are beyond any machine"};
    }
  } catch (const NoEstimate& none) {
    out = Estimate();
    out.gap = none.gap;
    out.gap_detail = none.detail;
    return out;
  }
  if (!out.flops && !out.bytes_moved) out.quality = Quality::none;
  return out;
}

const ModelFamily* find_model_family(std::string_view name) noexcept {
  const auto all = model_families();
  const auto found = std::ranges::find_if(all, [&](const ModelFamily* family) { return family->name == name; });
  return found == all.end() ? nullptr : *found;
}
}  // namespace kinetoscope::perf_model
