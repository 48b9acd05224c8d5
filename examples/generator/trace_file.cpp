// From recordings to one file: header, trailer and truth.
#include <fmt/format.h>

#include "examples/generator/dialect.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/timeline.hpp"

namespace kinetoscope::examples {
namespace {

std::vector<std::int64_t> ranks_below(std::int64_t count) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < count; ++rank) ranks.push_back(rank);
  return ranks;
}

std::string distributed_info(const TraceOptions& options) {
  const std::int64_t world_size = options.features.elided_lists ? 64 : 8;
  return fmt::format(
      "{{\"backend\": \"nccl\", \"rank\": 0, \"world_size\": {0}, \"pg_count\": 1, \"pg_config\": [{{\"pg_name\": "
      "\"0\", "
      "\"pg_desc\": \"default_pg\", \"backend_config\": \"cuda:nccl\", \"pg_size\": {0}, \"ranks\": {1}}}], "
      "\"nccl_version\": \"2.27.7\"}}",
      world_size, list_of(ranks_below(world_size)));
}

/// Kineto writes its flags as 1 and leaves out what is off.
void add_settings(Fields& header, const TraceOptions& options) {
  if (options.shapes) header.number("record_shapes", 1);
  if (options.stacks) header.number("with_stack", 1);
  if (options.modules) header.number("with_modules", 1);
  if (options.memory_events) header.number("profile_memory", 1);
}

Fields metadata_of(const TraceOptions& options) {
  const Features& features = options.features;
  Fields header;
  header.number("schemaVersion", 1);
  add_platform(header, options.flavour, options.ranks);
  // A merged file speaks for no single rank.
  if (options.ranks == 1) header.json("distributedInfo", distributed_info(options));
  add_settings(header, options);
  if (features.host_identity) {
    header.text("host_name", "node-17").text("PT_PROFILER_JOB_NAME", "pretrain-small");
    header.text("PT_PROFILER_JOB_VERSION", "3").text("PT_PROFILER_JOB_ATTEMPT_INDEX", "0");
  }
  if (features.inline_annotations) header.json("cudaGraphInlineAnnotated", "true");
  if (features.log_arrays) {
    header.json("INFO", "[\"[profiler] recording started\"]")
        .json("WARNING", "[\"2 records dropped\"]")
        .json("ERROR", "[]");
  }
  header.text("trace_id", "5C1E9A40D3B84E7F9A0B6C2D1E3F4A5B").text("displayTimeUnit", "ms");
  return header.json("baseTimeNanoseconds", "1767189312000000000");
}

std::string kind_of_trace(const TraceOptions& options, const Truth& truth) {
  if (options.activities == Activities::host) return "cpu_only";
  if (options.activities == Activities::device) return "gpu_only";
  if (truth.gpu.events == 0 && truth.launches > 0) return "graph_capture";
  if (truth.graph_launches == 0) return "eager";
  return options.features.inline_annotations ? "graph_replay_annotated" : "graph_replay";
}

/// The figures of each step, from the slices that it launched.
void add_steps(Truth& truth, const Recording& recording) {
  std::vector<std::vector<GpuSlice>> slices_by_step(recording.steps.size());
  for (const GpuSlice& slice : recording.slices) {
    if (slice.step) slices_by_step[*slice.step].push_back(slice);
  }
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    const GpuFigures figures = figures_of(slices_by_step[step]);
    StepTruth known = recording.steps[step];
    known.gpu_events = figures.events;
    known.busy_ns = figures.busy_ns;
    truth.steps.push_back(std::move(known));
  }
}
}  // namespace

Generated generated_trace(const TraceOptions& options, std::vector<Recording> recordings) {
  Document document;
  Truth truth;
  std::vector<GpuSlice> slices;
  for (Recording& recording : recordings) {
    add_steps(truth, recording);
    slices.insert(slices.end(), recording.slices.begin(), recording.slices.end());
    truth.kernels += recording.kernels;
    truth.launches += recording.launches;
    truth.launches_without_kernel += recording.launches_without_kernel;
    truth.graph_launches += recording.graph_launches;
    truth.graph_launches_without_kernel += recording.graph_launches_without_kernel;
    for (Event& event : recording.events) document.events.push_back(std::move(event));
  }
  truth.events = static_cast<std::int64_t>(document.events.size());
  truth.gpu = figures_of(slices);
  truth.linked = truth.gpu.events;  // every slice of a timeline was launched in it
  truth.streams = streams_of(slices);
  truth.kind = kind_of_trace(options, truth);
  (options.header_first ? document.header : document.trailer) = metadata_of(options);
  if (options.header_first) document.trailer.text("traceName", "/run/profiles/trace.json");
  return {document_text(document, options.layout), std::move(truth)};
}
}  // namespace kinetoscope::examples
