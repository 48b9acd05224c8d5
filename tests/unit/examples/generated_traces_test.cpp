#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "examples/generator/feature_names.hpp"
#include "examples/generator/scenarios.hpp"
#include "examples/generator/stories.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

/// A time of the text, which may be text itself, in nanoseconds. Exact: ours are below 2^52 us / 1000.
std::int64_t nanoseconds(const json& value) {
  const double time_us = value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
  return std::llround(time_us * 1000.0);
}

struct Named {
  std::string name;
  TraceOptions options;
  Generated trace;
};

/// Every scenario in both flavours and layouts, and with each feature.
std::vector<Named> many_traces() {
  std::vector<TraceOptions> variants;
  for (const Flavour flavour : {Flavour::cuda, Flavour::hip}) {
    for (const Layout layout : {Layout::compact, Layout::kineto}) {
      TraceOptions options;
      options.flavour = flavour;
      options.layout = layout;
      options.collectives = options.stacks = options.modules = options.memory_events = layout == Layout::kineto;
      options.header_first = layout == Layout::compact;
      options.framework = layout == Layout::kineto ? Framework::sglang : Framework::vllm;
      options.steps = 4;
      variants.push_back(options);
    }
  }
  for (const NamedFeature& feature : named_features()) {
    TraceOptions options;
    options.collectives = true;
    feature.turn_on(options.features);
    variants.push_back(options);
  }
  std::vector<Named> traces;
  for (const TraceOptions& options : variants) {
    const auto name = fmt::format("variant {}", traces.size());
    traces.push_back({name + " training", options, training_trace(options)});
    traces.push_back({name + " decode", options, decode_trace(options)});
    traces.push_back({name + " capture", options, capture_trace(options)});
  }
  return traces;
}

bool is_gpu_work(const json& event) {
  const std::string category = event.value("cat", "");
  return category == "kernel" || category == "gpu_memcpy";
}
}  // namespace

TEST_CASE("generated traces: the text is JSON with as many events, kernels and as much kernel time as the truth says") {
  for (const Named& named : many_traces()) {
    CAPTURE(named.name);
    const json document = json::parse(named.trace.text);
    std::int64_t kernels = 0;
    std::int64_t gpu_events = 0;
    std::int64_t kernel_sum_ns = 0;
    for (const json& event : document.at("traceEvents")) {
      if (event.value("cat", "") == "kernel") ++kernels;
      if (!is_gpu_work(event)) continue;
      ++gpu_events;
      kernel_sum_ns += nanoseconds(event.at("dur"));
    }
    CHECK(std::ssize(document.at("traceEvents")) == named.trace.truth.events);
    CHECK(kernels == named.trace.truth.kernels);
    CHECK(gpu_events == named.trace.truth.gpu.events);
    CHECK(kernel_sum_ns == named.trace.truth.gpu.kernel_sum_ns);
  }
}

TEST_CASE("generated traces: calls of a thread lie inside one another or apart") {
  for (const Named& named : many_traces()) {
    CAPTURE(named.name);
    std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>> calls;
    const json document = json::parse(named.trace.text);
    for (const json& event : document.at("traceEvents")) {
      const std::string category = event.value("cat", "");
      if (category != "cpu_op" && category != "cuda_runtime" && category != "python_function") continue;
      const std::int64_t start_ns = nanoseconds(event.at("ts"));
      calls[event.at("tid").dump()].emplace_back(start_ns, -(start_ns + nanoseconds(event.at("dur"))));
    }
    std::int64_t crossings = 0;
    for (auto& [thread, intervals] : calls) {
      std::sort(intervals.begin(), intervals.end());  // by start, the longer first
      std::vector<std::int64_t> open_ends;
      for (const auto& [start_ns, negative_end_ns] : intervals) {
        while (!open_ends.empty() && open_ends.back() <= start_ns) open_ends.pop_back();
        if (!open_ends.empty() && -negative_end_ns > open_ends.back()) ++crossings;
        open_ends.push_back(-negative_end_ns);
      }
    }
    CHECK(crossings == 0);
  }
}

TEST_CASE("generated traces: work follows its launch, and each arrow ends where its work starts") {
  for (const Named& named : many_traces()) {
    CAPTURE(named.name);
    const json document = json::parse(named.trace.text);
    std::map<std::int64_t, std::int64_t> call_start_ns;
    for (const json& event : document.at("traceEvents")) {
      if (event.value("cat", "") != "cuda_runtime") continue;
      call_start_ns[event.at("args").at("correlation").get<std::int64_t>()] = nanoseconds(event.at("ts"));
    }
    std::int64_t unlinked = 0;
    for (const json& event : document.at("traceEvents")) {
      if (!is_gpu_work(event)) continue;
      const auto found = call_start_ns.find(event.at("args").at("correlation").get<std::int64_t>());
      if (found == call_start_ns.end() || found->second >= nanoseconds(event.at("ts"))) ++unlinked;
    }
    CHECK(unlinked == 0);
    CHECK(named.trace.truth.linked == named.trace.truth.gpu.events);
  }
}

TEST_CASE("generated traces: each feature shows in training or in decoding") {
  TraceOptions plain;
  plain.collectives = true;
  const std::string training = training_trace(plain).text;
  const std::string decoding = decode_trace(plain).text;
  for (const NamedFeature& feature : named_features()) {
    CAPTURE(feature.name);
    TraceOptions options = plain;
    feature.turn_on(options.features);
    const bool shows = training_trace(options).text != training || decode_trace(options).text != decoding;
    CHECK(shows);
  }
}

TEST_CASE(
    "generated traces: wide annotations, rounded, begin 1 ns before their first kernel and end 1 ns after the last") {
  TraceOptions options;
  options.steps = 1;
  options.features.wide_annotations = true;
  std::int64_t first_ns = INT64_MAX;
  std::int64_t last_ns = 0;
  std::int64_t annotation_start_ns = 0;
  std::int64_t annotation_end_ns = 0;
  const json document = json::parse(training_trace(options).text);
  for (const json& event : document.at("traceEvents")) {
    const bool is_annotation = event.value("cat", "") == "gpu_user_annotation";
    if (!is_annotation && !is_gpu_work(event)) continue;
    const std::int64_t start_ns = nanoseconds(event.at("ts"));
    const std::int64_t end_ns = start_ns + nanoseconds(event.at("dur"));
    if (is_annotation) {
      annotation_start_ns = start_ns;
      annotation_end_ns = end_ns;
    } else {
      first_ns = std::min(first_ns, start_ns);
      last_ns = std::max(last_ns, end_ns);
    }
  }
  CHECK(first_ns - annotation_start_ns == 1);
  CHECK(annotation_end_ns - last_ns == 1);
}

TEST_CASE("generated traces: the same options give the same bytes") {
  const TraceOptions options;
  CHECK(training_trace(options).text == training_trace(options).text);
  CHECK(decode_trace(options).text == decode_trace(options).text);
}

TEST_CASE("generated traces: a training step's figures are those of its plan") {
  TraceOptions options;
  options.layers = 1;
  options.steps = 1;
  const Truth truth = training_trace(options).truth;
  // Forward: 4 linears, 2 norms, attention, gelu, loss = 9 kernels. Backward: 4 linears of 2, 5 others of 1 = 13.
  // Optimizer: 1. And one copy.
  CHECK(truth.kernels == 23);
  CHECK(truth.gpu.events == 24);
  CHECK(truth.launches == 24);
  // Linears forward 41984 + 16640 + 55552 + 53248 = 167424, dW 46176 + 17504 + 58464 + 59776 = 181920, dX 43232 + 16928
  // + 53920 + 56288 = 170368; norms 2 x (7168 + 12032) = 38400; attention 29536 + 108832 = 138368; gelu 26912 + 40448 =
  // 67360; loss 7712 + 11136 = 18848; optimizer 72576; copy 5120.
  CHECK(truth.gpu.kernel_sum_ns == 519'712 + 38'400 + 138'368 + 67'360 + 18'848 + 72'576 + 5'120);
  // One stream without overlap: what is busy is what adds up.
  CHECK(truth.gpu.busy_ns == truth.gpu.kernel_sum_ns);
  CHECK(truth.gpu.memcpy_ns == 5'120);
  CHECK(truth.steps == std::vector<StepTruth>{{"ProfilerStep#3", "", 24, truth.gpu.busy_ns}});
  CHECK(truth.kind == "eager");
}

TEST_CASE("generated traces: activities that were not recorded are not there") {
  TraceOptions options;
  options.activities = Activities::host;
  const Generated host = training_trace(options);
  CHECK(host.truth.kind == "cpu_only");
  CHECK(host.truth.gpu == GpuFigures{});
  CHECK(host.text.find(R"("cat": "cuda_runtime")") == std::string::npos);
  options.activities = Activities::device;
  const Generated device = training_trace(options);
  CHECK(device.truth.kind == "gpu_only");
  CHECK(device.truth.gpu.events > 0);
  CHECK(device.text.find("cpu_op") == std::string::npos);
}

TEST_CASE("generated traces: merged ranks use the same correlation ids in processes of their own") {
  TraceOptions options;
  options.ranks = 2;
  const Generated trace = training_trace(options);
  std::map<std::int64_t, std::int64_t> kernels_by_correlation;
  const json document = json::parse(trace.text);
  for (const json& event : document.at("traceEvents")) {
    if (event.value("cat", "") == "kernel")
      ++kernels_by_correlation[event.at("args").at("correlation").get<std::int64_t>()];
  }
  for (const auto& [correlation, kernels] : kernels_by_correlation) CHECK(kernels == 2);
  CHECK(trace.truth.streams.size() == 2);
}

TEST_CASE("story of lost replays: 40 graph launches, of which 11 have no kernels") {
  const Truth truth = under_recorded_graphs().truth;
  CHECK(truth.graph_launches == 40);
  CHECK(truth.graph_launches_without_kernel == 11);
  CHECK(truth.kind == "graph_replay");
}

TEST_CASE("story of the dominated window: two of 32 steps have GPU events, one kernel is 99 % of the time") {
  const Truth truth = dominated_window().truth;
  std::int64_t steps_with_work = 0;
  for (const StepTruth& step : truth.steps) steps_with_work += step.gpu_events > 0 ? 1 : 0;
  CHECK(truth.steps.size() == 32);
  CHECK(steps_with_work == 2);
  CHECK(truth.gpu.kernel_sum_ns == 1'750'041'216);
  CHECK(truth.steps[9].busy_ns == 1'750'000'000);
}

TEST_CASE("story of moved lanes: one hardware stream, 1.5 us between a kernel's start and its predecessor's end") {
  const Generated trace = moved_lanes();
  CHECK(trace.truth.kind == "graph_replay_annotated");
  CHECK(trace.truth.streams == std::vector<StreamTruth>{{0, 7, 64}});  // 4 replays of 2 layers of 8 kernels
  // Each replay's 16 kernels overlap 15 times by 1500 ns.
  CHECK(trace.truth.gpu.kernel_sum_ns - trace.truth.gpu.busy_ns == 4 * 15 * 1'500);
  CHECK(trace.text.find("\"original_stream\": 7") != std::string::npos);
  CHECK(trace.text.find("\"module_fqn\": \"model.layers.0.self_attn.qkv_proj\"") != std::string::npos);
  CHECK(trace.text.find("\"graph node id\": 21474836481") != std::string::npos);  // 5 * 2^32 + 1
}
}  // namespace kinetoscope::examples
