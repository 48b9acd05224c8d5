#include "core/perf_model/call.hpp"

#include <string>

#include <doctest/doctest.h>

namespace kinetoscope::perf_model {

TEST_CASE("call: shapes, types, strides and literals are read from what a profiler writes") {
  const Call call =
      read_call("aten::addmm", {R"([[1024], [8944, 1024], [1024, 2816], [], []])",
                                R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar"])",
                                R"([[1], [1024, 1], [1, 1024], [], []])", R"(["", "", "", "1", "1"])"});
  REQUIRE(call.operands.size() == 5);
  CHECK(call.operands[1].dims == Shape{8944, 1024});
  CHECK(call.operands[2].strides == Shape{1, 1024});
  CHECK(call.operands[0].is_tensor());
  CHECK_FALSE(call.operands[3].is_tensor());
  CHECK(call.literals[4] == "1");
}

TEST_CASE("call: a list of tensors has the shape of each, a tensor without dimensions is one") {
  const Call call = read_call("x", {R"([[[128, 256], [128, 512]], []])", R"(["TensorList", "float"])", {}, {}});
  CHECK(call.operands[0].items == std::vector<Shape>{{128, 256}, {128, 512}});
  CHECK(call.operands[0].dims.empty());
  CHECK(call.operands[1].is_tensor());
}

TEST_CASE("call: what is malformed is absent, and nothing fails") {
  for (const std::string dims :
       {"", "7", "{}", "[[1,2", "[[1.5, 2]]", R"([["a"]])", "[[18446744073709551615]]", "[null]"}) {
    CAPTURE(dims);
    const Call call = read_call("x", {dims, R"(["float"])", "[[1, 1]]", "[true, 3, null]"});
    REQUIRE(call.operands.size() == 1);
    CHECK(call.operands[0].dims.empty());
    CHECK_FALSE(call.operands[0].strides.has_value());
    CHECK(call.literals == std::vector<std::string>{"True", "3", ""});
  }
}

TEST_CASE("call: expanded dimensions are stored once, and strides say whether a tensor is dense") {
  const auto operand = [](Shape dims, Shape strides) {
    return Operand{std::move(dims), "float", std::move(strides), {}};
  };
  CHECK(stored_elements_of(operand({10, 512, 7, 7}, {512, 1, 0, 0})) == 5120);
  CHECK(stored_elements_of(operand({4, 5}, {5, 1})) == 20);
  CHECK(stored_elements_of(operand({4, 1}, {0, 0})) == 1);
  CHECK(stored_elements_of(Operand{{4, 5}, "float", {}, {}}) == 20);
  CHECK(is_contiguous(operand({4, 5}, {5, 1})));
  CHECK(is_contiguous(operand({4, 1}, {1, 7})));  // the stride of one element is never used
  CHECK_FALSE(is_contiguous(operand({4, 5}, {1, 4})));
}

TEST_CASE("call: shapes broadcast from the right") {
  CHECK(broadcast_shape({16, 559, 1024}, {16, 559, 1}) == Shape{16, 559, 1024});
  CHECK(broadcast_shape({4}, {3, 1}) == Shape{3, 4});
  CHECK(broadcast_shape({}, {2, 2}) == Shape{2, 2});
  CHECK_FALSE(broadcast_shape({3}, {4}).has_value());
}
}  // namespace kinetoscope::perf_model
