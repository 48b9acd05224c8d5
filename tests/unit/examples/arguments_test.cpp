#include "examples/generator/arguments.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "examples/generator/scenarios.hpp"

namespace kinetoscope::examples {
namespace {

using Recorded = nlohmann::json;

Recorded written(const Arguments& arguments) {
  Fields fields;
  arguments.write(fields);
  Recorded args;
  for (const auto& [key, value] : fields.entries()) args[key] = Recorded::parse(value);
  return args;
}

/// The args of all operators of that name, those alike once, by their text.
std::map<std::string, Recorded> calls_of(const Generated& trace, const std::string& name) {
  std::map<std::string, Recorded> calls;
  const Recorded document = Recorded::parse(trace.text);
  for (const Recorded& event : document.at("traceEvents")) {
    if (event.value("cat", "") != "cpu_op" || event.at("name") != name) continue;
    Recorded args;
    for (const char* key : {"Input Dims", "Input Strides", "Input type", "Concrete Inputs"}) {
      args[key] = event.at("args").at(key);
    }
    calls.emplace(args.dump(), args);
  }
  return calls;
}
}  // namespace

TEST_CASE("arguments: strides are those of the layout, and contiguous unless said") {
  CHECK(contiguous({8, 512, 1024}) == Sizes{524'288, 1024, 1});
  CHECK(contiguous({}).empty());
  Arguments arguments;
  arguments.tensor(bfloat16, {4, 3}).tensor(int64, {3, 4}, {1, 3}).scalar("0.5").scalars("[4]").none();
  const Recorded args = written(arguments);
  CHECK(args.at("Input Dims") == Recorded::parse("[[4, 3], [3, 4], [], [], []]"));
  CHECK(args.at("Input Strides") == Recorded::parse("[[3, 1], [1, 3], [], [], []]"));
  CHECK(args.at("Input type") == Recorded::parse(R"(["c10::BFloat16", "long int", "Scalar", "ScalarList", ""])"));
  CHECK(args.at("Concrete Inputs") == Recorded::parse(R"(["", "", "0.5", "[4]", ""])"));
}

TEST_CASE("arguments: a list of 30 tensors has its sizes, one of 31 has none") {
  const std::vector<Sizes> thirty(30, Sizes{2, 5});
  std::vector<Sizes> more = thirty;
  more.push_back({2, 5});
  const Recorded args = written(Arguments().tensors(thirty).tensors(more).tensors({}));
  CHECK(args.at("Input Dims").at(0).size() == 30);
  CHECK(args.at("Input Dims").at(0).at(29) == Recorded::parse("[2, 5]"));
  CHECK(args.at("Input Strides").at(0).at(29) == Recorded::parse("[5, 1]"));
  CHECK(args.at("Input Dims").at(1).empty());
  CHECK(args.at("Input Dims").at(2).empty());
  CHECK(args.at("Input type") == Recorded::parse(R"(["TensorList", "TensorList", "TensorList"])"));
}

TEST_CASE("arguments: of each operator all four lists are as long as its schema, sizes as strides") {
  // Parameters of the operators' schemas in PyTorch 2.5 and, for _C and vllm, in vLLM 0.11.
  const std::map<std::string, std::size_t> parameters = {
      {"aten::to", 8},
      {"aten::_to_copy", 7},
      {"aten::copy_", 3},
      {"aten::linear", 3},
      {"aten::mm", 2},
      {"aten::native_layer_norm", 5},
      {"aten::native_layer_norm_backward", 8},
      {"aten::gelu", 2},
      {"aten::gelu_backward", 3},
      {"aten::mse_loss", 3},
      {"aten::mse_loss_backward", 4},
      {"aten::scaled_dot_product_attention", 8},
      {"aten::_scaled_dot_product_flash_attention", 7},
      {"aten::_scaled_dot_product_flash_attention_backward", 15},
      {"aten::_fused_adamw_", 15},
      {"aten::index_select", 3},
      {"aten::argmax", 3},
      {"_C::fused_add_rms_norm", 4},
      {"_C::rotary_embedding", 6},
      {"_C::silu_and_mul", 2},
      {"vllm::unified_attention_with_output", 7},
  };
  const Generated training = training_trace({});
  const Generated decode = decode_trace({});
  for (const auto& parameter : parameters) {
    const auto& name = parameter.first;
    const std::size_t count = parameter.second;
    CAPTURE(name);
    std::map<std::string, Recorded> calls = calls_of(training, name);
    calls.merge(calls_of(decode, name));
    CHECK(!calls.empty());
    for (const auto& call : calls) {
      CAPTURE(call.first);
      const auto& args = call.second;
      for (const Recorded& list : args) CHECK(list.size() == count);
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(args.at("Input Dims").at(i).size() == args.at("Input Strides").at(i).size());
      }
    }
  }
}

TEST_CASE("arguments: a linear's three products have the sizes and strides of X W^T, dY^T X and dY W") {
  std::set<std::string> sizes_and_strides;
  for (const auto& [text, args] : calls_of(training_trace({}), "aten::mm")) {
    sizes_and_strides.insert(args.at("Input Dims").dump() + args.at("Input Strides").dump());
  }
  // 8 x 512 rows; X of 1024, Y of 3072 columns, W in memory as 3072 rows of 1024.
  CHECK(sizes_and_strides.contains("[[4096,1024],[1024,3072]][[1024,1],[1,1024]]"));
  CHECK(sizes_and_strides.contains("[[3072,4096],[4096,1024]][[1,3072],[1024,1]]"));
  CHECK(sizes_and_strides.contains("[[4096,3072],[3072,1024]][[3072,1],[1024,1]]"));
  CHECK(sizes_and_strides.size() == 12);
}
}  // namespace kinetoscope::examples
