#include "core/perf_model/compiled_kernels.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/perf_model/models.hpp"
#include "tests/support/compiled_source.hpp"
#include "tests/support/model_calls.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::perf_model {
namespace {

Estimate estimate_with(const CompiledKernels& compiled, const Call& call) {
  CallContext context;
  context.compiled = compiled.find(call.name);
  return estimate_call(operator_registry(), call, context);
}
CompiledKernels folder_of(const io::ScratchFolder& folder) {
  return CompiledKernels(read_compiled_folder(folder.path("")));
}
}  // namespace

TEST_CASE("compiled kernels: a call without arguments has the figures of the source, and says so") {
  const io::ScratchFolder folder;
  std::filesystem::create_directory(folder.path("ab"));
  folder.file("ab/one.py", pointwise_source());
  folder.file("ab/two.py", reduction_module());
  const CompiledKernels compiled = folder_of(folder);
  const Estimate add = estimate_with(compiled, model_call("triton_poi_fused_add_0", {}));
  CHECK(add.flops == 5000);
  CHECK(add.bytes_moved == 5000 * 2 + 50 * 4 + 5000 * 2);
  CHECK(add.precision == Precision::bf16);
  CHECK(add.unit == ComputeUnit::vector);
  CHECK(add.quality == Quality::average_case);
  CHECK(add.notes.has(Note::arguments_from_cache));
  CHECK_FALSE(add.notes.has(Note::size_assumed));
  CHECK(printed(add.parameters) == "{'fused_ops': 'aten.add', 'xnumel': 5000, 'rnumel': 1}");
  const Estimate mean = estimate_with(compiled, model_call("triton_red_fused_mean_0", {}));
  CHECK(mean.flops == 32 * 2048);
  CHECK(mean.bytes_moved == 32 * 4 + 32 * 2048 * 2);
  CHECK(printed(mean.parameters) == "{'fused_ops': 'aten.mean', 'xnumel': 32, 'rnumel': 2048}");
  CHECK(estimate_with(compiled, model_call("triton_poi_fused_add_1", {})).gap == Gap::argument_not_recorded);
}

TEST_CASE("compiled kernels: source and recorded arguments of one kernel come to the same figures") {
  constexpr const char* name = "triton_red_fused_add_mean_mul_pow_rsqrt_0";
  const io::ScratchFolder folder;
  folder.file("one.py", R"(
@triton_heuristics.reduction(
    size_hints={'x': 32768, 'r0_': 2048},
    triton_meta={'signature': {'in_ptr0': '*bf16', 'in_ptr1': '*bf16', 'out_ptr1': '*bf16', 'xnumel': 'i32', 'r0_numel': 'i32'}},
    inductor_meta={'kernel_name': 'triton_red_fused_add_mean_mul_pow_rsqrt_0', 'mutated_arg_names': []}
)
@triton.jit
def triton_red_fused_add_mean_mul_pow_rsqrt_0(in_ptr0, in_ptr1, out_ptr1, xnumel, r0_numel, XBLOCK : tl.constexpr):
    xnumel = 32768
    r0_numel = 2048
    rnumel = r0_numel
    x0 = xindex
    for r0_offset in range(0, r0_numel, R0_BLOCK):
        r0_1 = r0_index
        tmp0 = tl.load(in_ptr0 + (r0_1 + 2048*x0), r0_mask, other=0.0).to(tl.float32)
    for r0_offset in range(0, r0_numel, R0_BLOCK):
        r0_1 = r0_index
        tmp6 = tl.load(in_ptr0 + (r0_1 + 2048*x0), r0_mask, other=0.0).to(tl.float32)
        tmp14 = tl.load(in_ptr1 + (r0_1), r0_mask, other=0.0).to(tl.float32)
        tl.store(out_ptr1 + (r0_1 + 2048*x0), tmp15, r0_mask)
)");
  const Estimate by_source = estimate_with(folder_of(folder), model_call(name, {}));
  const Estimate recorded =
      estimate_named(name, {bf16({8, 4096, 2048}), bf16({2048}), bf16({8, 4096, 2048}), absent(), absent()},
                     {{3, "32768"}, {4, "2048"}});
  CHECK(by_source.bytes_moved == 268'439'552);  // two of 32768 x 2048 and one of 2048, 2 bytes each
  CHECK(by_source.flops == 469'762'048);        // 32768 x 2048 x (1 + 1 + 1 + 2 + 2)
  CHECK(by_source.bytes_moved == recorded.bytes_moved);
  CHECK(by_source.flops == recorded.flops);
  CHECK(by_source.precision == recorded.precision);
  CHECK(by_source.parameters == recorded.parameters);
}

TEST_CASE("compiled kernels: a call keeps the arguments that the trace has") {
  const io::ScratchFolder folder;
  folder.file("one.py", pointwise_source());
  const Call call = model_call("triton_poi_fused_add_0", {f32({64}), f32({64})}, {{2, "64"}});
  const Estimate own = estimate_call(operator_registry(), call);
  REQUIRE(own.flops == 64);
  CHECK(estimate_with(folder_of(folder), call) == own);
}

TEST_CASE("compiled kernels: sizes that are hints are told, and an unknown type is a gap of the bytes alone") {
  const io::ScratchFolder folder;
  std::string source = pointwise_source("triton_poi_fused_add_0", "");
  source.replace(source.find("'*fp32'"), 7, "'*fp99'");
  folder.file("one.py", source);
  const Estimate hinted = estimate_with(folder_of(folder), model_call("triton_poi_fused_add_0", {}));
  CHECK(hinted.flops == 8192);
  CHECK(hinted.notes.has(Note::size_assumed));
  CHECK_FALSE(hinted.bytes_moved.has_value());
  CHECK(hinted.gap == Gap::element_type_unknown);
  CHECK(hinted.gap_detail == "fp99");
}

TEST_CASE("compiled kernels: a name of which files say different things has none; the same twice is one") {
  const io::ScratchFolder folder;
  folder.file("a.py", pointwise_source());
  folder.file("b.py", "# the same\n" + pointwise_source());
  CHECK(folder_of(folder).find("triton_poi_fused_add_0") != nullptr);
  folder.file("c.py", pointwise_source("triton_poi_fused_add_0", "    xnumel = 6000\n"));
  folder.file("d.py", pointwise_source("triton_poi_fused_mul_1"));
  folder.file("e.py", pointwise_source());
  const CompiledKernels compiled = folder_of(folder);
  CHECK(compiled.find("triton_poi_fused_add_0") == nullptr);
  CHECK(compiled.find("triton_poi_fused_mul_1") != nullptr);
  CHECK(compiled.folder()->files == 5);
  CHECK(compiled.folder()->kernels.size() == 1);
  CHECK(compiled.folder()->ambiguous == std::vector<std::string>{"triton_poi_fused_add_0"});
}

TEST_CASE("compiled kernels: what cannot be used is counted with the first name") {
  const io::ScratchFolder folder;
  folder.file("a.py", "import os\n");
  folder.file("b.py", "@pointwise(1 + 1)\n");
  folder.file("c.py", "@pointwise(1 + 1)\n@reduction(\n");
  folder.file("d.py", std::string(most_compiled_file_bytes + 1, '\n'));
  std::filesystem::create_symlink(folder.path("a.py"), folder.path("e.py"));
  CompiledFolder expected;
  expected.files = 3;
  expected.not_understood = 3;
  expected.first_not_understood = "b.py";
  expected.left_out = {2, "d.py"};
  CHECK(read_compiled_folder(folder.path("")) == expected);
}

TEST_CASE("compiled kernels: a folder that cannot be listed and one of too many bytes are refused") {
  const io::ScratchFolder folder;
  folder.file("a.py", "12345");
  folder.file("b.py", "12345");
  CHECK(read_compiled_folder(folder.path(""), {}, 10).files == 2);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_compiled_folder(folder.path(""), {}, 9)),
                       doctest::Contains("more than 9 bytes"), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_compiled_folder(folder.path("a.py"))),
                       doctest::Contains("it is no folder"), Error);
  std::stop_source stopped;
  stopped.request_stop();
  CHECK_THROWS_AS(static_cast<void>(read_compiled_folder(folder.path(""), stopped.get_token())), Error);
}

TEST_CASE("compiled kernels: equal by content, and none is not an empty folder") {
  const io::ScratchFolder folder;
  CHECK(folder_of(folder) == folder_of(folder));
  CHECK_FALSE(folder_of(folder) == CompiledKernels());
  CHECK(CompiledKernels() == CompiledKernels());
  const CompiledKernels empty = folder_of(folder);
  folder.file("a.py", pointwise_source());
  CHECK_FALSE(folder_of(folder) == empty);
}
}  // namespace kinetoscope::perf_model
