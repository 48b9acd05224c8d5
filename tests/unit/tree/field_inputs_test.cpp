// How calls and GPU work of the field inputs belong together: outcomes of the reports that only the call tree has.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/diagnostics.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

/// From the launching call outward.
std::vector<std::string> ancestors_of(const CallTree& tree, std::string_view kernel) {
  std::vector<std::string> names;
  for (NodeId node = tree.launch(event_named(tree.trace(), kernel)); node != no_node; node = tree.parent(node)) {
    names.emplace_back(tree.name(node));
  }
  return names;
}
LinkMethod method_of(const CallTree& tree, std::string_view kernel) {
  return tree.link(event_named(tree.trace(), kernel)).method;
}
using Names = std::vector<std::string>;
}  // namespace

TEST_CASE("field inputs: a frame that ends a nanosecond after the one around it keeps its place (F17)") {
  const Trace trace = field_trace("F17_child_ends_1ns_after_parent.json");
  CHECK(ancestors_of(CallTree::build(trace), "Cijk_Alik_Bljk_BBS_BH_MT64x64") ==
        Names{"hipLaunchKernel", "aten::mm", "runner.py(126): <module>", "runner.py(10): main"});
}

TEST_CASE("field inputs: calls 49 ns apart are brothers, at times since 1970 (F18)") {
  const Trace trace = field_trace("F18_epoch_microsecond_precision.json");
  const CallTree tree = CallTree::build(trace);
  const NodeId a = tree.node(event_named(trace, "A"));
  CHECK(tree.parent(tree.node(event_named(trace, "B"))) == a);
  CHECK(tree.parent(tree.node(event_named(trace, "C"))) == a);
}

TEST_CASE("field inputs: merged ranks of one correlation id keep their own kernels (F19)") {
  const Trace trace = field_trace("F19_merged_ranks_same_correlation.json");
  const CallTree tree = CallTree::build(trace);
  const auto process_of_launch = [&](std::string_view kernel) {
    const EventId launch = tree.link(event_named(trace, kernel)).launch;
    REQUIRE(launch != no_event);
    return trace.track_info(trace.track(launch)).pid.number;
  };
  CHECK(process_of_launch("gemm_rank0") == 100);
  CHECK(process_of_launch("gemm_rank1") == 101);
}

TEST_CASE("field inputs: of two kernels with one id the arrow names one, the other is ambiguous (F20)") {
  const Trace trace = field_trace("F20_duplicate_correlation_wide_streams.json");
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.launch(event_named(trace, "gemm_a")) != no_node);
  CHECK(tree.launch(event_named(trace, "add_b")) == no_node);
  CHECK(tree.link(event_named(trace, "add_b")).cause == UnlinkedCause::ambiguous_correlation);
}

TEST_CASE("field inputs: a graph launch owns all kernels of its id (F21)") {
  const Trace trace = field_trace("F21_graph_replay.json");
  const CallTree tree = CallTree::build(trace);
  const NodeId launch = tree.node(event_named(trace, "hipGraphLaunch"));
  CHECK(tree.gpu_events(launch).size() == 3);
  CHECK(tree.launches().graph_launches == 1);
}

TEST_CASE("field inputs: each launch call's kernel is linked, whatever the call's name (F23)") {
  const Trace trace = field_trace("F23_launch_names_stream_zero.json");
  CHECK(CallTree::build(trace).linked_gpu_events().size() == 6);
}

TEST_CASE("field inputs: launches without kernels are counted apart (F26)") {
  const Trace trace = field_trace("F26_launches_without_kernels.json");
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.launches().total == 4);
  CHECK(tree.launches().without_kernel == 3);
}

TEST_CASE("field inputs: each kernel says how it was linked (F34)") {
  const Trace trace = field_trace("F34_kernel_without_correlation.json");
  const CallTree tree = CallTree::build(trace);
  CHECK(method_of(tree, "gemm_by_flow") == LinkMethod::flow);
  CHECK(method_of(tree, "gemm_by_ext") == LinkMethod::external_id);
  CHECK(method_of(tree, "orphan") == LinkMethod::none);
}

TEST_CASE("field inputs: a kernel below three operators belongs to the innermost, a frame is no operator (F36)") {
  const Trace trace = field_trace("F36_nested_wrapper_ops.json");
  const CallTree tree = CallTree::build(trace);
  const EventId kernel = event_named(trace, "dynamic_per_group_scaled_quant_kernel");
  CHECK(tree.name(tree.launcher(kernel)) == "aiter::dynamic_per_token_scaled_quant");
  Names chain;
  for (const NodeId node : tree.operator_chain(kernel)) chain.emplace_back(tree.name(node));
  CHECK(chain == Names{"aiter::dynamic_per_token_scaled_quant", "aiter::per_group_quant_hip",
                       "vllm::rocm_aiter_group_fp8_quant"});
}

TEST_CASE("field inputs: captured launches are no launches without kernels (F37)") {
  const Trace trace = field_trace("F37_graph_capture_trace.json");
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.launches().without_kernel == 0);
  CHECK(tree.diagnostics().count(tree_diagnostics::graph_capture_trace) == 1);
}

TEST_CASE("field inputs: kernels without arrows are linked by correlation id (F38)") {
  const Trace trace = field_trace("F38_no_flow_events.json");
  const CallTree tree = CallTree::build(trace);
  REQUIRE(trace.gpu_events().size() == 2);
  for (const EventId event : trace.gpu_events()) CHECK(tree.link(event).method == LinkMethod::correlation);
}
}  // namespace kinetoscope
