#include "core/perf_model/families/grouped_gemm.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field grouped_a{"a", FieldKind::tensor, true, "left operands, [M, K] or a list of such"};
constexpr Field grouped_b{"b", FieldKind::tensor, true, "right operands, [G, K, N], [G, N, K] or a list of matrices"};
constexpr Field grouped_k{"k", FieldKind::choice, false, "one K for all groups, or one each", "fixed variable"};
constexpr std::array grouped_fields = {grouped_a, grouped_b, grouped_k};

/// One product: A[m, k] B[k, n].
struct GroupProduct {
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

/// Both operands, whether tensors or lists.
struct GroupedOperands {
  const Operand* a = nullptr;
  const Operand* b = nullptr;
};

[[noreturn]] void refuse_groups(const std::string& reason) { throw NoEstimate{Gap::shape_not_fitting, reason}; }

GroupedOperands lists_of(const ModelInput& input) { return {input.find_list(grouped_a), input.find_list(grouped_b)}; }

void check_matrices(const GroupedOperands& lists) {
  if (lists.a->items.size() != lists.b->items.size()) {
    refuse_groups(fmt::format("{} and {} matrices", lists.a->items.size(), lists.b->items.size()));
  }
  for (const Operand* const list : {lists.a, lists.b}) {
    for (const Shape& item : list->items) {
      if (item.size() != 2 || item[0] < 0 || item[1] < 0) refuse_groups("a matrix is " + printed_tuple(item).text);
    }
  }
}

/// B may be stored as [K, N] or as [N, K]: the side that fits K says.
std::int64_t columns_of(std::int64_t k, std::int64_t rows, std::int64_t columns) {
  if (rows == k) return columns;
  if (columns == k) return rows;
  refuse_groups(fmt::format("K is {}, b is ({}, {})", k, rows, columns));
}

struct GroupedSizes {
  double flops = 0;
  double a_elements = 0;
  double b_elements = 0;
  double results = 0;
};

void add_grouped_parameter(Estimate& out, std::string_view name, std::optional<double> value) {
  out.add_parameter(name, value ? count_parameter(*value) : ParameterValue());
}

GroupedSizes fixed_k_sizes(double m, double k, double n, double groups, Estimate& out) {
  add_grouped_parameter(out, "M", m);
  add_grouped_parameter(out, "K", k);
  add_grouped_parameter(out, "N", n);
  add_grouped_parameter(out, "G", groups);
  return {2 * m * k * n, m * k, groups * k * n, m * n};
}

GroupedSizes fixed_k_lists(const GroupedOperands& lists, Estimate& out) {
  check_matrices(lists);
  const std::int64_t k = lists.a->items.front()[1];
  const std::int64_t n = columns_of(k, lists.b->items.front()[0], lists.b->items.front()[1]);
  double m = 0;
  for (std::size_t i = 0; i < lists.a->items.size(); ++i) {
    const Shape& a = lists.a->items[i];
    const Shape& b = lists.b->items[i];
    if (a[1] != k || columns_of(k, b[0], b[1]) != n) {
      refuse_groups(fmt::format("group {} is {}, {}", i, printed_tuple(a).text, printed_tuple(b).text));
    }
    m += static_cast<double>(a[0]);
  }
  return fixed_k_sizes(m, static_cast<double>(k), static_cast<double>(n), static_cast<double>(lists.a->items.size()),
                       out);
}

GroupedSizes fixed_k_tensors(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(grouped_a, 2);
  const Operand& b = input.tensor(grouped_b, 3);
  if (a.dims.size() != 2 || b.dims.size() != 3) {
    refuse_groups(fmt::format("a is {}, b is {}", printed_tuple(a.dims).text, printed_tuple(b.dims).text));
  }
  const std::int64_t n = columns_of(a.dims[1], b.dims[1], b.dims[2]);
  return fixed_k_sizes(static_cast<double>(a.dims[0]), static_cast<double>(a.dims[1]), static_cast<double>(n),
                       static_cast<double>(b.dims[0]), out);
}

std::vector<GroupProduct> variable_k_products(const ModelInput& input, const GroupedOperands& lists) {
  std::vector<GroupProduct> products;
  if (lists.a == nullptr || lists.b == nullptr) {
    const Operand& a = input.tensor(grouped_a, 2);
    const Operand& b = input.tensor(grouped_b, 2);
    if (a.dims.size() != 2 || b.dims.size() != 2 || a.dims[0] != b.dims[0]) {
      refuse_groups(fmt::format("a is {}, b is {}", printed_tuple(a.dims).text, printed_tuple(b.dims).text));
    }
    products.push_back({a.dims[0], a.dims[1], b.dims[1]});
    return products;
  }
  check_matrices(lists);
  products.reserve(lists.a->items.size());
  for (std::size_t i = 0; i < lists.a->items.size(); ++i) {
    const Shape& a = lists.a->items[i];
    const Shape& b = lists.b->items[i];
    if (a[1] != b[0]) refuse_groups(fmt::format("group {}: {}, {}", i, printed_tuple(a).text, printed_tuple(b).text));
    products.push_back({a[0], a[1], b[1]});
  }
  return products;
}

/// Of all groups; absent where they differ.
std::optional<double> common_size(const std::vector<GroupProduct>& products, std::int64_t GroupProduct::*size) {
  const std::int64_t first = products.front().*size;
  const bool is_common = std::ranges::all_of(products, [&](const GroupProduct& one) { return one.*size == first; });
  return is_common ? std::optional(static_cast<double>(first)) : std::nullopt;
}

GroupedSizes variable_k_sizes(const std::vector<GroupProduct>& products, Estimate& out) {
  GroupedSizes sizes;
  for (const GroupProduct& product : products) {
    const auto m = static_cast<double>(product.m);
    const auto k = static_cast<double>(product.k);
    const auto n = static_cast<double>(product.n);
    sizes.flops += 2 * m * k * n;
    sizes.a_elements += m * k;
    sizes.b_elements += k * n;
    sizes.results += m * n;
  }
  add_grouped_parameter(out, "M", common_size(products, &GroupProduct::m));
  add_grouped_parameter(out, "K", common_size(products, &GroupProduct::k));
  add_grouped_parameter(out, "N", common_size(products, &GroupProduct::n));
  add_grouped_parameter(out, "G", static_cast<double>(products.size()));
  return sizes;
}

PythonText printed_pairs(const std::vector<GroupProduct>& products) {
  std::string text;
  for (const GroupProduct& product : products) {
    if (!text.empty()) text += ", ";
    text += fmt::format("(({}, {}), ({}, {}))", product.m, product.k, product.k, product.n);
  }
  return {"[" + text + "]"};
}

void estimate_grouped_gemm(const ModelInput& input, Estimate& out) {
  const GroupedOperands lists = lists_of(input);
  const bool are_lists = lists.a != nullptr && lists.b != nullptr;
  const bool is_variable = input.choice(grouped_k) == "variable";
  std::vector<GroupProduct> products;
  GroupedSizes sizes;
  if (is_variable) {
    products = variable_k_products(input, lists);
    sizes = variable_k_sizes(products, out);
  } else {
    sizes = are_lists ? fixed_k_lists(lists, out) : fixed_k_tensors(input, out);
  }
  const std::string& a_type = are_lists ? lists.a->type : input.tensor(grouped_a).type;
  const std::string& b_type = are_lists ? lists.b->type : input.tensor(grouped_b).type;

  out.quality = Quality::exact;
  out.unit = ComputeUnit::matrix;
  out.flops = sizes.flops;
  const ElementType* const type = find_element_type(a_type);
  const bool widens = type != nullptr && type->bytes == 1;
  Traffic traffic;
  traffic.add(sizes.a_elements, a_type);
  traffic.add(sizes.b_elements, b_type);
  traffic.add(sizes.results, widens ? std::string_view("bf16") : std::string_view(a_type));
  traffic.put_into(out);
  if (type != nullptr) out.precision = type->precision;
  if (widens) note(out, Note::output_type_assumed);
  const auto bytes = [](const ElementType* of) {
    return of == nullptr ? std::nullopt : std::optional(static_cast<double>(of->bytes));
  };
  add_grouped_parameter(out, "bpe_in", bytes(type));
  add_grouped_parameter(out, "bpe_out", widens ? std::optional<double>(2) : bytes(type));
  if (is_variable) out.add_parameter("group_pairs", printed_pairs(products));
}
}  // namespace

constinit const ModelFamily grouped_gemm_family = {.name = "grouped_gemm",
                                                   .meaning = "matrix products of groups of rows",
                                                   .fields = grouped_fields,
                                                   .forward = estimate_grouped_gemm};
}  // namespace kinetoscope::perf_model
