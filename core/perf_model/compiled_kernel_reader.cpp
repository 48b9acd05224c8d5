#include "core/perf_model/compiled_kernel_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/perf_model/inductor_kernel_name.hpp"
#include "core/perf_model/kernel_body.hpp"
#include "core/perf_model/python_call.hpp"

namespace kinetoscope::perf_model {
namespace {

/// Decorators of the kinds of kernels that have a model.
constexpr std::array<std::string_view, 5> heuristics = {"pointwise", "reduction", "persistent_reduction",
                                                        "cooperative_reduction", "split_scan"};
constexpr std::string_view compiled_by = " = async_compile.triton(";

/// The parts of one kernel; views of the source.
struct KernelSource {
  std::vector<PythonEntry> heuristic;  // arguments of the decorator
  std::string_view defined_name;
  std::vector<PythonEntry> parameters;  // of the definition
  std::string_view body;
  std::string_view assigned_name;  // what a module calls it; empty in a kernel's own file
};

struct NotUnderstood {};

std::vector<PythonEntry> dictionary_of(PythonTokens value) {
  return members_of(value).value_or(std::vector<PythonEntry>());
}

class KernelMaker {
 public:
  explicit KernelMaker(const KernelSource& source)
      : source_(source),
        triton_meta_(dictionary_of(first_of("triton_meta", "meta"))),
        inductor_meta_(dictionary_of(value_of(source.heuristic, "inductor_meta"))) {}

  /// Absent of a kind of kernel that has no model. Throws NotUnderstood.
  [[nodiscard]] std::optional<CompiledKernel> make() {
    CompiledKernel kernel;
    kernel.name = name();
    const auto kind = inductor_kernel_kind(kernel.name);
    if (!kind) return std::nullopt;
    read_hints(*kind != InductorKernelKind::pointwise);
    if (!read_exact_sizes(source_.body, sizes_) || sizes_.is_empty()) throw NotUnderstood();
    read_signature();
    kernel.xnumel = sizes_.xnumel();
    kernel.rnumel = sizes_.rnumel();
    kernel.has_exact_sizes = sizes_.is_exact();
    add_pointers(kernel);
    return kernel;
  }

 private:
  [[nodiscard]] PythonTokens first_of(std::string_view key, std::string_view older_key) const {
    const PythonTokens value = value_of(source_.heuristic, key);
    return value.empty() ? value_of(source_.heuristic, older_key) : value;
  }

  /// A kernel's own file may define it as triton_, so what the metadata says goes first.
  [[nodiscard]] std::string name() const {
    const bool is_defined = inductor_kernel_kind(source_.defined_name).has_value();
    const std::string_view stated = text_of(value_of(inductor_meta_, "kernel_name")).value_or(std::string_view());
    if (stated.empty()) return std::string(is_defined ? source_.defined_name : source_.assigned_name);
    if (is_defined && stated != source_.defined_name) throw NotUnderstood();
    return std::string(stated);
  }

  /// {'x': 4096, 'r0_': 64}, or in older sources [4096, 64]: z, y, x as far as there are such, then r of a reduction.
  void read_hints(bool is_reduction) {
    const PythonTokens value = value_of(source_.heuristic, "size_hints");
    if (value.empty()) return;
    const auto hints = members_of(value);
    if (!hints) throw NotUnderstood();
    static constexpr std::array<std::string_view, 4> in_order = {"z", "y", "x", "r"};
    const std::size_t names_end = is_reduction ? 4 : 3;
    if (hints->size() > names_end) throw NotUnderstood();
    for (std::size_t i = 0; i < hints->size(); ++i) {
      const PythonEntry& hint = (*hints)[i];
      const auto size = count_of(hint.value);
      const auto named = hint.key.empty() ? in_order[names_end - hints->size() + i] : text_of(hint.key);
      if (!size || !named || !sizes_.set_hint(*named, static_cast<double>(*size))) throw NotUnderstood();
    }
  }

  /// {'in_ptr0': '*bf16', 'xnumel': 'i32'}, or in older sources by the place of the parameter {0: '*bf16', 1: 'i32'}.
  void read_signature() {
    for (const PythonEntry& argument : dictionary_of(value_of(triton_meta_, "signature"))) {
      const std::string_view argument_name = parameter_named(argument.key);
      const auto type = text_of(argument.value);
      if (!type) throw NotUnderstood();
      if (type->starts_with('*') && type->size() > 1) {
        pointers_.push_back(argument_name);
        types_.push_back(type->substr(1));
      } else if (argument_name.ends_with("numel") && !sizes_.of(argument_name.substr(0, argument_name.size() - 5))) {
        throw NotUnderstood();
      }
    }
    std::vector<std::string_view> sorted = pointers_;
    std::ranges::sort(sorted);
    if (pointers_.empty() || std::ranges::adjacent_find(sorted) != sorted.end()) throw NotUnderstood();
  }

  [[nodiscard]] std::string_view parameter_named(PythonTokens key) const {
    if (const auto argument_name = text_of(key)) return *argument_name;
    const auto place = count_of(key);
    if (!place || static_cast<std::size_t>(*place) >= source_.parameters.size()) throw NotUnderstood();
    const PythonEntry& parameter = source_.parameters[static_cast<std::size_t>(*place)];
    const PythonTokens tokens = parameter.key.empty() ? parameter.value : parameter.key;
    if (tokens.size() != 1 || tokens.front().kind != PythonTokenKind::name) throw NotUnderstood();
    return tokens.front().text;
  }

  [[nodiscard]] std::set<std::string_view> mutated_names() const {
    PythonTokens value = value_of(inductor_meta_, "mutated_arg_names");
    if (value.empty()) value = value_of(triton_meta_, "mutated_arg_names");
    std::set<std::string_view> names;
    for (const PythonEntry& entry : dictionary_of(value)) {
      if (const auto mutated = text_of(entry.value)) names.insert(*mutated);
    }
    return names;
  }

  /// The body says what each pointer reaches. Of one that it uses in another way the name does: all elements, but of
  /// the last pointer of a reduction, its result.
  void add_pointers(CompiledKernel& kernel) const {
    const std::vector<PointerAccess> accesses = pointer_accesses(source_.body, pointers_, sizes_);
    const std::set<std::string_view> mutated = mutated_names();
    const double all = kernel.xnumel * kernel.rnumel;
    // A buffer that is read by one name and written by another has both names in the list: it is written once.
    const bool mutates_results =
        std::ranges::any_of(mutated, [](std::string_view name) { return name.starts_with("out_ptr"); });
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
      const std::string_view pointer = pointers_[i];
      CompiledPointer out{.type = std::string(types_[i])};
      if (accesses[i].read || accesses[i].written) {
        out.elements_read = accesses[i].read.value_or(0);
        out.elements_written = accesses[i].written.value_or(0);
      } else {
        const bool is_result = pointer.starts_with("out_ptr");
        const bool is_written =
            is_result || pointer.starts_with("in_out_ptr") || (mutated.contains(pointer) && !mutates_results);
        out.elements_read = is_result ? 0 : all;
        if (is_written) out.elements_written = i + 1 == pointers_.size() ? kernel.xnumel : all;
      }
      kernel.pointers.push_back(std::move(out));
    }
  }

  const KernelSource& source_;
  std::vector<PythonEntry> triton_meta_;
  std::vector<PythonEntry> inductor_meta_;
  KernelSizes sizes_;
  std::vector<std::string_view> pointers_;
  std::vector<std::string_view> types_;
};

class CompiledSourceReader {
 public:
  explicit CompiledSourceReader(std::string_view python) : python_(python) {}

  [[nodiscard]] CompiledSource read() {
    while (at_ < python_.size()) {
      const std::size_t line_begin = at_;
      const std::string_view line = next_line();
      if (const std::size_t name_end = line.find(compiled_by); name_end != std::string_view::npos) {
        assigned_name_ = line.substr(0, name_end);
        assigned_name_.remove_prefix(std::min(assigned_name_.find_first_not_of(' '), name_end));
      } else if (is_heuristic(line)) {
        read_kernel(line_begin + line.find('(') + 1);
      }
    }
    return std::move(out_);
  }

 private:
  /// Without its end; at_ is behind that.
  [[nodiscard]] std::string_view next_line() {
    const std::size_t end = std::min(python_.find('\n', at_), python_.size());
    const std::string_view line = python_.substr(at_, end - at_);
    at_ = std::min(end + 1, python_.size());
    return line;
  }

  /// @triton_heuristics.pointwise(, @pointwise(
  [[nodiscard]] static bool is_heuristic(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '@') return false;
    const std::size_t end = line.find('(', begin);
    if (end == std::string_view::npos) return false;
    std::string_view name = line.substr(begin + 1, end - begin - 1);
    name.remove_prefix(name.rfind('.') + 1);  // npos + 1 is 0
    return std::ranges::find(heuristics, name) != heuristics.end();
  }

  void read_kernel(std::size_t arguments_begin) {
    KernelSource source;
    source.assigned_name = std::exchange(assigned_name_, {});
    // The next kernel is looked for behind what was read of this one, however it ends.
    const PythonCall arguments = read_python_call(python_, arguments_begin);
    at_ = arguments.end;
    if (!arguments.is_whole) return give_up_at(arguments.end);
    source.heuristic = python_entries(arguments.tokens);
    const std::optional<PythonCall> definition = read_definition(source);
    if (!definition) return give_up_at(at_);
    source.parameters = python_entries(definition->tokens);
    source.body = read_body();
    try {
      if (auto kernel = KernelMaker(source).make()) out_.kernels.push_back(std::move(*kernel));
    } catch (const NotUnderstood&) {
      ++out_.not_understood;
    }
  }

  /// Behind the decorator, with at most blank lines and @triton.jit between.
  [[nodiscard]] std::optional<PythonCall> read_definition(KernelSource& source) {
    while (at_ < python_.size()) {
      const std::size_t line_begin = at_;
      std::string_view line = next_line();
      const std::size_t indent = std::min(line.find_first_not_of(" \t\r"), line.size());
      line.remove_prefix(indent);
      if (line.empty() || line.starts_with("@triton.jit")) continue;
      at_ = line_begin;  // another decorator may stand here
      const std::size_t bracket = line.find('(');
      if (!line.starts_with("def ") || bracket == std::string_view::npos) return std::nullopt;
      source.defined_name = line.substr(4, bracket - 4);
      PythonCall definition = read_python_call(python_, line_begin + indent + bracket + 1);
      at_ = definition.end;
      if (!definition.is_whole) return std::nullopt;
      return definition;
    }
    return std::nullopt;
  }

  /// From the line behind the definition to the next that is not indented.
  [[nodiscard]] std::string_view read_body() {
    static_cast<void>(next_line());
    const std::size_t begin = at_;
    while (at_ < python_.size()) {
      const std::size_t line_begin = at_;
      const std::string_view line = next_line();
      if (line.empty() || line.front() == ' ' || line.front() == '\t' || line.front() == '\r') continue;
      at_ = line_begin;
      break;
    }
    return python_.substr(begin, at_ - begin);
  }

  /// Goes on with the line that begins there, else with the next one: a line that was understood in part is not begun
  /// again for each part.
  void give_up_at(std::size_t end) {
    ++out_.not_understood;
    std::size_t begin = std::min(end, python_.size());
    while (begin > 0 && (python_[begin - 1] == ' ' || python_[begin - 1] == '\t')) --begin;
    at_ = begin;
    if (begin > 0 && python_[begin - 1] != '\n') static_cast<void>(next_line());
  }

  std::string_view python_;
  std::size_t at_ = 0;
  std::string_view assigned_name_;
  CompiledSource out_;
};
}  // namespace

CompiledSource read_compiled_kernels(std::string_view python) { return CompiledSourceReader(python).read(); }
}  // namespace kinetoscope::perf_model
