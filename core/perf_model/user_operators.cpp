#include "core/perf_model/user_operators.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/format.hpp"
#include "core/perf_model/data_file.hpp"
#include "core/perf_model/layout_reader.hpp"
#include "core/perf_model/operator_registry.hpp"

namespace kinetoscope::perf_model {
namespace {

using UserJson = nlohmann::json;

constexpr const char* user_operators_advice =
    "see: schemas/data/user_operators.schema.json and examples/operators.json";

/// Lists and objects are not written out: a file may nest them deeper than a writer can follow.
std::string user_value_text(const UserJson& value) {
  if (value.is_structured()) return value.type_name();
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, UserJson::error_handler_t::replace);
}

template <typename Names>
std::string listed(const Names& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

class UserOperatorReader {
 public:
  explicit UserOperatorReader(const std::string& input) : input_(input) {}

  [[nodiscard]] std::vector<UserOperator> read(const UserJson& document) {
    expect_fields(document, "", std::array{"about", "families"});
    const UserJson& families = required(document, "families", "");
    if (!families.is_array() || families.empty()) refuse("families", &families, "it is no list with entries");
    for (std::size_t i = 0; i < families.size(); ++i) read_family(families[i], fmt::format("families[{}]", i));
    return std::move(operators_);
  }

 private:
  [[noreturn]] void refuse(const std::string& field, const UserJson* received, std::string problem,
                           std::string accepted = {}) const {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = input_,
                 .argument = field,
                 .received = received == nullptr ? std::string() : user_value_text(*received),
                 .problem = std::move(problem),
                 .accepted = std::move(accepted),
                 .next = user_operators_advice});
  }
  template <std::size_t size>
  void expect_fields(const UserJson& object, const std::string& place,
                     const std::array<const char*, size>& known) const {
    if (!object.is_object()) refuse(place, &object, "it is not an object");
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      refuse(place.empty() ? printable(key) : place + "." + printable(key), nullptr, "there is no such field",
             "there are " + listed(known));
    }
  }
  [[nodiscard]] const UserJson& required(const UserJson& object, const char* key, const std::string& place) const {
    const auto found = object.find(key);
    if (found == object.end()) refuse(place.empty() ? key : place + "." + key, nullptr, "it is missing");
    return *found;
  }
  /// Empty where the entry does not have it.
  [[nodiscard]] std::string text(const UserJson& entry, const char* key, const std::string& place) const {
    const auto found = entry.find(key);
    if (found == entry.end()) return {};
    if (!found->is_string() || found->get_ref<const std::string&>().empty()) {
      refuse(place + "." + key, &*found, "it is not a text with a name");
    }
    return found->get<std::string>();
  }

  /// What reads and tells them follows every list into the next.
  void expect_flat(const UserJson& arguments, const std::string& place) const {
    if (!arguments.is_object()) refuse(place, &arguments, "it is not an object");
    for (const auto& [key, value] : arguments.items()) {
      const std::string field = fmt::format("field \"{}\": ", printable(key));
      if (value.is_object()) refuse(place, nullptr, field + "it is an object");
      if (!value.is_array()) continue;
      const bool is_nested = std::ranges::any_of(value, [](const UserJson& one) { return one.is_structured(); });
      if (is_nested) refuse(place, nullptr, field + "it holds a list in a list");
    }
  }

  /// New categories are fine; results have room for a number of them.
  [[nodiscard]] std::string category(const UserJson& entry, const char* key, const std::string& place) {
    std::string name = text(entry, key, place);
    if (name.empty()) return name;
    if (name.size() > longest_category) {
      refuse(place + "." + key, nullptr, fmt::format("it is longer than {} bytes", longest_category));
    }
    const std::vector<std::string>& known = operator_registry().categories();
    if (std::ranges::find(known, name) != known.end()) return name;
    new_categories_.insert(name);
    if (new_categories_.size() > most_new_categories) {
      refuse(place + "." + key, nullptr, fmt::format("the file has more than {} new categories", most_new_categories));
    }
    return name;
  }

  void read_family(const UserJson& entry, const std::string& place) {
    expect_fields(entry, place,
                  std::array{"about", "category", "backward_category", "sheet", "model", "arguments", "operators"});
    UserOperator shared;
    static_cast<void>(required(entry, "category", place));
    shared.category = category(entry, "category", place);
    shared.sheet = text(entry, "sheet", place);
    const std::vector<std::string> sheets = operator_registry().sheets();
    if (!shared.sheet.empty() && std::ranges::find(sheets, shared.sheet) == sheets.end()) {
      refuse(place + ".sheet", &entry.at("sheet"), "there is no such sheet", "there are " + listed(sheets));
    }
    read_model(entry, place, shared);
    shared.backward_category = category(entry, "backward_category", place);
    if (shared.backward_category.empty()) shared.backward_category = shared.category;
    add_names(required(entry, "operators", place), place + ".operators", shared);
  }

  void read_model(const UserJson& entry, const std::string& place, UserOperator& shared) const {
    const std::string name = text(entry, "model", place);
    if (name.empty()) {
      if (entry.contains("arguments")) refuse(place + ".model", nullptr, "it is missing, and arguments are for one");
      return;
    }
    shared.family = find_model_family(name);
    if (shared.family == nullptr) {
      std::vector<std::string_view> families;
      for (const ModelFamily* const family : model_families()) families.push_back(family->name);
      refuse(place + ".model", &entry.at("model"), "there is no such family of models",
             "there are " + listed(families));
    }
    try {
      const auto arguments = entry.find("arguments");
      if (arguments != entry.end()) expect_flat(*arguments, place + ".arguments");
      shared.layout = read_layout(*shared.family, arguments == entry.end() ? UserJson::object() : *arguments);
    } catch (const LayoutProblem& problem) {
      refuse(place + ".arguments", nullptr, problem.what());
    }
  }

  void add_names(const UserJson& names, const std::string& place, const UserOperator& shared) {
    if (!names.is_array() || names.empty()) refuse(place, &names, "it is no list with names");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string field = fmt::format("{}[{}]", place, i);
      if (!names[i].is_string() || names[i].get_ref<const std::string&>().empty()) {
        refuse(field, &names[i], "it is not a text with a name");
      }
      UserOperator one = shared;
      one.name = names[i].get<std::string>();
      if (!seen_.insert(one.name).second) refuse(field, &names[i], "it stands in the file twice");
      operators_.push_back(std::move(one));
    }
  }

  const std::string& input_;
  std::vector<UserOperator> operators_;
  std::unordered_set<std::string> seen_;
  std::set<std::string> new_categories_;
};
}  // namespace

std::vector<UserOperator> read_user_operators(std::string_view json, const std::string& input) {
  UserJson document;
  try {
    document = UserJson::parse(json);
  } catch (const UserJson::exception& error) {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = input,
                 .problem = std::string("it is not JSON: ") + error.what(),
                 .next = user_operators_advice});
  }
  return UserOperatorReader(input).read(document);
}

std::vector<UserOperator> read_user_operators_file(const std::string& path) {
  return read_user_operators(read_data_file(path, most_user_operator_bytes, user_operators_advice), path);
}
}  // namespace kinetoscope::perf_model
