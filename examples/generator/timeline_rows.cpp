// How the rows of a trace look: arguments, metadata events, and what newer exporters add. When things happen is in
// timeline.cpp.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "examples/generator/dialect.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/timeline.hpp"

namespace kinetoscope::examples {
namespace {

constexpr std::int64_t sync_row_offset = 1'000'000;  // Kineto's: tid of a stream's row of synchronisations

/// Where a category stands in a file: by the order in which Kineto hands its activities to the writer.
int place_of(std::string_view category, bool late_metadata) {
  if (category == "metadata") return late_metadata ? 8 : 0;
  if (category == "cpu_op" || category == "user_annotation" || category == "cpu_instant_event") return 1;
  if (category == "python_function") return 2;
  if (category == "fwdbwd") return 3;
  if (category == "gpu_user_annotation") return 5;
  if (category == "Trace") return 9;
  return 4;
}

bool is_host_side(std::string_view category) {
  constexpr std::array host = {"cpu_op",          "user_annotation", "cpu_instant_event",
                               "python_function", "fwdbwd",          "gpu_user_annotation"};
  return std::find(host.begin(), host.end(), category) != host.end();
}

Fields occupancy_fields() {
  Fields fields;
  fields.json("limitingFactors", R"(["registers", "warps"])")
      .number("blockLimitRegs", 8)
      .number("blockLimitSharedMem", 14);
  fields.number("blockLimitWarps", 8).number("blockLimitBlocks", 32).number("blockLimitBarriers", 32);
  fields.number("activeBlocksPerMultiprocessor", 8).number("allocatedRegistersPerBlock", 8192);
  return fields;
}

std::string object_of(const Fields& fields) {
  std::string out;
  for (const auto& [key, value] : fields.entries()) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", json_string(key), value);
  }
  return "{" + out + "}";
}
}  // namespace

std::string Timeline::pid_text(std::int64_t pid) const {
  if (!options_.sglang_process_names) return fmt::format("{}", pid);
  return json_string(fmt::format("[TP{:02}-DP00-PP00-EP00] {}", rank_, pid));
}

std::string Timeline::row_of(const Kernel& kernel, std::int64_t stream) const {
  const bool is_moved = options_.features.lanes == Lanes::moved && kernel.lane != 0;
  return fmt::format("{}", is_moved ? kernel.lane : stream);
}

void Timeline::add_external_id(Fields& args) const {
  if (!external_ids_.empty()) args.number("External id", external_ids_.back());
}

Fields Timeline::kernel_args(const Kernel& kernel, std::int64_t stream, std::int64_t correlation) const {
  const Features& features = options_.features;
  Fields args;
  add_external_id(args);
  const bool is_cuda = options_.flavour == Flavour::cuda;
  if (is_cuda) args.number("queued", 0);
  args.number("device", rank_);
  if (is_cuda) args.number("context", 1);
  const bool is_moved = features.lanes == Lanes::moved && kernel.lane != 0;
  args.number("stream", is_moved ? kernel.lane : stream);
  if (is_moved) args.number("original_stream", stream);
  if (features.lanes == Lanes::wished && kernel.lane != 0) args.number("annotated_stream", kernel.lane);
  args.number("correlation", correlation);
  const std::int64_t blocks = kernel.duration_ns / 100 + 1;
  if (is_cuda) {
    args.number("registers per thread", 32).number("shared memory", 0);
    args.json("blocks per SM", fmt::format("{:.6f}", static_cast<double>(blocks) / 132.0));
    args.json("warps per SM", fmt::format("{:.6f}", static_cast<double>(blocks) * 8.0 / 132.0));
    args.json("grid", list_of({blocks, 1, 1})).json("block", list_of({256, 1, 1}));
    args.number("est. achieved occupancy %", std::min<std::int64_t>(100, blocks / 4));
  } else {
    args.text("kind", "Dispatch Kernel").json("grid", list_of({blocks, 1, 1})).json("block", list_of({256, 1, 1}));
  }
  if (features.occupancy) args.json("occupancy", object_of(occupancy_fields()));
  for (const auto& [key, value] : kernel.extra.entries()) args.json(key, value);
  return args;
}

void Timeline::add_graph_args(Fields& args, const Kernel& kernel, std::int64_t graph_id, std::int64_t node) const {
  const Features& features = options_.features;
  if (features.node_ids == NodeIds::packed) args.number("graph node id", (graph_id << 32) | node);
  if (features.node_ids == NodeIds::split) args.number("graph id", graph_id).number("graph node id", node);
  if (features.inline_annotations && !kernel.module_fqn.empty()) args.text("module_fqn", kernel.module_fqn);
}

Fields Timeline::copy_args(const Copy& copy, std::int64_t correlation) const {
  Fields args;
  add_external_id(args);
  args.number("device", rank_);
  if (options_.flavour == Flavour::cuda) args.number("context", 1);
  args.number("stream", dialect_of(options_.flavour).main_stream).number("correlation", correlation);
  if (options_.features.bare_copies) {
    const bool from_host = copy.direction == "HtoD";
    const bool to_host = copy.direction == "DtoH";
    args.text("copy kind", copy.direction).text("src kind", from_host ? "pageable" : "device");
    args.text("dst kind", to_host ? "pinned" : "device").number("flags", 0);
  } else if (options_.flavour == Flavour::hip) {
    args.text("kind", copy.direction);
  }
  args.number("bytes", copy.bytes);
  const double bytes_per_ns = static_cast<double>(copy.bytes) / static_cast<double>(copy.duration_ns);
  return args.json("memory bandwidth (GB/s)", fmt::format("{:.6f}", bytes_per_ns));
}

void Timeline::put_arrow(std::string_view category, bool is_start, std::int64_t id, std::string pid, std::string tid,
                         std::int64_t time_ns) {
  drafts_.push_back({.phase = is_start ? "s" : "f",
                     .category = std::string(category),
                     .name = std::string(category),
                     .pid = std::move(pid),
                     .tid = std::move(tid),
                     .start_ns = time_ns,
                     .arrow = id});
}

void Timeline::put_event_node(std::int64_t correlation) {
  const std::int64_t stream = dialect_of(options_.flavour).main_stream;
  const std::int64_t time_ns = streams_[stream].free_from_ns + 96;
  Fields args;
  args.number("stream", stream).number("correlation", correlation).number("cuda event", 12);
  drafts_.push_back({.category = "graph_event_node",
                     .name = "EventRecord",
                     .pid = device_pid(),
                     .tid = fmt::format("{}", stream),
                     .start_ns = time_ns,
                     .end_ns = time_ns + 1,
                     .args = std::move(args)});
}

void Timeline::put_sync_row(std::int64_t start_ns, std::int64_t correlation) {
  const std::int64_t stream = dialect_of(options_.flavour).main_stream;
  Fields args;
  args.number("wait_on_stream", stream)
      .number("wait_on_cuda_event_record_corr_id", -1)
      .number("wait_on_cuda_event_id", -1);
  args.number("stream", stream).number("correlation", correlation).number("device", rank_).number("context", 1);
  drafts_.push_back({.category = "cuda_sync",
                     .name = "Stream Sync",
                     .pid = device_pid(),
                     .tid = fmt::format("{}", stream + sync_row_offset),
                     .start_ns = start_ns + 400,
                     .end_ns = std::max(start_ns + 900, streams_[stream].free_from_ns + 800),
                     .args = std::move(args)});
}

void Timeline::put_gpu_annotation(std::string_view name, std::size_t first_slice) {
  const std::int64_t stream = dialect_of(options_.flavour).main_stream;
  std::optional<std::int64_t> start_ns;
  std::int64_t end_ns = 0;
  for (std::size_t i = first_slice; i < recording_.slices.size(); ++i) {
    const GpuSlice& slice = recording_.slices[i];
    if (slice.stream != stream) continue;
    start_ns = std::min(start_ns.value_or(slice.start_ns), slice.start_ns);
    end_ns = std::max(end_ns, slice.end_ns);
  }
  if (!start_ns) return;
  const std::int64_t margin_ns = options_.features.wide_annotations ? 1 : 0;
  Fields args;
  args.number("External id", next_external_id_ - 1);
  drafts_.push_back({.category = "gpu_user_annotation",
                     .name = std::string(name),
                     .pid = device_pid(),
                     .tid = fmt::format("{}", stream),
                     .start_ns = *start_ns - margin_ns,
                     .end_ns = end_ns + margin_ns,
                     .args = std::move(args)});
}

void Timeline::memory_event(std::int64_t bytes) {
  if (!options_.memory_events) return;
  allocated_bytes_ += bytes;
  Fields args;
  args.number("Total Reserved", 224'395'264).number("Total Allocated", 57'950'720 + allocated_bytes_);
  args.number("Bytes", bytes)
      .number("Device Id", rank_)
      .number("Device Type", options_.flavour == Flavour::cuda ? 1 : 6);
  args.number("Addr", 139'654'046'813'696 + allocated_bytes_);
  drafts_.push_back({.phase = "i",
                     .category = "cpu_instant_event",
                     .name = "[memory]",
                     .pid = host_pid(),
                     .tid = fmt::format("{}", thread_->tid),
                     .start_ns = now_ns(),
                     .args = std::move(args)});
}

void Timeline::put_process_metadata() {
  const auto put = [this](std::string_view name, const std::string& pid, std::int64_t tid, Fields args) {
    drafts_.push_back({.phase = "M",
                       .category = "metadata",
                       .name = std::string(name),
                       .pid = pid,
                       .tid = fmt::format("{}", tid),
                       .start_ns = now_ns(),
                       .args = std::move(args)});
  };
  const std::string host = host_pid();
  put("process_name", host, 0, Fields().text("name", "python3"));
  put("process_labels", host, 0, Fields().text("labels", "CPU"));
  put("process_sort_index", host, 0, Fields().number("sort_index", pid_));
  put("thread_name", host, pid_, Fields().text("name", fmt::format("thread {} (python3)", pid_)));
  const std::string device = device_pid();
  const std::int64_t stream = dialect_of(options_.flavour).main_stream;
  put("process_name", device, 0, Fields().text("name", "python3"));
  put("process_labels", device, 0, Fields().text("labels", fmt::format("GPU {}", rank_)));
  put("process_sort_index", device, 0, Fields().number("sort_index", 5'000'000 + rank_));
  put("thread_name", device, stream, Fields().text("name", fmt::format("stream {} ", stream)));
}

void Timeline::put_profiler_rows() {
  const Features& features = options_.features;
  const std::int64_t start_ns = drafts_.front().start_ns - 90'000;
  if (features.overhead_events) {
    drafts_.push_back({.category = "overhead",
                       .name = "Activity Buffer Request",
                       .pid = "-1",
                       .tid = "0",
                       .start_ns = start_ns + 1'000,
                       .end_ns = start_ns + 41'500});
  }
  if (features.counters) {
    for (std::int64_t sample = 0; sample < 8; ++sample) {
      Fields args;
      args.json("", fmt::format("{}.5", 40 + 5 * sample));
      drafts_.push_back({.phase = "C",
                         .category = "hardware_counters",
                         .name = sample % 2 == 0 ? "SM Active (%)" : "DRAM BW (%)",
                         .pid = json_string(fmt::format("GPU {} Counters", rank_)),
                         .tid = "0",
                         .start_ns = start_ns + 100'000 + 20'000 * sample,
                         .args = std::move(args)});
    }
  }
  if (!features.text_pids) return;
  drafts_.push_back({.category = "Trace",
                     .name = "PyTorch Profiler (0)",
                     .pid = "\"Spans\"",
                     .tid = "\"PyTorch Profiler\"",
                     .start_ns = start_ns,
                     .end_ns = now_ns() + 50'000,
                     .args = Fields().number("Op count", 0)});
  drafts_.push_back({.phase = "i",
                     .category = "Trace",
                     .name = "Iteration Start: PyTorch Profiler",
                     .pid = "\"Traces\"",
                     .tid = "\"Trace PyTorch Profiler\"",
                     .start_ns = start_ns});
}

bool Timeline::is_recorded(const Draft& draft) const noexcept {
  if (options_.activities == Activities::host_and_device || draft.category == "metadata" || draft.category == "Trace")
    return true;
  return (options_.activities == Activities::host) ==
         (is_host_side(draft.category) && draft.category != "gpu_user_annotation");
}

Event Timeline::event_of(const Draft& draft) const {
  const bool has_tail = options_.features.wide_annotations && draft.category == "gpu_user_annotation";
  const auto time_text = [&](std::int64_t time_ns) {
    const std::string text = has_tail ? microseconds_with_tail(time_ns) : microseconds(time_ns);
    return options_.features.text_timestamps ? json_string(text) : text;
  };
  Event event{.category = draft.category, .args = draft.args};
  Fields& fields = event.fields;
  if (draft.phase == "M") {
    fields.text("name", draft.name).text("ph", draft.phase).json("ts", time_text(draft.start_ns));
    fields.json("pid", draft.pid).json("tid", draft.tid);
    return event;
  }
  fields.text("ph", draft.phase);
  if (draft.arrow) {
    fields.number("id", *draft.arrow)
        .json("pid", draft.pid)
        .json("tid", draft.tid)
        .json("ts", time_text(draft.start_ns));
    fields.text("cat", draft.category).text("name", draft.name);
    if (draft.phase == "f") fields.text("bp", "e");
    return event;
  }
  fields.text("cat", draft.category);
  if (draft.phase == "i") fields.text("s", draft.category == "Trace" ? "g" : "t");
  fields.text("name", draft.name).json("pid", draft.pid).json("tid", draft.tid).json("ts", time_text(draft.start_ns));
  if (draft.end_ns) fields.json("dur", time_text(*draft.end_ns - draft.start_ns));
  return event;
}

Recording Timeline::finish() && {
  put_profiler_rows();
  const bool is_late = options_.features.late_metadata;
  std::stable_sort(drafts_.begin(), drafts_.end(), [&](const Draft& one, const Draft& other) {
    return place_of(one.category, is_late) < place_of(other.category, is_late);
  });
  for (const Draft& draft : drafts_) {
    if (is_recorded(draft)) recording_.events.push_back(event_of(draft));
  }
  if (options_.activities == Activities::host) {
    recording_ = {.events = std::move(recording_.events), .steps = std::move(recording_.steps)};
  }
  if (options_.activities == Activities::device) {
    recording_.steps.clear();
    for (GpuSlice& slice : recording_.slices) slice.step.reset();
  }
  return std::move(recording_);
}
}  // namespace kinetoscope::examples
