#pragma once

// A family of operators that one formula covers, and how it sees a call. Operators of a family differ in where their
// arguments stand; that is data (operators.json): a layout gives each field of the family a position. A family declares
// its fields, and reads a call only by them.
//
// A new operator of a known family is one entry in the data. A new family is a file under families/ and a line in
// model_families.cpp.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names/step_annotations.hpp"
#include "core/perf_model/call.hpp"
#include "core/perf_model/compiled_kernel.hpp"
#include "core/perf_model/element_types.hpp"
#include "core/perf_model/estimate.hpp"
#include "core/perf_model/gemm_kernel_name.hpp"

namespace kinetoscope::perf_model {

enum class FieldKind : std::uint8_t {
  tensor,   ///< position of an operand, or several: the first that is a tensor counts
  literal,  ///< position of a literal argument, or several: the first that can be read counts
  choice,   ///< one of the field's words
  number,   ///< a number that the layout fixes
};

/// What a layout may say. `meaning` is what the page of the format tells.
struct Field {
  std::string_view name;
  FieldKind kind = FieldKind::tensor;
  bool is_required = false;
  std::string_view meaning;
  std::string_view words{};  ///< of a choice, with blanks between; the first is the default
};

/// Where one operator's arguments stand.
struct LayoutEntry {
  std::string field;
  std::vector<std::size_t> positions;
  std::string word;
  double number = 0;
  friend bool operator==(const LayoutEntry&, const LayoutEntry&) = default;
};
using Layout = std::vector<LayoutEntry>;

/// What a model may need beside the call's own arguments. Pointers may be null.
struct CallContext {
  const names::StepAnnotation* step = nullptr;  ///< around the call
  const Call* forward = nullptr;                ///< of backward calls that repeat no arguments
  std::optional<OperandOrder> operand_order;    ///< by the name of a kernel that the call launched
  std::string_view first_kernel;                ///< name of the first kernel that the call launched
  const CompiledKernel* compiled = nullptr;     ///< by the call's name, for arguments that the trace does not have
  std::string_view kv_cache_type;               ///< where it is known from elsewhere
  std::optional<std::int64_t> experts_per_token;
  std::optional<bool> is_gated;
  std::string_view served_model;
  std::optional<std::int64_t> query_heads;
};

/// Thrown by a family that cannot go on.
struct NoEstimate {
  Gap gap = Gap::not_modelled;
  std::string detail;
};

/// One call seen by the fields of its family. Everything lives as long as the arguments given.
class ModelInput {
 public:
  ModelInput(const Call& call, const Layout& layout, const CallContext& context)
      : call_(call), layout_(layout), context_(context) {}

  [[nodiscard]] const Call& call() const noexcept { return call_; }
  [[nodiscard]] const CallContext& context() const noexcept { return context_; }
  /// The same fields of another call, which must outlive what is returned.
  [[nodiscard]] ModelInput of_call(const Call& other) const { return {other, layout_, context_}; }
  /// The annotation around the call, with its sums of lengths; throws step_not_annotated without them.
  [[nodiscard]] const names::StepAnnotation& step() const;

  /// nullptr where the layout has no such field, or the call no tensor there.
  [[nodiscard]] const Operand* find(const Field& field) const;
  /// Throws NoEstimate: argument_not_recorded, or shape_not_fitting below `rank` dimensions or with a negative one.
  [[nodiscard]] const Operand& tensor(const Field& field, std::size_t rank = 0) const;
  /// A list of tensors: their shapes are the operand's items. nullptr where the call has none there.
  [[nodiscard]] const Operand* find_list(const Field& field) const;
  /// The type of a tensor; throws element_type_unknown.
  [[nodiscard]] const ElementType& element_type(const Operand& operand) const;

  [[nodiscard]] bool has(const Field& field) const noexcept { return entry(field) != nullptr; }
  /// The literal of the first position that has one; empty without.
  [[nodiscard]] std::string_view literal(const Field& field) const;
  /// Absent where no position has a literal that reads as such.
  [[nodiscard]] std::optional<bool> truth(const Field& field) const;
  [[nodiscard]] std::optional<std::int64_t> whole_number(const Field& field) const;
  [[nodiscard]] std::optional<double> number(const Field& field) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> whole_numbers(const Field& field) const;

  /// The layout's word, or the field's default.
  [[nodiscard]] std::string_view choice(const Field& field) const;
  /// The layout's number, or `otherwise`.
  [[nodiscard]] double fixed(const Field& field, double otherwise) const;

 private:
  [[nodiscard]] const LayoutEntry* entry(const Field& field) const noexcept;

  const Call& call_;
  const Layout& layout_;
  const CallContext& context_;
};

/// What a family reads of CallContext: calls that differ only in the rest have the same estimate.
enum class ContextNeed : std::uint8_t { step, forward_call, operand_order, first_kernel, pseudo_operator };
using ContextNeeds = names::EnumSet<ContextNeed>;
[[nodiscard]] constexpr ContextNeeds context_needs(std::initializer_list<ContextNeed> needs) noexcept {
  std::uint64_t bits = 0;
  for (const ContextNeed need : needs) bits |= std::uint64_t{1} << static_cast<unsigned>(need);
  return ContextNeeds(bits);
}

using EstimateFunction = void (*)(const ModelInput& input, Estimate& out);

struct ModelFamily {
  std::string_view name;
  std::string_view meaning;
  std::span<const Field> fields;
  EstimateFunction forward = nullptr;   ///< of the operator itself
  EstimateFunction backward = nullptr;  ///< of its backward work, from the forward call's arguments; null: not modelled
  ContextNeeds needs{};
};

/// Every family, in the order of model_families.cpp.
[[nodiscard]] std::span<const ModelFamily* const> model_families() noexcept;
[[nodiscard]] const ModelFamily* find_model_family(std::string_view name) noexcept;

/// Runs a family's function: what it throws becomes the gap. Figures that are not finite or negative are refused, too.
[[nodiscard]] Estimate run_model(EstimateFunction function, const ModelInput& input);
}  // namespace kinetoscope::perf_model
