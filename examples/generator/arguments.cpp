#include "examples/generator/arguments.hpp"

#include <utility>

#include <fmt/format.h>

#include "examples/generator/json_text.hpp"

namespace kinetoscope::examples {
namespace {

std::string list_of_texts(const std::vector<std::string>& texts) { return fmt::format("[{}]", fmt::join(texts, ", ")); }
}  // namespace

Sizes contiguous(const Sizes& sizes) {
  Sizes strides(sizes.size());
  std::int64_t elements = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = elements;
    elements *= sizes[i];
  }
  return strides;
}

Arguments& Arguments::tensor(std::string_view type, const Sizes& sizes, const Sizes& strides) {
  return add(list_of(sizes), list_of(strides), type, "");
}

Arguments& Arguments::tensors(const std::vector<Sizes>& list) {
  constexpr std::size_t most_written = 30;  // torch/csrc/profiler/util.h: TENSOR_LIST_DISPLAY_LENGTH_LIMIT
  std::vector<std::string> sizes;
  std::vector<std::string> strides;
  if (list.size() <= most_written) {
    for (const Sizes& tensor : list) {
      sizes.push_back(list_of(tensor));
      strides.push_back(list_of(contiguous(tensor)));
    }
  }
  return add(list_of_texts(sizes), list_of_texts(strides), "TensorList", "");
}

Arguments& Arguments::scalar(std::string_view value) { return add("[]", "[]", "Scalar", value); }

Arguments& Arguments::scalars(std::string_view values) { return add("[]", "[]", "ScalarList", values); }

Arguments& Arguments::none() { return add("[]", "[]", "", ""); }

void Arguments::write(Fields& args) const {
  args.json("Concrete Inputs", list_of_texts(values_)).json("Input type", list_of_texts(types_));
  args.json("Input Strides", list_of_texts(strides_)).json("Input Dims", list_of_texts(sizes_));
}

Arguments& Arguments::add(std::string sizes, std::string strides, std::string_view type, std::string_view value) {
  sizes_.push_back(std::move(sizes));
  strides_.push_back(std::move(strides));
  types_.push_back(json_string(type));
  values_.push_back(json_string(value));
  return *this;
}
}  // namespace kinetoscope::examples
