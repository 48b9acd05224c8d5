#include "core/perf_model/families/attention.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/written_call.hpp"

namespace kinetoscope::perf_model {
namespace {

Estimate of_attention(std::string_view name, const std::vector<std::string>& operands,
                      const WrittenLiterals& literals = {}) {
  return estimate_call(operator_registry(), written_call(name, operands, literals));
}
Estimate backward_of_attention(std::string_view name, const std::vector<std::string>& operands,
                               const WrittenLiterals& literals = {}) {
  return estimate_backward_of(operator_registry(), written_call(name, operands, literals));
}

constexpr std::string_view aten_flash = "aten::_scaled_dot_product_flash_attention";
constexpr std::string_view aten_efficient = "aten::_scaled_dot_product_efficient_attention";
}  // namespace

TEST_CASE("attention: a causal call works on the triangle with its diagonal") {
  const std::vector<std::string> operands(3, "bf16[16,16,559,64]");
  const double pairs = 559.0 * 560 / 2;
  const Estimate causal = of_attention(aten_flash, operands, {{3, "0."}, {4, "True"}});
  CHECK(causal.flops == 2 * 256 * pairs * 128);
  CHECK(causal.bytes_moved == 4.0 * 16 * 16 * 559 * 64 * 2);
  CHECK(causal.quality == Quality::exact);
  CHECK(compute_spec(causal.unit, causal.precision) == "matrix_bf16");
  CHECK(of_attention(aten_flash, operands, {{4, "False"}}).flops == 2 * 256 * (559.0 * 559) * 128);
}

TEST_CASE("attention: one causal query sees all keys where masks end together, one where they begin together") {
  const std::vector<std::string> operands = {"bf16[2,32,1,64]", "bf16[2,32,128,64]", "bf16[2,32,128,64]"};
  CHECK(of_attention(aten_flash, operands, {{4, "True"}}).flops == 2 * 2 * 32 * 128 * 128);
  const Estimate at_first_key = of_attention(aten_efficient, operands, {{6, "True"}});
  CHECK(at_first_key.flops == 2 * 2 * 32 * 1 * 128);
  CHECK(at_first_key.bytes_moved == 4 * 2 * 32 * 64 * 2);  // of keys and values one each is read
}

TEST_CASE("attention: a window limits pairs, and the keys and values that are read") {
  // 4 queries at the end of 16 keys, each 2 keys and itself: keys 10 to 15.
  const std::vector<std::string> operands = {"bf16[2,4,3,8]", "bf16[2,16,3,8]", "bf16[2,16,3,8]"};
  const WrittenLiterals literals = {{3, "0."}, {5, "True"}, {6, "2"}, {7, "-1"}};
  const Estimate found = of_attention("aiter::mha_fwd", operands, literals);
  CHECK(found.flops == 2 * 2 * 3 * 12 * 16);
  CHECK(found.bytes_moved == 2 * (2 * 192 + 2 * (2 * 6 * 3 * 8)));
  // Gradients of all keys and values are written.
  CHECK(backward_of_attention("aiter::mha_fwd", operands, literals).bytes_moved ==
        2 * (3 * 192 + 2 * (2 * 6 * 3 * 8) + 2 * (2 * 16 * 3 * 8)));
  const WrittenLiterals unlimited = {{5, "False"}, {6, "-1"}, {7, "-1"}};
  CHECK(of_attention("aiter::mha_fwd", operands, unlimited).flops == 2 * 2 * 3 * 64 * 16);
}

TEST_CASE("attention: what is added to the scores is read once, expanded dimensions not at all") {
  const std::vector<std::string> qkv(3, "f32[2,8,128,64]");
  const double without = 4.0 * 2 * 8 * 128 * 64 * 4;
  std::vector<std::string> operands = qkv;
  operands.emplace_back("f32[2,8,128,128]/[16384,0,128,1]");
  const Estimate found = of_attention(aten_efficient, operands, {{6, "False"}});
  CHECK(found.bytes_moved == without + 2 * 128 * 128 * 4);
  CHECK(found.notes.has(Note::operand_repeated));
  CHECK(of_attention(aten_efficient, qkv, {{6, "False"}}).bytes_moved == without);
  // 7 of 4 operands' size: q, k, v, their gradients and the output.
  CHECK(backward_of_attention(aten_efficient, operands, {{6, "False"}}).bytes_moved ==
        without / 4 * 7 + 2 * 128 * 128 * 4);
}

TEST_CASE("attention: backward work computes scores anew in flash kernels, and adds up gradients of shared heads") {
  const std::vector<std::string> operands = {"bf16[2,32,128,64]", "bf16[2,8,128,64]", "bf16[2,8,128,64]"};
  const double pairs = 128.0 * 129 / 2;
  const double shared = 2.0 * 128 * 128 * (32 - 8);
  CHECK(backward_of_attention(aten_flash, operands, {{4, "True"}}).flops == 64 * pairs * (2 + 4 + 4) * 64 + shared);
  CHECK(backward_of_attention(aten_efficient, operands, {{6, "True"}}).flops == 64 * pairs * (4 + 4) * 64 + shared);
  const std::vector<std::string> own(3, "bf16[2,32,128,64]");
  CHECK(backward_of_attention(aten_flash, own, {{4, "False"}}).flops == 64 * (128.0 * 128) * 10 * 64);
}

TEST_CASE("attention: a backward operator finds q, k and v behind the gradient, and its window behind causal") {
  const std::vector<std::string> operands = {"bf16[1,8,4,16]", "bf16[1,8,4,16]", "bf16[1,8,4,16]", "bf16[1,8,4,16]"};
  const double a_pair = 4 * 160;
  const std::string_view name = "flash_attn::_flash_attn_backward";
  CHECK(of_attention(name, operands, {{9, "0."}, {10, "0.25"}, {11, "False"}}).flops == 64 * a_pair);
  CHECK(of_attention(name, operands, {{8, "0."}, {9, "0.25"}, {10, "True"}}).flops == 36 * a_pair);
  CHECK(of_attention(name, operands).flops == 36 * a_pair);  // causal where nothing says it
  // One key before and two behind: 4 a query, but 1 + 2 + 1 of them do not exist.
  CHECK(of_attention(name, operands, {{11, "False"}, {12, "1"}, {13, "2"}}).flops == 28 * a_pair);
  CHECK(of_attention(name, operands, {{10, "False"}, {11, "1"}, {12, "2"}, {13, "0."}}).flops == 28 * a_pair);
  const std::vector<std::string> shared = {"bf16[1,8,4,16]", "bf16[1,8,4,16]", "bf16[1,8,2,16]", "bf16[1,8,2,16]"};
  const Estimate found = of_attention("aiter::_flash_attn_backward", shared, {{12, "False"}});
  CHECK(found.flops == 64 * a_pair + 8 * 32 * (4 - 2));
  CHECK(found.bytes_moved == 2 * (3 * 512 + 4 * 256));
}

TEST_CASE("attention: packed sequences of unknown lengths have bounds") {
  const std::vector<std::string> operands = {"bf16[4096,16,128]", "bf16[4096,16,128]", "bf16[4096,16,128]", "i32[5]",
                                             "i32[5]"};
  const std::string_view name = "flash_attn::_flash_attn_varlen_forward";
  const Estimate found = of_attention(name, operands, {{5, "2048"}, {6, "2048"}, {9, "True"}});
  // One of 2048 and three of floor(2048 / 3) = 682; at most two of 2048.
  CHECK(found.flops == 2 * 16 * 256 * (2048.0 * 2049 / 2 + 3 * (682.0 * 683 / 2)));
  CHECK(found.most_flops == 2 * 16 * 256 * (2 * (2048.0 * 2049 / 2)));
  CHECK(found.bytes_moved == 4 * 4096 * 16 * 128 * 2);
  CHECK(found.quality == Quality::lower_bound);
  CHECK(found.notes.has(Note::lengths_estimated));
  // 4 x 1024 is all: nothing is estimated.
  const Estimate equal = of_attention(name, operands, {{5, "1024"}, {6, "1024"}, {9, "True"}});
  CHECK(equal.flops == 2 * 16 * 256 * 4 * (1024.0 * 1025 / 2));
  CHECK(equal.quality == Quality::exact);
  CHECK_FALSE(equal.most_flops.has_value());
  CHECK(of_attention(name, operands, {{5, ""}, {6, "1024"}, {9, "True"}}).gap == Gap::argument_not_recorded);
  CHECK(of_attention(name, operands, {{5, "-1"}, {6, "1024"}, {9, "True"}}).gap == Gap::literal_not_fitting);
}

TEST_CASE("attention: several packed queries of one key sequence do not fail") {
  // One of 6 queries and 4 keys, two of 1 query; (8 - 4) / 1 keys for each of them.
  const Estimate found = of_attention("flash_attn::_flash_attn_varlen_forward",
                                      {"bf16[8,2,16]", "bf16[8,2,16]", "bf16[8,2,16]", "i32[4]", "i32[2]"},
                                      {{5, "6"}, {6, "4"}, {9, "False"}});
  CHECK(found.flops == 2 * 2 * 32 * (6 * 4 + 2 * (1 * 4)));
}

TEST_CASE("attention: rows of a picture are a second batch") {
  const std::vector<std::string> operands = {"bf16[1,128,256,8,32]", "bf16[1,128,256,8,32]", "bf16[1,128,256,8,32]",
                                             "bf16[1,128,1,1,256]", "bf16[1,1,8,256,256]"};
  const Estimate found = of_attention("EvoformerAttention", operands);
  CHECK(found.flops == 2.0 * 128 * 8 * 256 * 256 * 64);
  CHECK(found.bytes_moved == 4 * 8388608 * 2 + 128 * 256 * 2 + 8 * 256 * 256 * 2);
}

TEST_CASE("attention: shapes and literals that say nothing have a gap") {
  const std::vector<std::string> operands(3, "bf16[2,64,4,32]");
  CHECK(of_attention("aiter::mha_fwd", operands).gap == Gap::argument_not_recorded);
  CHECK(of_attention("aiter::mha_fwd", operands, {{5, "maybe"}}).gap == Gap::literal_not_fitting);
  CHECK(of_attention("FlashAttnFunc", {operands[0], operands[1]}, {{5, "True"}}).gap == Gap::argument_not_recorded);
  const auto gap_of = [](const std::string& q, const std::string& k, const std::string& v) {
    return of_attention("FlashAttnFunc", {q, k, v}, {{5, "True"}}).gap;
  };
  CHECK(gap_of("bf16[2,64,4,32]", "bf16[2,64,4,16]", "bf16[2,64,4,16]") == Gap::shape_not_fitting);
  CHECK(gap_of("bf16[2,64,4,32]", "bf16[2,64,4,32]", "bf16[2,32,4,32]") == Gap::shape_not_fitting);
  CHECK(gap_of("bf16[2,64,4,32]", "bf16[1,64,4,32]", "bf16[1,64,4,32]") == Gap::shape_not_fitting);
  CHECK(gap_of("bf16[2,64,4,32]", "bf16[2,64,3,32]", "bf16[2,64,3,32]") == Gap::shape_not_fitting);
  CHECK(gap_of("bf16[2,64,4,32]", "bf16[2,64,0,32]", "bf16[2,64,0,32]") == Gap::shape_not_fitting);
  CHECK(gap_of("bf16[64,4,32]", "bf16[64,4,32]", "bf16[64,4,32]") == Gap::shape_not_fitting);
  const Estimate odd = of_attention("FlashAttnFunc", {"odd[1,2,1,1]", "bf16[1,2,1,1]", "bf16[1,2,1,1]"}, {{5, "True"}});
  CHECK(odd.flops == 2 * 3 * 2);
  CHECK(odd.gap == Gap::element_type_unknown);
}
}  // namespace kinetoscope::perf_model
