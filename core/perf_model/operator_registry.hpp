#pragma once

// What kind of work an operator does, and which model knows its cost, by its name. One table, operators.json: names,
// prefixes of names, and what the names of kernels say where an operator is not in the table. Categories are numbered
// in the order of the file. Cost: a look-up is O(length); the table is read at the first call. Threads: safe to call at
// once.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/ids.hpp"
#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

struct UserOperator;

/// A category's place in OperatorRegistry::categories().
enum class CategoryId : std::uint32_t {};

/// How the cost of an operator is modelled.
struct OperatorModel {
  const ModelFamily* family = nullptr;
  Layout layout;
};

/// What the table says of one name.
struct RegisteredOperator {
  CategoryId category{};
  /// Of the backward work that belongs to a forward operator of this name.
  std::optional<CategoryId> backward_category;
  /// The family of operators whose sheet lists it; empty for a name that has a category and no sheet.
  std::string_view sheet;
  /// nullptr where no model knows it. Lives as long as the registry.
  const OperatorModel* model = nullptr;
  friend bool operator==(const RegisteredOperator&, const RegisteredOperator&) = default;
};

class OperatorRegistry {
 public:
  /// Throws Error (data_file_invalid) naming what is wrong in the table.
  explicit OperatorRegistry(std::string_view json);
  /// `base` with these beside its operators, or in the place of those of the same name; their sheets are some of its.
  /// `base` must outlive this.
  OperatorRegistry(const OperatorRegistry& base, std::span<const UserOperator> added);
  OperatorRegistry& operator=(const OperatorRegistry&) = delete;
  ~OperatorRegistry() = default;

  /// By the exact name; nullptr when it is not in the table. Valid as long as the registry.
  [[nodiscard]] const RegisteredOperator* find(std::string_view name) const;
  /// By the exact name, else by its prefix; nullptr where no model knows it. Valid as long as the registry.
  [[nodiscard]] const OperatorModel* model_of(std::string_view name) const;
  /// What the name says: the exact name goes before its prefix. Absent when neither is in the table.
  [[nodiscard]] std::optional<CategoryId> category_of(std::string_view name) const;
  /// What the name of an operator's first kernel says of an operator that is not in the table.
  [[nodiscard]] std::optional<CategoryId> category_of_kernel(std::string_view name) const;
  /// Of operators of which nothing is known.
  [[nodiscard]] CategoryId otherwise() const noexcept { return otherwise_; }

  /// Valid as long as the registry.
  [[nodiscard]] std::string_view spelling_of(CategoryId category) const noexcept {
    return categories_[index_of(category)];
  }
  /// Every category once, by CategoryId.
  [[nodiscard]] const std::vector<std::string>& categories() const noexcept { return categories_; }
  /// Every sheet once, sorted.
  [[nodiscard]] std::vector<std::string> sheets() const;
  [[nodiscard]] std::size_t size() const noexcept { return operators_.size(); }

 private:
  class Reader;
  /// Its entries point into what the other owns: for extending it only.
  OperatorRegistry(const OperatorRegistry& base) = default;
  struct Prefix {
    std::string prefix;
    CategoryId category{};
    const OperatorModel* model = nullptr;
  };
  struct KernelName {
    std::string prefix;
    std::string contains;
    CategoryId category{};
  };
  /// Lets a look-up take a view.
  struct Hash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };

  std::vector<std::string> categories_;
  std::deque<std::string> sheets_;  // entries point into these, so they must not move
  std::deque<OperatorModel> models_;
  std::unordered_map<std::string, RegisteredOperator, Hash, std::equal_to<>> operators_;
  std::vector<Prefix> prefixes_;
  std::vector<KernelName> kernel_names_;
  CategoryId otherwise_{};
};

/// The table that the program is built with.
[[nodiscard]] const OperatorRegistry& operator_registry();
}  // namespace kinetoscope::perf_model
