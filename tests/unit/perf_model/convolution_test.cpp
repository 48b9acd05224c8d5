#include "core/perf_model/families/convolution.hpp"

#include <string>

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/written_call.hpp"

namespace kinetoscope::perf_model {
namespace {

Estimate of_convolution(const Call& call, const CallContext& context = {}) {
  return estimate_call(operator_registry(), call, context);
}

WrittenLiterals convolution_literals(const std::string& stride, const std::string& padding,
                                     const std::string& transposed, const std::string& groups) {
  return {{3, stride}, {4, padding}, {5, "[1, 1]"}, {6, transposed}, {7, "[0, 0]"}, {8, groups}};
}
/// 2 pictures, 4 channels of 8 x 8; 6 filters of 3 x 3, padded: the output is [2, 6, 8, 8], 768 elements.
const std::vector<std::string> small_convolution = {"bf16[2,4,8,8]", "bf16[6,4,3,3]", "f32[6]"};
constexpr double small_products = 2.0 * 4 * 9 * 768;
}  // namespace

TEST_CASE("convolution: a bias that is recorded adds one operation an output and its own bytes") {
  const auto literals = convolution_literals("[1, 1]", "[1, 1]", "False", "1");
  const Estimate with_bias = of_convolution(written_call("aten::convolution", small_convolution, literals));
  CHECK(with_bias.flops == small_products + 768);
  CHECK(with_bias.bytes_moved == 512 * 2 + 216 * 2 + 768 * 2 + 6 * 4);
  CHECK(with_bias.quality == Quality::exact);
  CHECK(compute_spec(with_bias.unit, with_bias.precision) == "matrix_bf16");
  const Estimate without =
      of_convolution(written_call("aten::convolution", {"bf16[2,4,8,8]", "bf16[6,4,3,3]", ""}, literals));
  CHECK(without.flops == small_products);
  CHECK(without.bytes_moved == 512 * 2 + 216 * 2 + 768 * 2);
}

TEST_CASE("convolution: a stride that does not divide rounds the output down") {
  // (7 + 0 - 2 - 1) / 3 + 1 = 2.33: two outputs of 1 channel, each of 3 products.
  const Estimate found =
      of_convolution(written_call("aten::convolution", {"f32[1,1,7]", "f32[1,1,3]"},
                                  {{3, "[3]"}, {4, "[0]"}, {5, "[1]"}, {6, "False"}, {7, "[0]"}, {8, "1"}}));
  CHECK(found.flops == 2 * 3 * 2);
  CHECK(found.bytes_moved == (7 + 3 + 2) * 4);
}

TEST_CASE("convolution: a transposed one in groups has an output channel for each group's filter") {
  // (14 - 1) 2 - 2 + 3 + 1 = 28; channels out 16 x 2 groups = 32; 2 x 16 x 4 x 4 a value of the input.
  const Estimate found = of_convolution(written_call("aten::convolution", {"bf16[2,32,14,14]", "bf16[32,16,4,4]"},
                                                     convolution_literals("[2, 2]", "[1, 1]", "True", "2")));
  CHECK(found.flops == 2 * 16 * 16 * (2 * 32 * 14 * 14));
  CHECK(found.bytes_moved == 2 * (2 * 32 * 14 * 14 + 32 * 16 * 4 * 4 + 2 * 32 * 28 * 28));
}

TEST_CASE("convolution: only gradients that the output mask asks for count") {
  const std::vector<std::string> operands = {"bf16[2,6,8,8]", "bf16[2,4,8,8]", "bf16[6,4,3,3]"};
  WrittenLiterals literals = {{3, "[6]"},   {4, "[1, 1]"}, {5, "[1, 1]"}, {6, "[1, 1]"},
                              {7, "False"}, {8, "[0, 0]"}, {9, "1"},      {10, "[False, True, True]"}};
  const double of_one = 2 * (768 + 512 + 216);
  const Estimate first_layer = of_convolution(written_call("aten::convolution_backward", operands, literals));
  CHECK(first_layer.flops == small_products + 768);
  CHECK(first_layer.bytes_moved == of_one + 2 * (768 + 6));
  literals[10] = "[True, True, True]";
  CHECK(of_convolution(written_call("aten::convolution_backward", operands, literals)).flops ==
        2 * small_products + 768);
  literals[3] = "[0]";
  const Estimate without_bias = of_convolution(written_call("aten::convolution_backward", operands, literals));
  CHECK(without_bias.flops == 2 * small_products);
  CHECK(without_bias.bytes_moved == 2 * of_one);
  literals[10] = "[True, no]";
  CHECK(of_convolution(written_call("aten::convolution_backward", operands, literals)).gap == Gap::literal_not_fitting);
}

TEST_CASE("convolution: the backward work of a forward call has all its gradients") {
  const Call call =
      written_call("aten::convolution", small_convolution, convolution_literals("[1, 1]", "[1, 1]", "False", "1"));
  const Estimate found = estimate_backward_of(operator_registry(), call);
  CHECK(found.flops == 2 * small_products + 768);
  CHECK(found.bytes_moved == 2 * 2 * (768 + 512 + 216) + 2 * (768 + 6));
}

TEST_CASE("convolution: a backward call that repeats no arguments takes them from its forward call") {
  const Call forward =
      written_call("ConvBias_", {"f16[2,16,32,32]", "f16[32,16,3,3]", "f16[1,32,1,1]"}, {{3, "1"}, {4, "1"}});
  // The output is [2, 32, 32, 32]; 2 x 16 x 9 operations a value of it.
  CHECK(of_convolution(forward).flops == 288 * 65536 + 65536);
  CHECK(of_convolution(forward).bytes_moved == 2 * (32768 + 4608 + 65536 + 32));
  const Call backward = written_call("ConvBias_Backward", {"f16[2,32,32,32]"});
  CHECK(of_convolution(backward).gap == Gap::forward_call_not_found);
  CallContext context;
  context.forward = &forward;
  CHECK(of_convolution(backward, context).flops == 2 * 288 * 65536 + 65536);
  CHECK(of_convolution(backward, context).bytes_moved == 4 * (32768 + 4608 + 65536) + 2 * (65536 + 32));
}

TEST_CASE("convolution: parameters say whether there is a bias, as True or False, forward and backward") {
  const auto bias_of = [](const Estimate& found) {
    const std::string text = printed(found.parameters);
    const std::size_t begin = text.find("'bias': ");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find(", 'stride'") - begin);
  };
  const auto literals = convolution_literals("[1, 1]", "[1, 1]", "False", "1");
  CHECK(bias_of(of_convolution(written_call("aten::convolution", small_convolution, literals))) == "'bias': True");
  CHECK(bias_of(of_convolution(written_call("aten::convolution", {"bf16[2,4,8,8]", "bf16[6,4,3,3]"}, literals))) ==
        "'bias': False");
  const auto backward = [&](const std::string& bias_sizes) {
    return bias_of(
        of_convolution(written_call("aten::convolution_backward", {"bf16[2,6,8,8]", "bf16[2,4,8,8]", "bf16[6,4,3,3]"},
                                    {{3, bias_sizes},
                                     {4, "[1, 1]"},
                                     {5, "[1, 1]"},
                                     {6, "[1, 1]"},
                                     {7, "False"},
                                     {8, "[0, 0]"},
                                     {9, "1"},
                                     {10, "[True, True, True]"}})));
  };
  CHECK(backward("[6]") == "'bias': True");
  CHECK(backward("[0]") == "'bias': False");  // how PyTorch writes that there is none
}

TEST_CASE("convolution: what cannot be computed has a gap") {
  const auto gap_of = [](const std::vector<std::string>& operands, const WrittenLiterals& literals) {
    return of_convolution(written_call("aten::convolution", operands, literals)).gap;
  };
  const auto good = convolution_literals("[1, 1]", "[1, 1]", "False", "1");
  CHECK(gap_of(small_convolution, {}) == Gap::argument_not_recorded);
  CHECK(gap_of(small_convolution, convolution_literals("[0, 1]", "[1, 1]", "False", "1")) == Gap::literal_not_fitting);
  CHECK(gap_of(small_convolution, convolution_literals("[1, 1, 1]", "[1, 1]", "False", "1")) ==
        Gap::literal_not_fitting);
  CHECK(gap_of(small_convolution, convolution_literals("[1, 1]", "[1, 1]", "False", "0")) == Gap::literal_not_fitting);
  CHECK(gap_of({"bf16[2,4,8,8]", "bf16[6,3,3,3]"}, good) == Gap::shape_not_fitting);  // 3 channels are not 4
  CHECK(gap_of({"bf16[2,4,8]", "bf16[6,4,3,3]"}, good) == Gap::shape_not_fitting);
  CHECK(gap_of({"bf16[2,4,1,1]", "bf16[6,4,9,9]"}, good) == Gap::shape_not_fitting);  // the filter is larger
  CHECK(gap_of({"bf16[2,4,8,8]"}, good) == Gap::argument_not_recorded);
  CHECK(gap_of({"odd[2,4,8,8]", "bf16[6,4,3,3]"}, good) == Gap::element_type_unknown);
}
}  // namespace kinetoscope::perf_model
