#include "core/perf_model/compiled_kernel_reader.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/compiled_source.hpp"

namespace kinetoscope::perf_model {
namespace {

std::string with_text(std::string source, std::string_view from, std::string_view to) {
  const std::size_t at = source.find(from);
  REQUIRE(at != std::string::npos);
  return source.replace(at, from.size(), to);
}

/// 5000 elements of both tensors, 50 of the row: (xindex % 50).
const CompiledKernel added = {
    "triton_poi_fused_add_0", 5000, 1, true, {{"bf16", 5000, 0}, {"fp32", 50, 0}, {"bf16", 0, 5000}}};
/// 32 rows of 2048; the first pointer is only written, once a row.
const CompiledKernel mean = {"triton_red_fused_mean_0", 32, 2048, true, {{"fp32", 0, 32}, {"bf16", 65'536, 0}}};
}  // namespace

TEST_CASE("compiled kernel reader: name, sizes, types and what each pointer reaches, of either form") {
  CHECK(read_compiled_kernels(pointwise_source()) == CompiledSource{{added}, 0});
  CHECK(read_compiled_kernels(reduction_module()) == CompiledSource{{mean}, 0});
  CHECK(read_compiled_kernels(reduction_module() + pointwise_source()) == CompiledSource{{mean, added}, 0});
}

TEST_CASE("compiled kernel reader: without a compiled-in size the hint counts, and is told") {
  const CompiledSource read = read_compiled_kernels(pointwise_source("triton_poi_fused_add_0", ""));
  REQUIRE(read.kernels.size() == 1);
  CHECK(read.kernels.front().xnumel == 8192);
  CHECK_FALSE(read.kernels.front().has_exact_sizes);
  CHECK(read.kernels.front().pointers[1].elements_read == 50);
}

TEST_CASE("compiled kernel reader: parts of a reduction are multiplied, and x and y of a grid") {
  std::string source = with_text(reduction_module(), "[32, 2048]", "{'y': 4, 'x': 8, 'r0_': 64, 'r1_': 32}");
  source = with_text(
      source, "    xnumel = 32\n    rnumel = 2048\n",
      "    ynumel = 4\n    xnumel = 8\n    r0_numel = 64\n    r1_numel = 32\n    rnumel = r0_numel*r1_numel\n");
  source = with_text(source, "r1 = rindex", "r0_2 = r0_index\n        r1_3 = r1_index");
  source = with_text(source, "(r1 + (2048*x0))", "(r0_2 + 64*r1_3 + 2048*x0 + 16384*y1)");
  source = with_text(source, "in_out_ptr0 + (x0)", "in_out_ptr0 + (x0 + 8*y1)");
  CHECK(read_compiled_kernels(source) == CompiledSource{{mean}, 0});
}

TEST_CASE("compiled kernel reader: an address with a loaded value may reach everything, one without an index one") {
  std::string source = with_text(pointwise_source(), "in_ptr1 + (x0)", "in_ptr1 + (tmp0 + 50*x0)");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1].elements_read == 5000);
  source = with_text(pointwise_source(), "in_ptr1 + (x0)", "in_ptr1 + (0)");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1].elements_read == 1);
  source = with_text(pointwise_source(), "(xindex % 50)", "xindex // 50");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1].elements_read == 100);
  source = with_text(pointwise_source(), "(xindex % 50)", "((xindex // 25) % 40)");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1].elements_read == 40);
}

TEST_CASE("compiled kernel reader: pointers that the body uses in another way count by their names") {
  std::string source = with_text(pointwise_source(), "in_ptr1 + (x0), xmask", "tl.make_block_ptr(in_ptr1, shape=[50])");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1] == CompiledPointer{"fp32", 5000, 0});
  source = with_text(source, "'mutated_arg_names': []", "'mutated_arg_names': ['in_ptr1']");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1] == CompiledPointer{"fp32", 5000, 5000});
  // One buffer under two names: written by the other.
  source = with_text(source, "['in_ptr1']", "['in_ptr1', 'out_ptr0']");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[1] == CompiledPointer{"fp32", 5000, 0});
  source = with_text(pointwise_source(), "tl.store(out_ptr0 + (x2), tmp2, xmask)", "helper(out_ptr0)");
  CHECK(read_compiled_kernels(source).kernels.at(0).pointers[2] == CompiledPointer{"bf16", 0, 5000});
}

TEST_CASE("compiled kernel reader: a defined or an assigned name does where none is stated, another one is refused") {
  std::string source = with_text(pointwise_source(), "'kernel_name': 'triton_poi_fused_add_0', ", "");
  CHECK(read_compiled_kernels(source) == CompiledSource());  // triton_ is of no kind
  CHECK(read_compiled_kernels("triton_poi_fused_add_0 = async_compile.triton('triton_poi_fused_add_0', '''\n" +
                              source) == CompiledSource{{added}, 0});
  CHECK(read_compiled_kernels(with_text(source, "def triton_(", "def triton_poi_fused_add_0(")) ==
        CompiledSource{{added}, 0});
  CHECK(read_compiled_kernels(with_text(pointwise_source(), "def triton_(", "def triton_poi_fused_mul_0(")) ==
        CompiledSource{{}, 1});
}

TEST_CASE("compiled kernel reader: kernels that are not in the form are counted, and the others read") {
  const std::vector<std::pair<std::string_view, std::string_view>> changes = {
      {"'x': 8192", "'x': 2 ** 13"},
      {"'x': 8192", "'q': 8192"},
      {"'x': 8192", "'x': -1"},
      {"{'x': 8192}", "hints()"},
      {"'*fp32'", "['*fp32']"},
      {"'in_ptr1': '*fp32'", "9: '*fp32'"},
      {"'in_ptr1': '*fp32'", "'in_ptr0': '*fp32'"},
      {"'xnumel': 'i32'", "'ynumel': 'i32'"},
      {"xnumel = 5000", "xnumel = 0"},
      {"@triton.jit\n", "@other\n"},
      {"def triton_(", "class T("},
      {"'signature'", "'no_signature'"},
  };
  for (const auto& change : changes) {
    CAPTURE(change.first);
    CAPTURE(change.second);
    CHECK(read_compiled_kernels(with_text(pointwise_source(), change.first, change.second) + reduction_module()) ==
          CompiledSource{{mean}, 1});
  }
  CHECK(read_compiled_kernels(with_text(pointwise_source(), "pointwise(", "template(")) == CompiledSource());
}

TEST_CASE("compiled kernel reader: a source cut anywhere gives the kernel, none, or one not understood") {
  for (const std::string& whole : {pointwise_source(), reduction_module()}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(size);
      const CompiledSource read = read_compiled_kernels(std::string_view(whole).substr(0, size));
      CHECK(read.kernels.size() + read.not_understood <= 1);
    }
  }
}

TEST_CASE("compiled kernel reader: any byte in the place of any other does no harm") {
  const std::string whole = pointwise_source();
  for (const char byte : {'\0', '\n', '\'', '(', ')', '{', '@', '\\', '9', '\xff'}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = byte;
      const CompiledSource read = read_compiled_kernels(changed);
      CHECK(read.kernels.size() + read.not_understood <= 1);
    }
  }
}

TEST_CASE("compiled kernel reader: what never ends or nests without end is read once") {
  std::string opened;
  for (int i = 0; i < 100'000; ++i) opened += "@triton_heuristics.pointwise(size_hints=[\n";
  CHECK(read_compiled_kernels(opened).not_understood == 100'000);
  std::string in_one_line;
  for (int i = 0; i < 300'000; ++i) in_one_line += "@pointwise(";
  CHECK(read_compiled_kernels(in_one_line + "\n" + pointwise_source()) == CompiledSource{{added}, 1});
  std::string nested = pointwise_source() + "    ";
  for (int i = 0; i < 300'000; ++i) nested += "tl.load(in_ptr1 + (";
  CHECK(read_compiled_kernels(nested).kernels.size() == 1);
  CHECK(read_compiled_kernels("@pointwise(" + std::string(3'000'000, '(')).not_understood == 1);
  CHECK(read_compiled_kernels(std::string(3'000'000, '\n')) == CompiledSource());
  std::string far = with_text(pointwise_source(), "xnumel = 5000", "xnumel = 99999999999999999999999");
  CHECK(read_compiled_kernels(far).kernels.at(0).xnumel == 8192);  // it fits no number: the hint stays
}
}  // namespace kinetoscope::perf_model
