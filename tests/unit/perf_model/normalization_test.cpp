// Decisions of the normalization family. f32[8,16,32,32] has E = 131072 elements; bf16[10,64,56,56] has E = 2007040.

#include "core/perf_model/families/normalization.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

const Shape norm_images = {8, 16, 32, 32};
const Shape norm_maps = {10, 64, 56, 56};
}  // namespace

TEST_CASE("normalization: batch norm in evaluation mode takes no statistics and updates none") {
  const std::vector<Operand> operands = {bf16(norm_maps), bf16({64}), bf16({64}), bf16({64}), bf16({64})};
  const Estimate training = estimate_named("aten::batch_norm", operands, {{5, "True"}});
  CHECK(training.flops == 10035584);       // 6 * 64 + 5 E
  CHECK(training.bytes_moved == 8028928);  // 2 (2 E + 6 * 64)
  const Estimate evaluation = estimate_named("aten::batch_norm", operands, {{5, "False"}});
  CHECK(evaluation.flops == 4014464);        // 6 * 64 + 2 E
  CHECK(evaluation.bytes_moved == 8028672);  // 2 (2 E + 4 * 64)
}

TEST_CASE("normalization: optional tensors that the call lacks add nothing") {
  const Estimate bare = estimate_named("aten::batch_norm", {bf16(norm_maps)}, {{5, "True"}});
  CHECK(bare.bytes_moved == 8028416);  // 2 (2 E + 2 * 64)
  CHECK(bare.flops == 10035584);

  const Estimate plain = estimate_named("aten::layer_norm", {bf16({4, 197, 768})}, {{1, "[768]"}});
  CHECK(plain.flops == 3030648);        // 6 * 788 + 5 * 605184
  CHECK(plain.bytes_moved == 2423888);  // 2 (2 * 605184 + 2 * 788)
  const Estimate affine =
      estimate_named("aten::layer_norm", {bf16({4, 197, 768}), absent(), bf16({768}), bf16({768})}, {{1, "[768]"}});
  CHECK(affine.bytes_moved == 2426960);  // and 2 * 2 * 768
  const Estimate empty =
      estimate_named("aten::layer_norm", {bf16({4, 197, 768}), absent(), bf16({0}), bf16({0})}, {{1, "[768]"}});
  CHECK(empty.bytes_moved == plain.bytes_moved);
}

TEST_CASE("normalization: statistics are as many as share none") {
  // instance: 8 * 16; group: 8 * 4; layer over the last two: 8 * 16; RMS over the last two: 8 * 16
  const Estimate instance = estimate_named("aten::instance_norm", {f32(norm_images)}, {{5, "True"}});
  CHECK(instance.flops == 656128);         // 6 * 128 + 5 E
  CHECK(instance.bytes_moved == 1049600);  // 4 (2 E + 2 * 128)
  const Estimate group =
      estimate_named("aten::group_norm", {f32(norm_images), absent(), f32({16}), f32({16})}, {{1, "4"}});
  CHECK(group.flops == 655552);         // 6 * 32 + 5 E
  CHECK(group.bytes_moved == 1048960);  // 4 (2 E + 2 * 32 + 2 * 16)
  const Estimate layer = estimate_named("aten::layer_norm", {f32(norm_images)}, {{1, "[32, 32]"}});
  CHECK(layer.flops == 656128);
  const Estimate rms =
      estimate_named("aten::_fused_rms_norm", {f32(norm_images), absent(), f32({32, 32})}, {{1, "[32, 32]"}});
  CHECK(rms.flops == 524544);         // 128 (2 * 1024 + 2) + 2 E
  CHECK(rms.bytes_moved == 1053184);  // 4 (2 E + 128 + 1024)
}

TEST_CASE("normalization: the native group norm has its weight and its groups elsewhere") {
  const Estimate forward = estimate_named("aten::native_group_norm", {f32(norm_images), f32({16}), f32({16})},
                                          {{3, "8"}, {4, "16"}, {5, "1024"}, {6, "4"}});
  CHECK(forward.bytes_moved == 1048960);
  const std::map<std::size_t, std::string> sizes = {
      {5, "8"}, {6, "16"}, {7, "1024"}, {8, "4"}, {9, "[True, True, True]"}};
  const Estimate backward =
      estimate_named("aten::native_group_norm_backward",
                     {f32(norm_images), f32(norm_images), f32({8, 4}), f32({8, 4}), f32({16})}, sizes);
  CHECK(backward.flops == 1179648);        // 9 E
  CHECK(backward.bytes_moved == 1573184);  // 4 (3 E + 32 + 3 * 16)
  const Estimate without_weight = estimate_named("aten::native_group_norm_backward",
                                                 {f32(norm_images), f32(norm_images), f32({8, 4}), f32({8, 4})}, sizes);
  CHECK(without_weight.bytes_moved == 1572992);
}

TEST_CASE("normalization: the vendor's batch norm backward is that of training") {
  const Operand c = f32({16});
  const Estimate found = estimate_named("aten::miopen_batch_norm_backward",
                                        {f32(norm_images), f32(norm_images), c, c, c, c, c}, {{7, "1e-05"}});
  CHECK(found.flops == 1179648);        // 9 E
  CHECK(found.bytes_moved == 1573120);  // 4 (3 E + 16 + 3 * 16)
}

TEST_CASE("normalization: only gradients that are asked for are computed") {
  const auto backward = [](const Operand& weight, const char* training, const char* mask) {
    return estimate_named("aten::native_batch_norm_backward", {f32(norm_images), f32(norm_images), weight},
                          {{7, training}, {9, mask}});
  };
  CHECK(backward(absent(), "True", "[True, False, False]").bytes_moved == 1572928);  // 4 (3 E + 16)
  const Estimate of_weights = backward(f32({16}), "True", "[False, True, True]");
  CHECK(of_weights.flops == 786432);         // 6 E
  CHECK(of_weights.bytes_moved == 1048832);  // 4 (2 E + 16 + 3 * 16)
  CHECK(backward(f32({16}), "True", "").bytes_moved == 1573120);
  const Estimate evaluation = backward(f32({16}), "False", "[True, True, True]");
  CHECK(evaluation.flops == 524336);         // 4 E + 3 * 16
  CHECK(evaluation.bytes_moved == 1048640);  // 4 (2 E + 16)
  CHECK(backward(f32({16}), "True", "[1.5]").gap == Gap::literal_not_fitting);
}

TEST_CASE("normalization: an expanded gradient is read once") {
  Operand gradient = f32(norm_images);
  gradient.strides = Shape{0, 0, 0, 0};
  const Estimate found =
      estimate_named("aten::native_layer_norm_backward",
                     {gradient, f32(norm_images), absent(), absent(), absent(), f32({16, 32, 32}), f32({16, 32, 32})},
                     {{2, "[16, 32, 32]"}, {7, "[True, True, True]"}});
  CHECK(found.bytes_moved == 1245220);  // 4 (2 E + 1 + 8 + 3 * 16384)
  CHECK(found.notes.has(Note::operand_repeated));
}

TEST_CASE("normalization: RMS backward without a weight computes and moves nothing for it") {
  const std::map<std::size_t, std::string> literals = {{2, "[32, 32]"}, {5, "[True, True]"}};
  const std::vector<Operand> bare = {f32(norm_images), f32(norm_images), absent(), f32({8, 16, 1, 1})};
  const Estimate without = estimate_named("aten::_fused_rms_norm_backward", bare, literals);
  CHECK(without.flops == 917504);         // 7 E
  CHECK(without.bytes_moved == 1573376);  // 4 (3 E + 128)
  std::vector<Operand> affine = bare;
  affine.push_back(f32({32, 32}));
  const Estimate with = estimate_named("aten::_fused_rms_norm_backward", affine, literals);
  CHECK(with.flops == 1310720);        // 10 E
  CHECK(with.bytes_moved == 1581568);  // 4 (3 E + 128 + 2 * 1024)
}

TEST_CASE("normalization: the backward work of a forward call asks for every gradient that there is") {
  const std::vector<Operand> operands = {bf16(norm_maps), bf16({64}), bf16({64}), bf16({64}), bf16({64})};
  const Estimate batch = backward_named("aten::batch_norm", operands, {{5, "True"}});
  CHECK(batch.flops == 18063360);                                                        // 9 E
  CHECK(batch.bytes_moved == 12042752);                                                  // 2 (3 E + 64 + 3 * 64)
  CHECK(backward_named("aten::batch_norm", operands, {{5, "False"}}).flops == 8028352);  // 4 E + 3 * 64

  const Estimate without_bias =
      backward_named("aten::layer_norm", {f32(norm_images), absent(), f32({16, 32, 32})}, {{1, "[16, 32, 32]"}});
  CHECK(without_bias.bytes_moved == 1703968);  // 4 (3 E + 8 + 2 * 16384): no bias, no gradient of it
  CHECK(backward_named("primus::fused_ln_modulate", {bf16({4096, 2, 1536})}).bytes_moved ==
        75581440);  // 2 (3 * 12582912 + 3 * 3072) + 8 * 8192
}

TEST_CASE("normalization: a call that does not fit says which argument") {
  const auto gap_of = [](std::string_view name, Shape dims, const std::map<std::size_t, std::string>& literals) {
    const Estimate found = estimate_named(name, {f32(std::move(dims))}, literals);
    CHECK(found.quality == Quality::none);
    return std::string(spelling_of(found.gap.value())) + " " + found.gap_detail;
  };
  CHECK(gap_of("aten::group_norm", norm_images, {}) == "argument_not_recorded groups");
  CHECK(gap_of("aten::group_norm", norm_images, {{1, "0"}}) == "literal_not_fitting groups");
  CHECK(gap_of("aten::layer_norm", norm_images, {}) == "argument_not_recorded shape");
  CHECK(gap_of("aten::layer_norm", norm_images, {{1, "[7]"}}) == "literal_not_fitting shape");
  CHECK(gap_of("aten::layer_norm", {32}, {{1, "[32, 32]"}}) == "literal_not_fitting shape");
  CHECK(gap_of("aten::batch_norm", {64}, {{5, "True"}}) == "shape_not_fitting a is (64,)");
  CHECK(gap_of("aten::miopen_batch_norm_backward", norm_images, {}) == "argument_not_recorded gradient");
  CHECK(gap_of("aten::instance_norm_backward", norm_images, {}) == "not_modelled ");
}

TEST_CASE("normalization: shapes that no machine holds are refused, whatever their product is") {
  Shape endless(40, std::int64_t{1} << 62);
  CHECK(estimate_named("aten::batch_norm", {f32(endless)}, {{5, "True"}}).gap == Gap::shape_not_fitting);
  endless.push_back(0);  // infinite times 0
  CHECK(estimate_named("aten::batch_norm", {f32(endless)}, {{5, "True"}}).gap == Gap::shape_not_fitting);
  CHECK(estimate_named("aten::batch_norm", {f32({-2, -2})}, {{5, "True"}}).gap == Gap::shape_not_fitting);
  CHECK(estimate_named("aten::batch_norm", {f32({0, 16})}, {{5, "True"}}).bytes_moved == 128);  // 4 * 2 * 16
}

TEST_CASE("normalization: an unknown element type leaves the FLOPs") {
  const Operand odd = operand_of(norm_images, "c10::Float3");
  const Estimate found = estimate_named("aten::batch_norm", {odd}, {{5, "True"}});
  CHECK(found.flops == 655456);  // 6 * 16 + 5 E
  CHECK_FALSE(found.bytes_moved.has_value());
  CHECK(found.gap == Gap::element_type_unknown);
}

TEST_CASE("normalization: parameters stand in the order of users' tables") {
  const Estimate found = estimate_named("aten::native_batch_norm_backward", {bf16({2, 4}), bf16({2, 4}), bf16({4})},
                                        {{7, "True"}, {9, "[True, True, False]"}});
  CHECK(printed(found.parameters) ==
        "{'op_shape': (2, 4), 'dtype_in_out': ('c10::BFloat16', None), 'stride_input': None, 'stride_output': None, "
        "'num_channels': 4, 'has_bias': False, 'is_affine': True, 'is_training': True, "
        "'output_mask': [True, True, False]}");
}

TEST_CASE("normalization: parameters have weights, statistics and masks as the call has them") {
  const auto end_of = [](std::string_view name, const std::vector<Operand>& operands,
                         const std::map<std::size_t, std::string>& literals) {
    const std::string text = printed(estimate_named(name, operands, literals).parameters);
    const std::size_t begin = text.find("'num_channels'");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin);
  };
  const Operand maps = f32(norm_images);
  // Running statistics alone do not make it affine.
  CHECK(end_of("aten::batch_norm", {maps, absent(), absent(), f32({16}), f32({16})}, {{5, "True"}}) ==
        "'num_channels': 16, 'has_bias': False, 'is_affine': False, 'is_training': True}");
  CHECK(end_of("aten::layer_norm", {maps}, {{1, "[16, 32, 32]"}}) ==
        "'num_channels': 16384, 'has_bias': False, 'is_affine': False, 'is_training': True}");
  CHECK(end_of("aten::_fused_rms_norm", {maps}, {{1, "[32, 32]"}}) ==
        "'num_channels': 1024, 'has_bias': False, 'is_affine': False, 'is_training': False}");
  CHECK(end_of("aten::_fused_rms_norm_backward", {maps, maps, absent(), f32({8, 16, 1, 1})},
               {{2, "[32, 32]"}, {5, "[True, False]"}}) ==
        "'num_channels': 1024, 'has_bias': False, 'is_affine': False, 'is_training': False, "
        "'output_mask': [True, False]}");
  // Channels are the operand's, not those of one of 4 groups.
  CHECK(end_of("aten::native_group_norm_backward", {maps, maps, f32({8, 4}), f32({8, 4}), f32({16})},
               {{5, "8"}, {6, "16"}, {7, "1024"}, {8, "4"}, {9, "[True, True, True]"}}) ==
        "'num_channels': 16, 'has_bias': True, 'is_affine': True, 'is_training': True, "
        "'output_mask': [True, True, True]}");
  // It has no mask and no argument that says so: always training, always all gradients.
  CHECK(end_of("aten::miopen_batch_norm_backward", {maps, maps, f32({16})}, {{7, "1e-05"}}) ==
        "'num_channels': 16, 'has_bias': True, 'is_affine': True, 'is_training': True, "
        "'output_mask': [True, True, True]}");
}
}  // namespace kinetoscope::perf_model
