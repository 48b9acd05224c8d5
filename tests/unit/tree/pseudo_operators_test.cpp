#include "core/tree/pseudo_operators.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/diagnostics.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

CallTree with_pseudo(const Trace& trace) { return CallTree::build(trace, {.with_pseudo_operators = true}); }

/// Shape, links and ranges of a tree with pseudo-operators are those of any tree.
void check_consistent(const CallTree& tree) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    REQUIRE(tree.node(tree.event(node)) == node);
    REQUIRE(tree.subtree_end(node) > node);
    if (const NodeId parent = tree.parent(node); parent != no_node) {
      REQUIRE(parent < node);
      REQUIRE(tree.subtree_end(node) <= tree.subtree_end(parent));
    }
    NodeId host = tree.parent(node);
    while (host != no_node && tree.role(host) == Role::python_call) host = tree.parent(host);
    REQUIRE(tree.host_parent(node) == host);
  }
  for (const EventId event : tree.linked_gpu_events()) {
    const auto own = tree.gpu_events(tree.launch(event));
    REQUIRE(std::ranges::find(own, event) != own.end());
  }
}

template <typename Arguments>
Arguments arguments_of(const CallTree& tree, std::string_view name) {
  const PseudoOperator* const pseudo = tree.pseudo_operator(node_named(tree, name));
  REQUIRE(pseudo != nullptr);
  REQUIRE(std::holds_alternative<Arguments>(pseudo->arguments));
  return std::get<Arguments>(pseudo->arguments);
}

constexpr std::string_view moe_inputs =
    R"("External id": 3, "Input Dims": [[32, 4096], [8, 128]], "Input type": ["c10::BFloat16", "float"])";

/// vllm::moe_forward with routing, two products and the final sum; the second product's launch stands first.
TestTrace triton_moe() {
  return TestTrace()
      .op("vllm::moe_forward", 0, 100_us, moe_inputs)
      .op("TopK", 1_us, 10_us, R"("Concrete Inputs": ["", "6", "True"])")
      .launch("hipLaunchKernel", 20_us, 22_us, 11)
      .launch("hipLaunchKernel", 30_us, 32_us, 12)
      .launch("hipLaunchKernel", 40_us, 42_us, 13)
      .kernel("_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128", 300_us, 350_us, 11)
      .kernel("_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128_swiglu", 200_us, 250_us, 12)
      .kernel("_finalize_matmul_scatter_bf16", 400_us, 410_us, 13);
}
}  // namespace

TEST_CASE("pseudo-operators: without the option the tree has recorded calls only") {
  const Trace trace = triton_moe().load();
  const CallTree tree = CallTree::build(trace);
  CHECK(outline(tree) == "vllm::moe_forward(TopK hipLaunchKernel hipLaunchKernel hipLaunchKernel)");
  CHECK(tree.pseudo_operators().empty());
  CHECK_FALSE(tree.is_pseudo(node_named(tree, "TopK")));
}

TEST_CASE("pseudo-operators: products of a Triton mixture of experts are isolated in order of device time") {
  const Trace trace = triton_moe().load();
  const CallTree tree = with_pseudo(trace);
  CHECK(outline(tree) ==
        "vllm::moe_forward(TopK pseudo_op::moe_triton_unfused_down(hipLaunchKernel) "
        "pseudo_op::moe_triton_unfused_up(hipLaunchKernel) "
        "pseudo_op::moe_triton_unfused_finalize_matmul_scatter(hipLaunchKernel))");
  check_consistent(tree);
  // The kernel at 200 us runs first: it is the product up, gated by its name; six experts of TopK's second input.
  CHECK(arguments_of<MoeGemm>(tree, "pseudo_op::moe_triton_unfused_up") == MoeGemm{MoeGemm::Type::up, 0, true, 6});
  CHECK(arguments_of<MoeGemm>(tree, "pseudo_op::moe_triton_unfused_down") == MoeGemm{MoeGemm::Type::down, 1, false, 6});
  CHECK(arguments_of<MoeGemm>(tree, "pseudo_op::moe_triton_unfused_finalize_matmul_scatter") ==
        MoeGemm{MoeGemm::Type::finalize, 2, false, 6});
}

TEST_CASE("pseudo-operators: an isolated kernel's operator has its launch, its correlation id and no time") {
  const Trace trace = triton_moe().load();
  const CallTree tree = with_pseudo(trace);
  const NodeId up = node_named(tree, "pseudo_op::moe_triton_unfused_up");
  CHECK(index_of(tree.event(up)) == trace.size());  // the first one found: the UID behind the last event
  CHECK(tree.role(up) == Role::operator_call);
  CHECK(tree.begin_ns(up) == unknown_time_ns);
  CHECK(tree.duration_ns(up) == unknown_time_ns);
  CHECK(tree.external_id(up) == 12);
  CHECK(tree.arguments_event(up) == event_named(trace, "vllm::moe_forward"));
  CHECK(tree.track(up) == trace.track(id_at<EventId>(0)));
  CHECK(tree.runtime_call(up) == names::RuntimeCall::unknown);
  const EventId kernel = event_named(trace, "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128_swiglu");
  REQUIRE(tree.gpu_events(up).size() == 1);
  CHECK(tree.gpu_events(up)[0] == kernel);
  CHECK(tree.launcher(kernel) == up);
  CHECK(tree.parent(tree.launch(kernel)) == up);
  CHECK(tree.is_leaf_operator(up));
  CHECK_FALSE(tree.is_leaf_operator(node_named(tree, "vllm::moe_forward")));
  CHECK(tree.operator_chain(kernel) == std::vector{up, node_named(tree, "vllm::moe_forward")});
  CHECK(tree.external_id(node_named(tree, "vllm::moe_forward")) == 3);
  CHECK(tree.gpu_events(node_named(tree, "vllm::moe_forward")).size() == 3);
}

TEST_CASE("pseudo-operators: without a routing operator four experts a token are assumed") {
  const Trace trace = TestTrace()
                          .op("vllm::moe_forward", 0, 100_us)
                          .launch("hipLaunchKernel", 20_us, 22_us, 11)
                          .kernel("_MatMul_OGS_bf16", 200_us, 250_us, 11)
                          .load();
  const CallTree tree = with_pseudo(trace);
  CHECK(arguments_of<MoeGemm>(tree, "pseudo_op::moe_triton_unfused_up").topk == 4);
}

TEST_CASE("pseudo-operators: two scatters leave it open which one is the final sum") {
  const Trace trace = triton_moe()
                          .launch("hipLaunchKernel", 50_us, 52_us, 14)
                          .kernel("_finalize_matmul_scatter_bf16", 500_us, 510_us, 14)
                          .load();
  CHECK(with_pseudo(trace).pseudo_operators().size() == 2);  // up and down
}

TEST_CASE("pseudo-operators: a kernel that shares its launch with others stays where it is") {
  const Trace trace = TestTrace()
                          .op("vllm::moe_forward", 0, 100_us)
                          .launch("hipGraphLaunch", 20_us, 22_us, 11)
                          .kernel("_matmul_ogs_a", 200_us, 250_us, 11)
                          .kernel("_matmul_ogs_b", 300_us, 350_us, 11)
                          .load();
  const CallTree tree = with_pseudo(trace);
  CHECK(tree.pseudo_operators().empty());
  CHECK(tree.diagnostics().count(tree_diagnostics::pseudo_operator_refused) == 2);
}

TEST_CASE("pseudo-operators: the fused kernel of an AITER mixture of experts is isolated") {
  TestTrace moe;
  moe.op("vllm::moe_forward", 0, 100_us)
      .op("vllm::rocm_aiter_fused_moe", 10_us, 90_us, moe_inputs)
      .launch("hipLaunchKernel", 20_us, 22_us, 11)
      .launch("hipModuleLaunchKernel", 30_us, 32_us, 12)
      .kernel("void aiter::MoeSortingKernel_fmoe", 200_us, 210_us, 11)
      .kernel("aiter::fmoe_fp8_g1u1", 220_us, 250_us, 12);
  const Trace trace = moe.load();
  const CallTree tree = with_pseudo(trace);
  CHECK(outline(tree) ==
        "vllm::moe_forward(vllm::rocm_aiter_fused_moe(hipLaunchKernel "
        "pseudo_op::moe_aiter_fused_1stage(hipModuleLaunchKernel)))");
  check_consistent(tree);
  const NodeId fused = node_named(tree, "pseudo_op::moe_aiter_fused_1stage");
  CHECK(tree.arguments_event(fused) == event_named(trace, "vllm::rocm_aiter_fused_moe"));
  CHECK(tree.external_id(fused) == 12);

  SUBCASE("a second such kernel leaves it open which one does the work") {
    const Trace two =
        moe.launch("hipLaunchKernel", 40_us, 42_us, 13).kernel("aiter::fmoe_other", 300_us, 310_us, 13).load();
    CHECK(with_pseudo(two).pseudo_operators().empty());
  }
  SUBCASE("an operator below it says more than the kernel's name") {
    const Trace below = moe.op("aiter::fused_moe_x", 15_us, 60_us).load();
    CHECK(with_pseudo(below).pseudo_operators().empty());
  }
}

TEST_CASE("pseudo-operators: the quantised products of outplace_fused_experts are up and gated, then down") {
  TestTrace moe;
  moe.op("vllm::outplace_fused_experts", 0, 100_us, R"("Input Dims": [[64,2048],[128,1536,1024],[],[64,8],[64,6]])")
      .launch("cudaLaunchKernel", 20_us, 22_us, 11)
      .launch("cudaLaunchKernel", 30_us, 32_us, 12)
      .launch("cudaLaunchKernel", 40_us, 42_us, 13)
      .kernel("fused_moe_kernel_gptq_awq", 200_us, 250_us, 11)
      .kernel("silu_and_mul", 260_us, 270_us, 12)
      .kernel("fused_moe_kernel_gptq_awq", 300_us, 350_us, 13);
  const Trace trace = moe.load();
  const CallTree tree = with_pseudo(trace);
  CHECK(outline(tree) ==
        "vllm::outplace_fused_experts(pseudo_op::moe_gptq_awq_up(cudaLaunchKernel) cudaLaunchKernel "
        "pseudo_op::moe_gptq_awq_down(cudaLaunchKernel))");
  // Input Dims[4][1] is 6
  CHECK(arguments_of<MoeGemm>(tree, "pseudo_op::moe_gptq_awq_up") == MoeGemm{MoeGemm::Type::up, 0, true, 6});
  CHECK(arguments_of<MoeGemm>(tree, "pseudo_op::moe_gptq_awq_down") == MoeGemm{MoeGemm::Type::down, 1, false, 6});
}

TEST_CASE("pseudo-operators: FlyDSL stages are operators around their Python frames") {
  TestTrace moe;
  moe.op("aiter::fused_moe_", 0, 100_us, moe_inputs)
      .frame("aiter/fused_moe.py(10): fused_moe_2stages", 5_us, 95_us)
      .frame("aiter/flydsl.py(20): flydsl_moe_stage1", 10_us, 40_us)
      .launch("hipLaunchKernel", 20_us, 22_us, 11)
      .frame("aiter/flydsl.py(30): flydsl_moe_stage2", 50_us, 90_us)
      .launch("hipLaunchKernel", 60_us, 62_us, 12)
      .kernel("moe_gemm1_0", 200_us, 250_us, 11)
      .kernel("moe_gemm2_0", 300_us, 350_us, 12)
      .frame("aiter/flydsl.py(20): flydsl_moe_stage1", 200_us, 210_us);  // outside of the operator
  const Trace trace = moe.load();
  const CallTree tree = with_pseudo(trace);
  CHECK(outline(tree) ==
        "aiter::fused_moe_(aiter/fused_moe.py(10): fused_moe_2stages("
        "pseudo_op::moe_flydsl_stage1(aiter/flydsl.py(20): flydsl_moe_stage1(hipLaunchKernel)) "
        "pseudo_op::moe_flydsl_stage2(aiter/flydsl.py(30): flydsl_moe_stage2(hipLaunchKernel)))) "
        "aiter/flydsl.py(20): flydsl_moe_stage1");
  check_consistent(tree);
  const NodeId first = node_named(tree, "pseudo_op::moe_flydsl_stage1");
  CHECK(tree.begin_ns(first) == 10_us);
  CHECK(tree.duration_ns(first) == 30_us);
  CHECK(tree.arguments_event(first) == event_named(trace, "aiter::fused_moe_"));
  CHECK(tree.external_id(first) == 3);  // the donor's
  CHECK(tree.launcher(event_named(trace, "moe_gemm1_0")) == first);

  SUBCASE("without Python frames there is nothing to stand for") {
    const CallTree without = CallTree::build(trace, {.with_python = false, .with_pseudo_operators = true});
    CHECK(without.pseudo_operators().empty());
  }
}

TEST_CASE("pseudo-operators: a latent attention's frame gets one operator above all it calls") {
  const Trace trace = TestTrace()
                          .frame("/opt/aiter/mla.py(42): mla_decode_fwd", 0, 100_us)
                          .op("aiter::mla_decode_stage1_asm_fwd", 10_us, 40_us, moe_inputs)
                          .launch("hipLaunchKernel", 20_us, 22_us, 11)
                          .op("aiter::mla_reduce", 50_us, 90_us)
                          .launch("hipLaunchKernel", 60_us, 62_us, 12)
                          .frame("/opt/aiter/mla.py(42): mla_decode_fwd", 200_us, 300_us)
                          .op("aiter::mla_decode_stage1_asm_fwd", 210_us, 240_us)  // launched nothing
                          .frame("attention.py(7): mla_fp8_prefill_attn", 400_us, 500_us)
                          .op("aiter::mla_prefill_ps_asm_fwd", 410_us, 440_us)
                          .launch("hipLaunchKernel", 420_us, 422_us, 13)
                          .kernel("mla_a", 1000_us, 1100_us, 11)
                          .kernel("mla_b", 1200_us, 1300_us, 12)
                          .kernel("mla_c", 1400_us, 1500_us, 13)
                          .load();
  const CallTree tree = with_pseudo(trace);
  CHECK(outline(tree) ==
        "/opt/aiter/mla.py(42): mla_decode_fwd(pseudo_mla_decode_fwd("
        "aiter::mla_decode_stage1_asm_fwd(hipLaunchKernel) aiter::mla_reduce(hipLaunchKernel))) "
        "/opt/aiter/mla.py(42): mla_decode_fwd(aiter::mla_decode_stage1_asm_fwd) "
        "attention.py(7): mla_fp8_prefill_attn(pseudo_mla_prefill_fwd("
        "aiter::mla_prefill_ps_asm_fwd(hipLaunchKernel)))");
  check_consistent(tree);
  const NodeId decode = node_named(tree, "pseudo_mla_decode_fwd");
  CHECK(tree.gpu_events(decode).size() == 2);
  CHECK(tree.duration_ns(decode) == 100_us);  // the frame's
  CHECK(tree.arguments_event(decode) == event_named(trace, "aiter::mla_decode_stage1_asm_fwd"));
  CHECK(tree.host_parent(node_named(tree, "aiter::mla_reduce")) == decode);
  CHECK(tree.launcher(event_named(trace, "mla_a")) == node_named(tree, "aiter::mla_decode_stage1_asm_fwd"));
}

TEST_CASE("pseudo-operators: paged decodes are told apart by the kernels of their attention") {
  TestTrace attention;
  std::int64_t at = 0;
  std::int64_t id = 1;
  for (const std::string_view kernel :
       {"void hca_compress<8>(float*)", "fused_compress_attn_k", "_update_compressor_states_kernel_1", "hcb_"}) {
    attention.op("aiter::v4_attention_with_output", at, at + 100_us, moe_inputs)
        .launch("hipLaunchKernel", at + 1_us, at + 2_us, id)
        .launch("hipLaunchKernel", at + 3_us, at + 4_us, id + 1)
        .frame("atom/paged_decode.py(12): sparse_attn_v4_paged_decode", at + 10_us, at + 90_us)
        .launch("hipLaunchKernel", at + 20_us, at + 22_us, id + 2)
        .kernel(kernel, at + 200_us, at + 210_us, id)
        .kernel("fused_qk_norm_rope_H16_D512_RD64_bf16", at + 220_us, at + 230_us, id + 1)
        .kernel("paged_decode", at + 240_us, at + 250_us, id + 2);
    at += 1000_us;
    id += 3;
  }
  const Trace trace = attention.load();
  const CallTree tree = CallTree::build(
      trace,
      {.with_pseudo_operators = true, .pseudo_operators = {.model_name = "DeepSeek-V4-Pro", .tensor_parallel = 8}});
  check_consistent(tree);
  REQUIRE(tree.pseudo_operators().size() == 4);
  std::vector<std::string> found;
  for (const PseudoOperator& pseudo : tree.pseudo_operators()) found.emplace_back(spelling_of(pseudo.kind));
  CHECK(found == std::vector<std::string>{"pseudo_v4_paged_decode_hca", "pseudo_v4_paged_decode_csa",
                                          "pseudo_v4_paged_decode_csa", "pseudo_v4_paged_decode_swa"});
  CHECK(std::get<PagedDecode>(tree.pseudo_operators()[1].arguments) ==
        PagedDecode{PagedDecode::Mode::csa, 1, 16, 512, "DeepSeek-V4-Pro", 8});
  const NodeId first = node_named(tree, "pseudo_v4_paged_decode_hca");
  CHECK(tree.name(tree.parent(first)) == "atom/paged_decode.py(12): sparse_attn_v4_paged_decode");
  CHECK(tree.gpu_events(first).size() == 1);
  CHECK(tree.arguments_event(first) == event_named(trace, "aiter::v4_attention_with_output"));
}

TEST_CASE("pseudo-operators: families do not depend on one another") {
  const Trace trace = triton_moe()
                          .op("_rocm_C::paged_attention", 500_us, 600_us)
                          .op("aiter::fused_moe_", 700_us, 800_us)
                          .frame("flydsl.py(1): flydsl_moe_stage2", 710_us, 720_us)
                          .load();
  CHECK(with_pseudo(trace).pseudo_operators().size() == 4);  // three of the mixture, one FlyDSL stage
}

TEST_CASE("pseudo-operators: the number at the end of an operator of the SGLang profiler is not part of its name") {
  const Trace trace = TestTrace()
                          .op("sglang_profiler::attention_paged_12", 0, 10_us)
                          .op("sglang_profiler::attention_paged_7", 20_us, 30_us)
                          .op("sglang_profiler::plain", 40_us, 50_us)
                          .op("aten::conv_2", 60_us, 70_us)
                          .load();
  CHECK(outline(with_pseudo(trace)) ==
        "sglang_profiler::attention_paged sglang_profiler::attention_paged sglang_profiler::plain aten::conv_2");
  CHECK(outline(CallTree::build(trace)) ==
        "sglang_profiler::attention_paged_12 sglang_profiler::attention_paged_7 sglang_profiler::plain aten::conv_2");
}

TEST_CASE("pseudo-operators: a deep nest of mixture operators costs no more than their number") {
  TestTrace deep;
  constexpr int levels = 20'000;  // looked at once each from above: 2e8 steps, were each to look at all below it
  for (int i = 0; i < levels; ++i) deep.op("vllm::moe_forward", i, 1'000_us - i);
  deep.launch("hipLaunchKernel", 100_us, 101_us, 5).kernel("matmul_ogs", 2'000_us, 2'001_us, 5);
  const Trace trace = deep.load();
  const CallTree tree = with_pseudo(trace);
  CHECK(tree.pseudo_operators().size() == 1);
  check_consistent(tree);
}

TEST_CASE("pseudo-operators: recorded traces that replay graphs have none before a capture is merged") {
  for (const std::string_view name : {"inference/vllm_decode_full/graph_execution.json.gz",
                                      "inference/sglang_decode/sglang_Qwen3-8B_decode.json.gz"}) {
    CAPTURE(name);
    const Trace trace = shared_trace(name);
    const CallTree tree = with_pseudo(trace);
    CHECK(tree.pseudo_operators().empty());
    check_consistent(tree);
  }
}
}  // namespace kinetoscope
