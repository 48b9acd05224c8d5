#include "core/tree/launch_links.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/call_tree.hpp"
#include "core/tree/diagnostics.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

/// "kernel <- launch (method)" or "kernel: cause", for each GPU event in file order.
std::vector<std::string> links(const Trace& trace) {
  const CallTree tree = CallTree::build(trace);
  std::vector<std::string> out;
  for (const EventId event : trace.gpu_events()) {
    const GpuLink link = tree.link(event);
    std::string line(trace.name_text(event));
    if (link.launch == no_event) {
      line += ": " + std::string(spelling_of(link.cause));
    } else {
      line += " <- " + std::string(trace.name_text(link.launch)) + " (" + std::string(spelling_of(link.method)) + ")";
    }
    out.push_back(std::move(line));
  }
  return out;
}

std::vector<std::string> links(const TestTrace& events) { return links(events.load()); }

std::uint64_t count(const TestTrace& events, const DiagnosticKind& kind) {
  const Trace trace = events.load();
  return CallTree::build(trace).diagnostics().count(kind);
}

using Lines = std::vector<std::string>;
}  // namespace

TEST_CASE("launch links: a kernel belongs to the call with its correlation id, arrow or not") {
  const TestTrace events = TestTrace()
                               .launch("with arrow", 0, 10_us, 7)
                               .arrow_from_thread(7, 0)
                               .arrow_to_stream(7, 50_us)
                               .launch("without", 20_us, 30_us, 8)
                               .kernel("a", 50_us, 60_us, 7)
                               .kernel("b", 70_us, 80_us, 8);
  CHECK(links(events) == Lines{"a <- with arrow (correlation)", "b <- without (correlation)"});
  CHECK(count(events, tree_diagnostics::linked_without_flow) == 1);
  CHECK(count(events, tree_diagnostics::unlinked_kernel) == 0);
}

TEST_CASE("launch links: id 0 is no id") {
  const TestTrace events = TestTrace()
                               .launch("zero", 0, 10_us, 0, R"("correlation": 0)")
                               .launch("one", 20_us, 30_us, 1)
                               .kernel("a", 50_us, 60_us, 0, R"("correlation": 0)")
                               .arrow_from_thread(0, 0)
                               .arrow_to_stream(0, 50_us);
  CHECK(links(events) == Lines{"a: no_identity"});
}

TEST_CASE("launch links: work without a recorded call was queued before the window, or its call is missing") {
  const TestTrace events = TestTrace()
                               .launch("launch", 0, 10_us, 100)
                               .kernel("early", 1_us, 2_us, 99)
                               .kernel("late", 50_us, 60_us, 101)
                               .kernel("linked", 70_us, 80_us, 100);
  CHECK(links(events) ==
        Lines{"early: queued_before_window", "late: launch_not_recorded", "linked <- launch (correlation)"});
  CHECK(count(events, tree_diagnostics::unlinked_kernel) == 2);
}

TEST_CASE("launch links: a trace without launches has one population, and nothing is missing") {
  const TestTrace events = TestTrace().kernel("a", 0, 10_us, 5).kernel("b", 20_us, 30_us, 6);
  CHECK(links(events) == Lines{"a: launch_not_recorded", "b: launch_not_recorded"});
  CHECK(count(events, tree_diagnostics::unlinked_kernel) == 0);
  const Trace trace = events.load();
  CHECK_FALSE(CallTree::build(trace).has_launches());
}

TEST_CASE("launch links: ids of merged ranks are told apart by the order of their arrows") {
  const TestTrace events = TestTrace()
                               .thread(1, 100)
                               .stream(7, 0)
                               .launch("rank 0", 0, 10_us, 5)
                               .arrow_from_thread(5, 0)
                               .arrow_to_stream(5, 50_us)
                               .kernel("a", 50_us, 60_us, 5)
                               .thread(1, 200)
                               .stream(7, 1)
                               .launch("rank 1", 2_us, 12_us, 5)
                               .arrow_from_thread(5, 2_us)
                               .arrow_to_stream(5, 55_us)
                               .kernel("b", 55_us, 65_us, 5);
  CHECK(links(events) == Lines{"a <- rank 0 (correlation_and_arrow)", "b <- rank 1 (correlation_and_arrow)"});
  CHECK(count(events, tree_diagnostics::correlation_collision) == 2);  // launches
  CHECK(count(events, tree_diagnostics::ambiguous_correlation) == 0);
}

TEST_CASE("launch links: without arrows the device that a process owns decides") {
  TestTrace events;
  events.thread(1, 100).stream(7, 0).launch("own 0", 0, 1_us, 1).kernel("k0", 10_us, 11_us, 1);
  events.thread(1, 200).stream(7, 1).launch("own 1", 0, 1_us, 2).kernel("k1", 10_us, 11_us, 2);
  events.thread(1, 100).launch("rank 0", 20_us, 21_us, 5);
  events.thread(1, 200).launch("rank 1", 20_us, 21_us, 5);
  events.stream(7, 0).kernel("a", 30_us, 31_us, 5).stream(9, 1).kernel("b", 30_us, 31_us, 5);
  CHECK(links(events) == Lines{"k0 <- own 0 (correlation)", "k1 <- own 1 (correlation)",
                               "a <- rank 0 (correlation_and_device)", "b <- rank 1 (correlation_and_device)"});

  SUBCASE("a device that two processes use decides nothing") {
    events.thread(1, 200).launch("own 0 too", 40_us, 41_us, 3).stream(7, 0).kernel("k2", 50_us, 51_us, 3);
    const Lines found = links(events);
    CHECK(found[2] == "a: ambiguous_correlation");
    CHECK(found[3] == "b <- rank 1 (correlation_and_device)");
    CHECK(count(events, tree_diagnostics::ambiguous_correlation) == 1);
  }
}

TEST_CASE("launch links: what nothing tells apart is ambiguous, unlinked and counted") {
  const TestTrace events = TestTrace()
                               .thread(1, 100)
                               .launch("rank 0", 0, 10_us, 5)
                               .thread(1, 200)
                               .launch("rank 1", 0, 10_us, 5)
                               .kernel("a", 50_us, 60_us, 5)
                               .stream(7, 1)
                               .kernel("b", 50_us, 60_us, 5);
  CHECK(links(events) == Lines{"a: ambiguous_correlation", "b: ambiguous_correlation"});
  CHECK(count(events, tree_diagnostics::ambiguous_correlation) == 2);
}

TEST_CASE("launch links: a graph launch owns all GPU work of its id, whatever it is called") {
  const auto kernels = [](TestTrace events, std::string_view arguments) {
    return events.kernel("a", 50_us, 60_us, 5, arguments)
        .kernel("b", 70_us, 80_us, 5, arguments)
        .copy("c", 90_us, 91_us, 5);
  };
  const Lines all = {"a <- launch (correlation)", "b <- launch (correlation)", "c <- launch (correlation)"};
  for (const std::string_view name : {"cudaGraphLaunch", "cuGraphLaunch", "hipGraphLaunch", "cudaGraphLaunch_v10000"}) {
    CAPTURE(std::string(name));
    Lines named = all;
    for (std::string& line : named) line.replace(line.find("launch"), 6, name);
    CHECK(links(kernels(TestTrace().launch(name, 0, 10_us, 5), {})) == named);
  }
  CHECK(links(kernels(TestTrace().launch("launch", 0, 10_us, 5), R"("graph id": 3)")) == all);
  CHECK(links(kernels(TestTrace().launch("launch", 0, 10_us, 5), R"("graph node id": 12884901889)")) == all);
}

TEST_CASE("launch links: any other call owns the one event that its arrow names") {
  const TestTrace events = TestTrace()
                               .launch("cudaLaunchKernel", 0, 10_us, 5)
                               .arrow_from_thread(5, 0)
                               .arrow_to_stream(5, 70_us)
                               .kernel("a", 50_us, 60_us, 5)
                               .kernel("b", 70_us, 80_us, 5);
  CHECK(links(events) == Lines{"a: ambiguous_correlation", "b <- cudaLaunchKernel (correlation_and_arrow)"});
}

TEST_CASE("launch links: any other call owns the only event that it can have launched") {
  const TestTrace events = TestTrace()
                               .launch("cudaLaunchKernel", 40_us, 45_us, 5)
                               .kernel("before", 10_us, 20_us, 5)
                               .kernel("behind", 50_us, 60_us, 5);
  CHECK(links(events)[0] == "before: ambiguous_correlation");
  CHECK(links(events)[1] == "behind <- cudaLaunchKernel (correlation_and_device)");
}

TEST_CASE("launch links: a runtime call and the driver call that it makes are one launch, the outer one") {
  const TestTrace events = TestTrace()
                               .launch("cudaLaunchKernel", 0, 10_us, 5)
                               .driver("cuLaunchKernel", 2_us, 8_us, 5)
                               .kernel("a", 50_us, 60_us, 5);
  CHECK(links(events)[0].starts_with("a <- cudaLaunchKernel"));
  CHECK(count(events, tree_diagnostics::ambiguous_correlation) == 0);
  CHECK(count(events, tree_diagnostics::correlation_collision) == 0);
  const Trace trace = events.load();
  CHECK(CallTree::build(trace).launches().total == 1);
}

TEST_CASE("launch links: of calls that start together and share an id, one without a duration comes last") {
  constexpr std::string_view without =
      R"({"ph": "X", "cat": "cuda_runtime", "name": "without", "pid": 1, "tid": 1, "ts": 0, "args": {"correlation": 5}})";
  const auto rest = [](TestTrace events) {
    return events.arrow_from_thread(5, 0).arrow_to_stream(5, 50_us).kernel("a", 50_us, 60_us, 5);
  };
  const TestTrace first = rest(TestTrace().event(without).launch("with", 0, 10_us, 5));
  const TestTrace last = rest(TestTrace().launch("with", 0, 10_us, 5).event(without));
  const TestTrace between = rest(TestTrace().launch("within", 0, 4_us, 5).event(without).launch("with", 0, 10_us, 5));
  for (const TestTrace& events : {first, last, between}) {
    CHECK(links(events) == Lines{"a <- with (correlation_and_arrow)"});
    CHECK(count(events, tree_diagnostics::correlation_collision) == 2);  // the one with, which is around within
  }
}

TEST_CASE(
    "launch links: an id that no launch has leaves the arrow to decide, and there is nothing to compare it with") {
  const TestTrace events = TestTrace()
                               .launch("launch", 0, 10_us, 0)
                               .arrow_from_thread(77, 0)
                               .arrow_to_stream(77, 50_us)
                               .kernel("a", 50_us, 60_us, 77);
  CHECK(links(events) == Lines{"a <- launch (flow)"});
  CHECK(count(events, tree_diagnostics::flow_disagrees) == 0);
}

TEST_CASE("launch links: without a correlation id the arrow that ends at the event decides") {
  const TestTrace events = TestTrace()
                               .launch("launch", 0, 10_us, 0)
                               .arrow_from_thread(77, 0)
                               .arrow_to_stream(77, 50_us)
                               .kernel("a", 50_us, 60_us, 0)
                               .kernel("b", 70_us, 80_us, 0);
  CHECK(links(events) == Lines{"a <- launch (flow)", "b: no_identity"});
  CHECK(count(events, tree_diagnostics::linked_by_flow) == 1);
}

TEST_CASE("launch links: External id comes last, and pairs calls and work by time when there are as many") {
  TestTrace events;
  events.launch("cudaLaunchKernel", 20_us, 21_us, 0, R"("External id": 4)")
      .launch("cudaMemsetAsync", 10_us, 11_us, 0, R"("External id": 4)")
      .launch("cudaStreamSynchronize", 30_us, 31_us, 0, R"("External id": 4)")
      .kernel("second", 70_us, 80_us, 0, R"("External id": 4)")
      .kernel("first", 50_us, 60_us, 0, R"("External id": 4)");
  CHECK(links(events) == Lines{"second <- cudaLaunchKernel (external_id)", "first <- cudaMemsetAsync (external_id)"});
  CHECK(count(events, tree_diagnostics::linked_by_external_id) == 2);

  SUBCASE("with another event it is open which one has no call") {
    events.kernel("third", 90_us, 95_us, 0, R"("External id": 4)");
    CHECK(links(events) ==
          Lines{"second: ambiguous_correlation", "first: ambiguous_correlation", "third: ambiguous_correlation"});
  }
}

TEST_CASE("launch links: an arrow that names another call than the id is not followed, and counted") {
  const TestTrace events = TestTrace()
                               .launch("right", 0, 10_us, 5)
                               .launch("wrong", 20_us, 30_us, 6)
                               .arrow_from_thread(5, 20_us)
                               .arrow_to_stream(5, 50_us)
                               .kernel("a", 50_us, 60_us, 5);
  CHECK(links(events) == Lines{"a <- right (correlation)"});
  CHECK(count(events, tree_diagnostics::flow_disagrees) == 1);
  const TestTrace nowhere = TestTrace()
                                .launch("right", 0, 10_us, 5)
                                .arrow_from_thread(5, 0)
                                .arrow_to_stream(5, 55_us)
                                .kernel("a", 50_us, 60_us, 5);
  CHECK(links(nowhere) == Lines{"a <- right (correlation)"});
  CHECK(count(nowhere, tree_diagnostics::flow_target_missing) == 1);
}

TEST_CASE("launch links: an arrow's end on the host links nothing") {
  const TestTrace events = TestTrace()
                               .launch("launch", 0, 10_us, 5)
                               .arrow_from_thread(5, 0)
                               .arrow_to_thread(5, 0)
                               .kernel("a", 50_us, 60_us, 6);
  CHECK(links(events) == Lines{"a: launch_not_recorded"});
}

TEST_CASE("launch links: arrows between kernels are dependencies, no launches") {
  const Trace trace = TestTrace()
                          .launch("cudaGraphLaunch", 0, 10_us, 5)
                          .kernel("a", 50_us, 60_us, 5)
                          .kernel("b", 70_us, 80_us, 5)
                          .arrow_from_stream(900, 60_us)
                          .arrow_to_stream(900, 70_us)
                          .load();
  const CallTree tree = CallTree::build(trace);
  REQUIRE(tree.kernel_edges().size() == 1);
  CHECK(tree.kernel_edges()[0] == KernelEdge{event_named(trace, "a"), event_named(trace, "b")});
  CHECK(links(trace) == Lines{"a <- cudaGraphLaunch (correlation)", "b <- cudaGraphLaunch (correlation)"});
  CHECK(tree.diagnostics().count(tree_diagnostics::flow_disagrees) == 0);
}

TEST_CASE("launch links: work that starts before its launch is linked, and counted beyond a microsecond") {
  CHECK(count(TestTrace().launch("l", 100_us, 110_us, 5).kernel("k", 90_us, 95_us, 5),
              tree_diagnostics::kernel_before_launch) == 1);
  CHECK(count(TestTrace().launch("l", 100_us, 110_us, 5).kernel("k", 99_us, 105_us, 5),
              tree_diagnostics::kernel_before_launch) == 0);
}

TEST_CASE("launch links: many calls and many devices of one id cost their number") {
  constexpr int ranks = 20'000;  // 4e8 pairs of call and device
  TestTrace events;
  for (int i = 0; i < ranks; ++i) {
    events.thread(1, 100).stream(7, i).launch("own", i, i + 1, i + 1).kernel("k", 50_us, 51_us, i + 1);
    events.thread(1, 100).launch("same", i, i + 1, 1'000'000).kernel("s", 60_us, 61_us, 1'000'000);
  }
  const Trace trace = events.load();
  const CallTree tree = CallTree::build(trace);
  CHECK(tree.diagnostics().count(tree_diagnostics::ambiguous_correlation) == ranks);
}

TEST_CASE("launch links: recorded traces link what was counted in them") {
  struct Case {
    std::string_view trace;
    std::size_t linked;
    std::size_t gpu_events;
  };
  // Linked by arrows and exact graph launch names alone: 2604 of resnet's. Its 81 memsets without a start arrow have a
  // call with their id, so 2685.
  const Case cases[] = {
      {"mi300/gaunernst_bert-small-uncased__1016001.json.gz", 61, 61},
      {"h100/gaunernst_bert-small-uncased__1016001.json.gz", 61, 61},
      {"mi210/gpu_only_trace/gpu_only_trace.json.gz", 562, 562},
      {"torch_compile_triton/trace.json.gz", 12, 12},
      {"mi300/resnet_act_checkpoint.json.gz", 2604 + 81, 3653},
      {"mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 1517 - 463, 1517},
      {"h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 1707 - 509, 1707},
      {"inference/vllm_decode_full/graph_execution.json.gz", 434, 434},
      {"mi300/facebook_timesformer-base-finetuned-k400__1016002.json.gz", 449, 449},
  };
  for (const Case& row : cases) {
    CAPTURE(std::string(row.trace));
    const Trace trace = shared_trace(row.trace);
    const CallTree tree = CallTree::build(trace);
    CHECK(trace.gpu_events().size() == row.gpu_events);
    CHECK(tree.linked_gpu_events().size() == row.linked);
    CHECK(tree.diagnostics().count(tree_diagnostics::ambiguous_correlation) == 0);
  }
}
}  // namespace kinetoscope
