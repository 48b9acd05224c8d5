#include "core/perf_model/kernel_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/base/characters.hpp"
#include "core/perf_model/literals.hpp"

namespace kinetoscope::perf_model {
namespace {

std::string_view without_outer_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <typename Visit>
void for_each_body_line(std::string_view body, Visit visit) {
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = body.substr(0, end);
    visit(without_outer_blanks(line.substr(0, line.find('#'))));
    body.remove_prefix(std::min(end + 1, body.size()));
  }
}

bool belongs_to_identifier(char c) { return c == '_' || is_alphanumeric(c); }

std::string_view identifier_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && belongs_to_identifier(text[end])) ++end;
  return text.substr(begin, end - begin);
}

/// "x0 = xindex" in two; a name alone on the left.
struct Assignment {
  std::string_view name;
  std::string_view value;
};
std::optional<Assignment> assignment_in(std::string_view line) {
  const std::string_view name = identifier_at(line, 0);
  if (name.empty() || !line.substr(name.size()).starts_with(" = ")) return std::nullopt;
  return Assignment{name, without_outer_blanks(line.substr(name.size() + 3))};
}

/// x0, r1, r0_1.
bool is_index_name(std::string_view name) {
  if (name.starts_with("r0_") || name.starts_with("r1_")) {
    name.remove_prefix(3);
  } else if (!name.empty() && std::string_view("xyzr").find(name.front()) != std::string_view::npos) {
    name.remove_prefix(1);
  } else {
    return false;
  }
  return !name.empty() && std::ranges::all_of(name, is_digit);
}

/// "//64" or "%64" at the front, taken away.
std::optional<double> taken_operand(std::string_view& text, std::string_view operation) {
  if (!text.starts_with(operation)) return std::nullopt;
  std::size_t end = operation.size();
  while (end < text.size() && is_digit(text[end])) ++end;
  const auto number = whole_number_in(text.substr(operation.size(), end - operation.size()));
  if (!number || *number < 1) return std::nullopt;
  text.remove_prefix(end);
  return static_cast<double>(*number);
}

class AccessReader {
 public:
  AccessReader(std::span<const std::string_view> pointers, const KernelSizes& sizes)
      : sizes_(sizes), accesses_(pointers.size()) {
    for (std::size_t place = 0; place < pointers.size(); ++place) places_.emplace(pointers[place], place);
  }

  void read_line(std::string_view line) {
    if (const auto assignment = assignment_in(line)) {
      if (is_index_name(assignment->name)) values_[assignment->name] = values_of(*assignment);
    }
    // An address goes on to its end before the next access is looked for: no byte is read twice.
    std::size_t at = line.find("tl.");
    while (at != std::string_view::npos) {
      const std::string_view operation = identifier_at(line, at + 3);
      at += 3 + operation.size();
      const bool reads = operation == "load" || operation == "atomic_add";
      const bool writes = operation == "store" || operation == "atomic_add";
      if ((reads || writes) && at < line.size() && line[at] == '(') at = read_access(line, at + 1, reads, writes);
      at = line.find("tl.", at);
    }
  }
  [[nodiscard]] std::vector<PointerAccess> accesses() && { return std::move(accesses_); }

 private:
  [[nodiscard]] double size_of_index(std::string_view name) const {
    const std::string_view dimension =
        name.starts_with("r0_") || name.starts_with("r1_") ? name.substr(0, 3) : name.substr(0, 1);
    return sizes_.of(dimension).value_or(sizes_.of(name.substr(0, 1)).value_or(1));
  }

  /// xindex, xindex % 64, xindex // 64, (xindex // 64) % 8; of another value all of the dimension.
  [[nodiscard]] double values_of(const Assignment& index) const {
    const double all = size_of_index(index.name);
    std::string bare;
    for (const char c : index.value) {
      if (c != ' ' && c != '(' && c != ')') bare += c;
    }
    std::string_view rest = bare;
    const std::string_view base = identifier_at(rest, 0);
    if (!base.ends_with("index")) return all;
    rest.remove_prefix(base.size());
    double values = all;
    if (const auto divisor = taken_operand(rest, "//")) values = std::ceil(values / *divisor);
    if (const auto modulus = taken_operand(rest, "%")) values = std::min(values, *modulus);
    return rest.empty() ? values : all;
  }

  /// The place behind the address.
  std::size_t read_access(std::string_view line, std::size_t at, bool reads, bool writes) {
    const std::string_view pointer = identifier_at(line, at);
    const std::size_t begin = at + pointer.size();
    const auto found = places_.find(pointer);
    if (found == places_.end()) return begin;
    std::size_t depth = 0;
    std::size_t end = begin;
    for (; end < line.size() && (depth > 0 || (line[end] != ',' && line[end] != ')')); ++end) {
      if (line[end] == '(' || line[end] == '[') ++depth;
      if (depth > 0 && (line[end] == ')' || line[end] == ']')) --depth;
    }
    const double reached = elements_reached(line.substr(begin, end - begin));
    PointerAccess& access = accesses_[found->second];
    if (reads) access.read = std::max(access.read.value_or(0), reached);
    if (writes) access.written = std::max(access.written.value_or(0), reached);
    return end;
  }

  [[nodiscard]] double elements_reached(std::string_view address) const {
    static constexpr std::string_view dimensions = "xyzr";
    std::array<double, dimensions.size()> values = {1, 1, 1, 1};
    std::set<std::string_view> seen;
    for (std::size_t at = 0; at < address.size();) {
      const std::string_view name = identifier_at(address, at);
      at += std::max<std::size_t>(name.size(), 1);
      if (name.empty() || is_digit(name.front()) || name.starts_with("ks") || !seen.insert(name).second) continue;
      const bool is_index = is_index_name(name) || name == "xindex" || name == "yindex" || name == "zindex";
      if (!is_index) return sizes_.xnumel() * sizes_.rnumel();
      const auto known = values_.find(name);
      const std::size_t dimension = dimensions.find(name.front());
      values[dimension] *= known == values_.end() ? size_of_index(name) : known->second;
    }
    double all = 1;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      all *= std::min(values[i], sizes_.of(dimensions.substr(i, 1)).value_or(1));
    }
    return all;
  }

  const KernelSizes& sizes_;
  std::map<std::string_view, std::size_t> places_;
  std::map<std::string_view, double> values_;
  std::vector<PointerAccess> accesses_;
};
}  // namespace

bool read_exact_sizes(std::string_view body, KernelSizes& sizes) {
  bool fits = true;
  for_each_body_line(body, [&](std::string_view line) {
    const auto assignment = assignment_in(line);
    if (!assignment || !assignment->name.ends_with("numel")) return;
    const auto size = whole_number_in(assignment->value);
    const std::string_view dimension = assignment->name.substr(0, assignment->name.size() - 5);
    if (size && !sizes.set_exact(dimension, static_cast<double>(*size))) fits = false;
  });
  return fits;
}

std::vector<PointerAccess> pointer_accesses(std::string_view body, std::span<const std::string_view> pointers,
                                            const KernelSizes& sizes) {
  AccessReader reader(pointers, sizes);
  for_each_body_line(body, [&](std::string_view line) { reader.read_line(line); });
  return std::move(reader).accesses();
}
}  // namespace kinetoscope::perf_model
