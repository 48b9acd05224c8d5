// F19 to F23: who is who. Correlation ids that several processes or kernels share, graph replays, synchronisations that
// look like streams, launches by any name.
#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

/// One operator, launch and kernel of a rank; all ranks use correlation id 1001. The kernel starts 10 us later and runs
/// 5 us longer from rank to rank.
void add_rank(SmallTrace& trace, std::int64_t rank, bool text_pid) {
  trace.process = 100 + rank;
  if (text_pid) trace.process_text = fmt::format("\"[TP{:02}-DP00-PP00-EP00] {}\"", rank, trace.process);
  trace.mm(100 * us, 1001,
           {.name = fmt::format("gemm_rank{}", rank),
            .start_ns = (150 + 10 * rank) * us,
            .duration_ns = (30 + 5 * rank) * us,
            .device = rank});
}

void add_merged_ranks(std::vector<DefectCase>& cases) {
  const auto merged = [&](std::string variant, const SmallTrace& trace, std::int64_t ranks) {
    json expected = trace.expected({{"correlation_collision", "present"}});
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      expected["kernels"][fmt::format("gemm_rank{}", rank)] = {{"method", "correlation"}, {"process", 100 + rank}};
    }
    cases.push_back({"F19", std::move(variant), trace.text(), "", std::move(expected)});
  };
  const auto ranks = [](std::int64_t count, bool text_pid) {
    SmallTrace trace;
    for (std::int64_t rank = 0; rank < count; ++rank) add_rank(trace, rank, text_pid);
    return trace;
  };
  merged("two ranks", ranks(2, false), 2);
  merged("eight ranks", ranks(8, false), 8);
  SmallTrace backwards;
  for (const std::int64_t rank : {2, 1, 0}) add_rank(backwards, rank, false);
  merged("ranks in falling order", backwards, 3);
  SmallTrace interleaved = ranks(2, false);  // op, launch, kernel, arrow's start and end: five events a rank
  std::vector<std::string> events;
  for (std::size_t i = 0; i < 5; ++i) events.insert(events.end(), {interleaved.events[i], interleaved.events[5 + i]});
  interleaved.events = events;
  merged("events of two ranks in turn", interleaved, 2);
  SmallTrace text = ranks(2, true);
  json expected = text.expected({{"correlation_collision", "any"}});
  expected["kernels"] = {{"gemm_rank0", {{"method", "correlation"}}}, {"gemm_rank1", {{"method", "correlation"}}}};
  cases.push_back({"F19", "text pids of a serving engine's merger", text.text(), "", std::move(expected)});
}

/// Two launches, 1001 and 1002; all kernels say 1001. The arrow, where there is one, names whose 1001 is.
void add_shared_correlations(std::vector<DefectCase>& cases) {
  struct Row {
    std::string_view name;
    std::int64_t stream;
    bool has_arrow;
  };
  const auto shared = [&](std::string variant, const std::vector<Row>& rows) {
    SmallTrace trace;
    trace.op("aten::mm", 100 * us, 20 * us).launch("hipLaunchKernel", 105 * us, 1001);
    trace.op("aten::add_", 125 * us, 20 * us).launch("hipLaunchKernel", 130 * us, 1002);
    json kernels;
    json streams = json::array();
    int ambiguous = 0;
    for (const Row& row : rows) {
      trace.gpu({.name = std::string(row.name),
                 .start_ns = 150 * us,
                 .duration_ns = 30 * us - 9 * us * ambiguous,
                 .correlation = 1001,
                 .stream = row.stream,
                 .is_linked = row.has_arrow});
      if (row.has_arrow) trace.arrow_start(1001, 105 * us).arrow_end(1001, 150 * us, 0, row.stream);
      kernels[std::string(row.name)] = {{"method", row.has_arrow ? "correlation" : "none"},
                                        {"stream", fmt::format("{}", row.stream)}};
      if (!row.has_arrow) ++ambiguous;
    }
    json expected = trace.expected(
        {{"ambiguous_correlation", ambiguous}, {"launch_without_kernel", "any"}, {"unlinked_kernel", "any"}});
    expected.erase("launches_without_kernel");
    expected["kernels"] = kernels;
    cases.push_back({"F20", std::move(variant), trace.text(), "", std::move(expected)});
  };
  shared("the first has the arrow", {{"gemm_a", 94'312'345'678'912, true}, {"add_b", 9'007'199'254'740'993, false}});
  shared("the second has the arrow", {{"gemm_a", 7, false}, {"add_b", 13, true}});
  shared("three, one has the arrow", {{"gemm_a", 7, true}, {"add_b", 13, false}, {"mul_c", 14, false}});
  shared("no arrow: nothing tells them apart", {{"gemm_a", 7, false}, {"add_b", 13, false}});
  shared("streams that doubles confuse",
         {{"gemm_a", 9'007'199'254'740'993, true}, {"add_b", 9'007'199'254'740'992, false}});
}

void add_graph_replays(std::vector<DefectCase>& cases) {
  struct Replay {
    std::string_view variant;
    std::string_view launch;
    std::string_view category;
    int replays;
    bool has_arrows;
    std::string_view more_args;
  };
  const std::vector<Replay> replays = {
      {"HIP", "hipGraphLaunch", "cuda_runtime", 1, true, ""},
      {"CUDA, without arrows", "cudaGraphLaunch", "cuda_runtime", 1, false, ""},
      {"the driver's call", "cuGraphLaunch", "cuda_driver", 1, true, ""},
      {"a longer name", "cudaGraphLaunch_ptsz", "cuda_runtime", 1, true, ""},
      {"five replays", "hipGraphLaunch", "cuda_runtime", 5, true, ""},
      {"node ids", "cudaGraphLaunch", "cuda_runtime", 2, true, R"(, "graph id": 5, "graph node id": 21474836481)"},
  };
  for (const Replay& replay : replays) {
    SmallTrace trace;
    for (int i = 0; i < replay.replays; ++i) {
      // Kernels of 100, 200 and 40 us back to back; a replay starts where its predecessor ended.
      const std::int64_t start_ns = (160 + 340 * i) * us;
      trace.op("step_fn", (90 + 340 * i) * us, 60 * us)
          .launch(replay.launch, (100 + 340 * i) * us, 500 + i, replay.category);
      const auto kernel = [&](std::string name, std::int64_t after_us, std::int64_t duration_us) {
        trace.gpu({.name = std::move(name),
                   .start_ns = start_ns + after_us * us,
                   .duration_ns = duration_us * us,
                   .correlation = 500 + i,
                   .more_args = std::string(replay.more_args)});
      };
      kernel("attention_fwd_kernel", 0, 100);
      kernel("Cijk_Alik_Bljk_BBS_BH_MT128x128", 100, 200);
      kernel("moe_topk_kernel", 300, 40);
      if (replay.has_arrows) trace.arrow_start(500 + i, (100 + 340 * i) * us).arrow_end(500 + i, start_ns);
    }
    json expected = trace.expected({{"graph_replayed_kernels", 3 * replay.replays}});
    expected["kind"] = "graph_replay";
    cases.push_back({"F21", std::string(replay.variant), trace.text(), "", std::move(expected)});
  }
}

/// Waiting is no GPU work and its row no stream: the core's figures, one stream.
void add_sync_events(std::vector<DefectCase>& cases) {
  const auto waiting = [&](std::string variant, std::string_view name, std::string_view row, std::string_view stream,
                           int duration_us) {
    SmallTrace trace = SmallTrace::core();
    trace.call("hipDeviceSynchronize", 255 * us, duration_us * us, 2002);
    trace.add(
        fmt::format(R"({{"ph": "X", "cat": "cuda_sync", "name": "{}", "pid": 0, "tid": {}, "ts": 255, "dur": {}, )"
                    R"("args": {{"stream": {}, "correlation": 2002, "device": 0, "wait_on_stream": 7}}}})",
                    name, row, duration_us, stream));
    json expected = trace.expected(json::object());
    expected["streams"] = {7};
    cases.push_back({"F22", std::move(variant), trace.text(), "", std::move(expected)});
  };
  waiting("stream -1", "Event Sync", "-1", "-1", 70);
  waiting("stream 2^32 - 1", "Context Sync", "4294967295", "4294967295", 900);
  waiting("stream 2^64 - 1", "Context Sync", "18446744073709551615", "18446744073709551615", 900);
  waiting("a row of its own: stream + 1,000,000", "Stream Sync", "1000007", "7", 900);
  waiting("in the stream's own row", "Stream Wait Event", "7", "7", 900);
  waiting("of no length", "Stream Wait Event", "-1", "-1", 0);
}

/// Six launches of one name, kernels on stream 0 at 200 us and each 90 us later, 40 us long: busy 240, span 490 us.
void add_launch_names(std::vector<DefectCase>& cases) {
  const auto named = [&](std::string variant, const std::vector<std::string>& names, std::string_view category,
                         bool is_known) {
    SmallTrace trace;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto place = static_cast<std::int64_t>(i);
      const std::int64_t start_ns = (200 + 90 * place) * us;
      trace.op("aten::mm", (100 + 30 * place) * us, 20 * us)
          .launch(names[i % names.size()], (105 + 30 * place) * us, 1001 + place, category);
      trace.gpu({.name = fmt::format("kern_{}", i),
                 .start_ns = start_ns,
                 .duration_ns = 40 * us,
                 .correlation = 1001 + place,
                 .stream = 0});
      trace.arrow_start(1001 + place, (105 + 30 * place) * us).arrow_end(1001 + place, start_ns, 0, 0);
    }
    json expected = trace.expected(json::object());
    expected["streams"] = {0};
    if (!is_known) expected.erase("launches");
    cases.push_back({"F23", std::move(variant), trace.text(), "", std::move(expected)});
  };
  named("runtimes' names",
        {"cudaLaunchKernel", "cudaLaunchKernelExC", "hipLaunchKernel", "hipExtModuleLaunchKernel",
         "hipModuleLaunchKernel", "hipExtLaunchKernel"},
        "cuda_runtime", true);
  named("the driver's names", {"cuLaunchKernel", "cuLaunchKernelEx"}, "cuda_driver", true);
  named("cooperative launches", {"cudaLaunchCooperativeKernel", "hipLaunchCooperativeKernel"}, "cuda_runtime", true);
  named("another vendor's name", {"urEnqueueKernelLaunchWithArgsExp"}, "xpu_runtime", true);
  named("a number instead of a name", {"cbid_652"}, "cuda_runtime", false);
}
}  // namespace

std::vector<DefectCase> identity_defects() {
  std::vector<DefectCase> cases;
  add_merged_ranks(cases);
  add_shared_correlations(cases);
  add_graph_replays(cases);
  add_sync_events(cases);
  add_launch_names(cases);
  return cases;
}
}  // namespace kinetoscope::examples
