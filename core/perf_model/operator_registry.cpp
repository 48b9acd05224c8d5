#include "core/perf_model/operator_registry.hpp"

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

#include "embedded/operators.hpp"
#include "core/base/error.hpp"
#include "core/perf_model/layout_reader.hpp"
#include "core/perf_model/user_operators.hpp"

namespace kinetoscope::perf_model {
namespace {

using RegistryJson = nlohmann::json;

[[noreturn]] void refuse(const std::string& problem) {
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = "core/perf_model/operators.json",
               .argument = {},
               .problem = problem});
}
/// Its number; added where there is none.
CategoryId category_named(std::vector<std::string>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name);
  if (found != all.end()) return id_at<CategoryId>(static_cast<std::size_t>(found - all.begin()));
  all.push_back(name);
  return id_at<CategoryId>(all.size() - 1);
}
}  // namespace

class OperatorRegistry::Reader {
 public:
  explicit Reader(OperatorRegistry& registry) : registry_(registry) {}

  void read(const RegistryJson& document) {
    for (const RegistryJson& family : document.at("families")) read_family(family);
    for (const RegistryJson& list : document.at("category_only")) read_category_only(list);
    for (const RegistryJson& rule : document.at("prefixes")) {
      registry_.prefixes_.push_back({rule.at("prefix").get<std::string>(), category(rule.at("category")), model(rule)});
    }
    for (const RegistryJson& rule : document.at("kernel_names")) {
      registry_.kernel_names_.push_back({rule.at("prefix").get<std::string>(), rule.at("contains").get<std::string>(),
                                         category(rule.at("category"))});
    }
    registry_.otherwise_ = category(document.at("otherwise"));
  }

 private:
  CategoryId category(const RegistryJson& json) {
    return category_named(registry_.categories_, json.get<std::string>());
  }
  const OperatorModel* model(const RegistryJson& entry) {
    if (!entry.contains("model")) return nullptr;
    const auto name = entry.at("model").get<std::string>();
    const ModelFamily* const family = find_model_family(name);
    if (family == nullptr) refuse("no family of models is called " + name);
    try {
      registry_.models_.push_back({family, read_layout(*family, entry.value("arguments", RegistryJson::object()))});
    } catch (const LayoutProblem& problem) {
      refuse(entry.dump() + ": " + problem.what());
    }
    return &registry_.models_.back();
  }

  void read_family(const RegistryJson& family) {
    RegisteredOperator entry{category(family.at("category")), {}, {}, model(family)};
    if (family.contains("backward_category")) entry.backward_category = category(family.at("backward_category"));
    registry_.sheets_.push_back(family.at("sheet").get<std::string>());
    entry.sheet = registry_.sheets_.back();
    for (const RegistryJson& name : family.at("operators")) {
      if (!registry_.operators_.emplace(name.get<std::string>(), entry).second) {
        refuse("an operator is in two families: " + name.dump());
      }
    }
  }
  /// These give a category to names without a sheet, and another category to some that have one.
  void read_category_only(const RegistryJson& list) {
    const CategoryId own = category(list.at("category"));
    for (const RegistryJson& name : list.at("operators")) {
      registry_.operators_.try_emplace(name.get<std::string>()).first->second.category = own;
    }
  }

  OperatorRegistry& registry_;
};

OperatorRegistry::OperatorRegistry(std::string_view json) {
  try {
    Reader(*this).read(RegistryJson::parse(json));
  } catch (const RegistryJson::exception& error) {
    refuse(error.what());
  }
}

OperatorRegistry::OperatorRegistry(const OperatorRegistry& base, std::span<const UserOperator> added)
    : OperatorRegistry(base) {
  for (const UserOperator& one : added) {
    RegisteredOperator entry;
    entry.category = category_named(categories_, one.category);
    if (one.family != nullptr) {
      models_.push_back({one.family, one.layout});
      entry.model = &models_.back();
    }
    if (one.family != nullptr && one.family->backward != nullptr) {
      entry.backward_category = category_named(categories_, one.backward_category);
    }
    const auto sheet = std::ranges::find(sheets_, one.sheet);
    if (sheet != sheets_.end()) entry.sheet = *sheet;
    operators_.insert_or_assign(one.name, entry);
  }
}

std::vector<std::string> OperatorRegistry::sheets() const {
  std::vector<std::string> names(sheets_.begin(), sheets_.end());
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

const RegisteredOperator* OperatorRegistry::find(std::string_view name) const {
  const auto found = operators_.find(name);
  return found == operators_.end() ? nullptr : &found->second;
}

const OperatorModel* OperatorRegistry::model_of(std::string_view name) const {
  if (const RegisteredOperator* const found = find(name)) return found->model;
  for (const Prefix& rule : prefixes_) {
    if (rule.model != nullptr && name.starts_with(rule.prefix)) return rule.model;
  }
  return nullptr;
}

std::optional<CategoryId> OperatorRegistry::category_of(std::string_view name) const {
  if (const RegisteredOperator* const found = find(name)) return found->category;
  for (const Prefix& rule : prefixes_) {
    if (name.starts_with(rule.prefix)) return rule.category;
  }
  return {};
}

std::optional<CategoryId> OperatorRegistry::category_of_kernel(std::string_view name) const {
  for (const KernelName& rule : kernel_names_) {
    if (name.starts_with(rule.prefix) && name.find(rule.contains) != std::string_view::npos) return rule.category;
  }
  return {};
}

const OperatorRegistry& operator_registry() {
  static const OperatorRegistry read(embedded::operators());
  return read;
}
}  // namespace kinetoscope::perf_model
