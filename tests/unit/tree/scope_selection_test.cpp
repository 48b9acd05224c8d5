#include "core/tree/scope_selection.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/tree/diagnostics.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

/// Two steps of a decoding engine with one kernel each, one kernel between them from the main thread's helper, and one
/// that no call launched.
TestTrace two_steps() {
  return TestTrace()
      .annotation("execute_context_1(5)_generation_0(0)", 1000_us, 2000_us)
      .annotation("execute_context_0(0)_generation_4(4)", 3000_us, 4000_us)
      .annotation("sampling", 3500_us, 3900_us)
      .frame("nn.Module: Linear_0", 1050_us, 1300_us)
      .op("aten::mm", 1100_us, 1200_us)
      .launch("cudaLaunchKernel", 1150_us, 1160_us, 1)
      .thread(2)
      .op("aten::add", 3100_us, 3200_us)
      .launch("cudaLaunchKernel", 3110_us, 3120_us, 2)
      .op("aten::mul", 3600_us, 3700_us)
      .launch("cudaLaunchKernel", 3610_us, 3620_us, 3)
      .thread(1, 9)
      .op("other process", 3600_us, 3700_us)
      .thread(1)
      .op("between", 2500_us, 2600_us)
      .kernel("gemm", 5000_us, 5100_us, 1)  // after its step has ended
      .kernel("add", 5200_us, 5300_us, 2)
      .stream(20, 1)
      .kernel("mul", 5400_us, 5500_us, 3)
      .kernel("queued before", 100_us, 200_us, 0);
}

struct Selected {
  std::vector<std::string> gpu_events;
  std::vector<std::string> calls;
  std::vector<Interval> host_time;
};

Selected selected(std::string_view scope, const Trace& trace, bool with_steps = true) {
  const CallTree tree = CallTree::build(trace);
  const Steps steps = with_steps ? Steps::find(tree) : Steps();
  const ScopeSelection selection = select(parse_scope(scope), tree, steps.steps());
  Selected out;
  for (const EventId event : selection.gpu_events()) out.gpu_events.emplace_back(trace.name_text(event));
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    const bool is_launch = tree.role(node) == Role::runtime_call;
    if (selection.contains(node) && !is_launch) out.calls.emplace_back(tree.name(node));
  }
  out.host_time.assign(selection.host_time().intervals().begin(), selection.host_time().intervals().end());
  return out;
}

Failure failure_of(std::string_view scope, const Trace& trace, bool with_steps = true) {
  try {
    static_cast<void>(selected(scope, trace, with_steps));
  } catch (const Error& error) {
    return error.failure();
  }
  FAIL("matched: ", std::string(scope));
  return {};
}

using Names = std::vector<std::string>;
}  // namespace

TEST_CASE("scope selection: the whole has all GPU work, linked or not, and all calls") {
  const Trace trace = two_steps().load();
  const Selected whole = selected("all", trace);
  CHECK(whole.gpu_events == Names{"gemm", "add", "mul", "queued before"});
  CHECK(whole.calls.size() == 6);
  CHECK(whole.host_time == std::vector<Interval>{{100_us, 5500_us}});
}

TEST_CASE("scope selection: GPU work is in the step that launched it, wherever it ran and on whatever thread") {
  const Trace trace = two_steps().load();
  const Selected first = selected("step:0", trace);
  CHECK(first.gpu_events == Names{"gemm"});
  CHECK(first.calls == Names{"nn.Module: Linear_0", "aten::mm"});
  CHECK(first.host_time == std::vector<Interval>{{1000_us, 2000_us}});
  const Selected second = selected("step:1", trace);
  CHECK(second.gpu_events == Names{"add", "mul"});
  CHECK(second.calls == Names{"aten::add", "aten::mul"});  // "other process" ran at that time in another process
  const Selected both = selected("step:0-1", trace);
  CHECK(both.gpu_events == Names{"gemm", "add", "mul"});
  CHECK(both.calls == Names{"nn.Module: Linear_0", "aten::mm", "aten::add", "aten::mul"});
  CHECK(both.host_time == std::vector<Interval>{{1000_us, 2000_us}, {3000_us, 4000_us}});
  CHECK(selected("step:1-99", trace).gpu_events == second.gpu_events);
}

TEST_CASE("scope selection: a call is in the step in which it begins, the step's end not included") {
  const Trace trace = TestTrace()
                          .annotation("ProfilerStep#1", 10_us, 20_us)
                          .annotation("ProfilerStep#2", 20_us, 30_us)
                          .op("before", 9_us, 12_us)
                          .op("at the begin", 10_us, 11_us)
                          .op("across", 19_us, 25_us)
                          .thread(2)
                          .op("at the end", 20_us, 21_us)
                          .load();
  CHECK(selected("step:0", trace).calls == Names{"at the begin", "across"});
  CHECK(selected("ProfilerStep#2", trace).calls == Names{"at the end"});
}

TEST_CASE("scope selection: phases are those of the steps' annotations") {
  const Trace trace = two_steps().load();
  CHECK(selected("phase:prefill", trace).gpu_events == Names{"gemm"});
  CHECK(selected("phase:decode", trace).gpu_events == Names{"add", "mul"});
}

TEST_CASE("scope selection: a name chooses steps and other annotations") {
  const Trace trace = two_steps().load();
  CHECK(selected("execute_context_0*", trace).gpu_events == Names{"add", "mul"});
  CHECK(selected("execute*", trace).gpu_events == Names{"gemm", "add", "mul"});
  const Selected sampling = selected("sampling", trace);
  CHECK(sampling.gpu_events == Names{"mul"});
  CHECK(sampling.calls == Names{"aten::mul"});
  CHECK(sampling.host_time == std::vector<Interval>{{3500_us, 3900_us}});
}

TEST_CASE("scope selection: a module has what its call contains and launched") {
  const Trace trace = two_steps().load();
  for (const std::string_view scope :
       {"module:Linear", "module:Linear_0", "module:Lin*", "module:nn.Module: Linear_0", "module:nn.Module: Linear*"}) {
    CAPTURE(std::string(scope));
    const Selected linear = selected(scope, trace);
    CHECK(linear.gpu_events == Names{"gemm"});
    CHECK(linear.calls == Names{"nn.Module: Linear_0", "aten::mm"});
    CHECK(linear.host_time == std::vector<Interval>{{1050_us, 1300_us}});
  }
}

TEST_CASE("scope selection: a module inside a module of the same class counts once") {
  const Trace trace = TestTrace()
                          .frame("nn.Module: Sequential_0", 0, 100_us)
                          .frame("nn.Module: Sequential_1", 10_us, 50_us)
                          .op("inside", 20_us, 30_us)
                          .op("beside", 60_us, 70_us)
                          .op("behind", 110_us, 120_us)
                          .load();
  const Selected outer = selected("module:Sequential", trace);
  CHECK(outer.calls == Names{"nn.Module: Sequential_0", "nn.Module: Sequential_1", "inside", "beside"});
  CHECK(outer.host_time == std::vector<Interval>{{0, 100_us}});
  CHECK(selected("module:Sequential_1", trace).calls == Names{"nn.Module: Sequential_1", "inside"});
}

TEST_CASE("scope selection: replayed kernels that name their module are in it") {
  const Trace trace = TestTrace()
                          .launch("cudaGraphLaunch", 0, 10_us, 5)
                          .kernel("gemm", 20_us, 30_us, 5, R"("module_fqn": "layers.0.mlp")")
                          .kernel("softmax", 40_us, 50_us, 5, R"("module_fqn": "layers.0.attention")")
                          .load();
  CHECK(selected("module:layers.0.mlp", trace).gpu_events == Names{"gemm"});
  CHECK(selected("module:layers.0.*", trace).gpu_events == Names{"gemm", "softmax"});
  CHECK(failure_of("module:layers.1.mlp", trace).problem == "no module has this name");
}

TEST_CASE("scope selection: streams and devices choose GPU work and leave host calls alone") {
  const Trace trace = two_steps().load();
  CHECK(selected("stream:7", trace).gpu_events == Names{"gemm", "add"});
  CHECK(selected("device:1", trace).gpu_events == Names{"mul", "queued before"});
  CHECK(selected("stream:7", trace).calls.size() == 6);
  CHECK(selected("stream:20,device:1", trace).gpu_events == Names{"mul", "queued before"});
}

TEST_CASE("scope selection: a window has what begins in it, counted from the trace's first event") {
  const Trace trace = two_steps().load();                       // begins at 100 us, with a kernel
  const Selected window = selected("window:1ms-5.1ms", trace);  // 1100 to 5200 us
  CHECK(window.gpu_events == Names{"gemm"});  // at 5000 us; the kernel at 5200 us begins where the window ends
  CHECK(window.calls == Names{"aten::mm", "between", "aten::add", "aten::mul", "other process"});
  CHECK(window.host_time == std::vector<Interval>{{1100_us, 5200_us}});
  CHECK(selected("window:0ns-1ns", trace).gpu_events == Names{"queued before"});
}

TEST_CASE("scope selection: all conditions must hold") {
  const Trace trace = two_steps().load();
  const Selected both = selected("step:1,stream:20", trace);
  CHECK(both.gpu_events == Names{"mul"});
  CHECK(both.calls == Names{"aten::add", "aten::mul"});
  const Selected cut = selected("step:1,window:3.4ms-1s", trace);  // from 3500 us
  CHECK(cut.calls == Names{"aten::mul"});
  CHECK(cut.host_time == std::vector<Interval>{{3500_us, 4000_us}});
}

TEST_CASE("scope selection: operators without a time of their own stand with their launch") {
  const Trace trace = TestTrace()
                          .annotation("ProfilerStep#1", 0, 100_us)
                          .op("vllm::moe_forward", 10_us, 200_us)
                          .launch("hipLaunchKernel", 20_us, 22_us, 1)
                          .launch("hipLaunchKernel", 120_us, 122_us, 2)
                          .kernel("_matmul_ogs_swiglu", 300_us, 310_us, 1)
                          .kernel("_matmul_ogs", 320_us, 330_us, 2)
                          .load();
  const CallTree tree = CallTree::build(trace, {.with_pseudo_operators = true});
  const ScopeSelection selection = select(parse_scope("step:0"), tree, Steps::find(tree).steps());
  CHECK(selection.contains(node_named(tree, "pseudo_op::moe_triton_unfused_up")));
  CHECK_FALSE(selection.contains(node_named(tree, "pseudo_op::moe_triton_unfused_down")));
}

TEST_CASE("scope selection: a scope that matches nothing says what there is") {
  const Trace trace = two_steps().load();
  struct Case {
    std::string_view scope;
    std::string_view problem;
    std::string_view accepted;
  };
  const std::string steps = "execute_context_1(5)_generation_0(0) to execute_context_0(0)_generation_4(4)";
  const Case cases[] = {
      {"step:2", "there is no step at this position", "there are steps 0 to 1, "},
      {"ProfilerStep#12", "no annotation has this name", "there are "},
      {"phase:mixed", "no step is of this phase", "there are phase:prefill, phase:decode"},
      {"module:Conv2d", "no module has this name", "there are module:Linear"},
      {"stream:8", "no GPU work ran on this stream", "there are stream:7, stream:20"},
      {"device:3", "no GPU work ran on this device", "there are device:0, device:1"},
      {"window:6ms-7ms", "the window begins behind the trace's end", "the trace is 5.400 ms long"},
  };
  for (const Case& row : cases) {
    CAPTURE(std::string(row.scope));
    const Failure failure = failure_of(row.scope, trace);
    CHECK(failure.code == ErrorCode::scope_matches_nothing);
    CHECK(failure.received == row.scope);
    CHECK(failure.problem == row.problem);
    CHECK(failure.accepted.starts_with(row.accepted));
  }
  CHECK(failure_of("ProfilerStep#12", trace).accepted == "there are " + steps);
  CHECK(failure_of("step:0", trace, false).accepted == "the trace has no steps");
  CHECK(failure_of("x", trace, false).accepted ==
        "there are execute_context_1(5)_generation_0(0), execute_context_0(0)_generation_4(4), sampling");
}

TEST_CASE("scope selection: of conditions that exclude one another the failure names which leaves nothing of which") {
  const Trace trace = two_steps().load();
  const Failure two = failure_of("step:0,stream:20", trace);
  CHECK(two.code == ErrorCode::scope_matches_nothing);
  CHECK(two.received == "stream:20");
  CHECK(two.problem == "nothing of what step:0 selects is in it, too");
  const Failure three = failure_of("device:1,stream:20,step:0,stream:20", trace);
  CHECK(three.received == "step:0");
  CHECK(three.problem == "nothing of what device:1,stream:20 selects is in it, too");
  // One condition that something could fulfil, were it there: 300 to 900 us is after one kernel, before the first call.
  const Failure gap = failure_of("window:300us-900us", trace);
  CHECK(gap.received == "window:300us-900us");
  CHECK(gap.problem == "no host call and no GPU work is in it");
  CHECK(gap.accepted == "the trace is 5.400 ms long");  // from 100 to 5500 us
}

TEST_CASE("scope selection: of a range of steps those that there are are selected, and the others are counted") {
  const Trace trace = two_steps().load();
  const CallTree tree = CallTree::build(trace);
  const Steps steps = Steps::find(tree);
  const auto beyond = [&](std::string_view scope) {
    return select(parse_scope(scope), tree, steps.steps()).diagnostics().count(tree_diagnostics::scope_beyond_steps);
  };
  CHECK(beyond("all") == 0);
  CHECK(beyond("step:0-1") == 0);
  CHECK(beyond("step:0-2") == 1);
  CHECK(beyond("step:1-9") == 8);  // 2 to 9
  CHECK(beyond("step:0-18446744073709551615") == 18'446'744'073'709'551'614U);
  CHECK(selected("step:1-9", trace).gpu_events == selected("step:1", trace).gpu_events);
  CHECK(failure_of("step:2-9", trace).accepted.starts_with("there are steps 0 to 1"));
}

TEST_CASE("scope selection: an empty trace has a whole, and nothing else") {
  const Trace trace = TestTrace().load();
  CHECK(selected("all", trace).gpu_events.empty());
  CHECK(failure_of("stream:7", trace).accepted == "the trace has no GPU work");
  CHECK(failure_of("module:x", trace).accepted == "the trace has no module calls");
  CHECK(failure_of("x", trace).accepted == "the trace has no annotations");
}
}  // namespace kinetoscope
