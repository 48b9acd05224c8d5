#include "examples/generator/timeline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "examples/generator/dialect.hpp"
#include "examples/generator/json_text.hpp"

// How time passes. How the rows look is in timeline_rows.cpp.

namespace kinetoscope::examples {
namespace {

constexpr std::int64_t first_moment_ns = 2'345'678'901'000'000;  // as large as real ones: a double holds it to 0.25 us
constexpr std::int64_t first_pid = 4001;
constexpr std::int64_t call_entry_ns = 1'500;  // from a call's start to what it does
constexpr std::int64_t call_exit_ns = 900;
constexpr std::int64_t launch_ns = 4'210;
constexpr std::int64_t launch_latency_ns = 1'830;  // from the end of a launch to the start on an idle stream
constexpr std::int64_t kernel_gap_ns = 704;        // between kernels of a busy stream
}  // namespace

Timeline::Timeline(const TraceOptions& options, std::int64_t rank)
    : options_(options), rank_(rank), pid_(first_pid + rank) {
  thread_ = &threads_[pid_];
  thread_->tid = pid_;
  thread_->clock_ns = first_moment_ns + rank * 25'000;
  next_correlation_ = options.flavour == Flavour::cuda ? 8201 : 801;
  put_process_metadata();
}

void Timeline::host_call(std::string_view category, std::string_view name, Fields args, const Body& body) {
  const std::size_t place = drafts_.size();
  drafts_.push_back({.category = std::string(category),
                     .name = std::string(name),
                     .pid = host_pid(),
                     .tid = fmt::format("{}", thread_->tid),
                     .start_ns = thread_->clock_ns,
                     .args = std::move(args)});
  thread_->clock_ns += call_entry_ns;
  body();
  thread_->clock_ns += call_exit_ns;
  drafts_[place].end_ns = thread_->clock_ns;
}

void Timeline::annotation(std::string_view name, const Body& body) {
  Fields args;
  args.number("External id", next_external_id_++).number("Record function id", 0);
  host_call("user_annotation", name, std::move(args), body);
}

void Timeline::op(const Op& op, const Body& body) {
  const std::int64_t external_id = next_external_id_++;
  Fields args;
  args.number("External id", external_id).number("Record function id", 0);
  if (op.sequence_number) args.number("Sequence number", *op.sequence_number);
  if (op.sequence_number || op.forward_thread) args.number("Fwd thread id", op.forward_thread.value_or(0));
  if (options_.shapes && !op.arguments.empty()) op.arguments.write(args);
  args.number("Ev Idx", external_id);
  external_ids_.push_back(external_id);
  host_call("cpu_op", op.name, std::move(args), body);
  external_ids_.pop_back();
}

void Timeline::frame(std::string_view name, const Body& body) {
  const bool is_module = name.starts_with("nn.Module: ");
  if (!options_.stacks && !(options_.modules && is_module)) return body();
  const std::int64_t id = next_python_id_++;
  const std::int64_t parent = thread_->python_parent;
  Fields args;
  args.json("Python parent id", parent == 0 ? "null" : fmt::format("{}", parent)).number("Python id", id);
  if (is_module) args.number("Python module id", id % 97);
  args.number("Ev Idx", next_external_id_ + id);
  Thread& thread = *thread_;
  thread.python_parent = id;
  host_call("python_function", name, std::move(args), body);
  thread.python_parent = parent;
}

void Timeline::runtime_call(std::string_view name, std::int64_t duration_ns) {
  const std::int64_t correlation = next_correlation_++;
  Fields args;
  args.number(dialect_of(options_.flavour).call_id_key, 200).number("correlation", correlation);
  drafts_.push_back({.category = "cuda_runtime",
                     .name = std::string(name),
                     .pid = host_pid(),
                     .tid = fmt::format("{}", thread_->tid),
                     .start_ns = thread_->clock_ns,
                     .end_ns = thread_->clock_ns + duration_ns,
                     .args = std::move(args)});
  // ROCm ends an arrow at calls that put nothing on a device; CUDA starts one.
  put_arrow("ac2g", options_.flavour == Flavour::cuda, correlation, host_pid(), fmt::format("{}", thread_->tid),
            now_ns());
  thread_->clock_ns += duration_ns + 300;
}

void Timeline::on_thread(std::int64_t tid, const Body& body) {
  Thread& caller = *thread_;
  Thread& callee = threads_[tid];
  callee.tid = tid;
  callee.clock_ns = std::max(callee.clock_ns, caller.clock_ns + 6'000);
  thread_ = &callee;
  body();
  thread_ = &caller;
  caller.clock_ns = callee.clock_ns + 4'000;
}

void Timeline::forward_backward_arrow(std::int64_t forward_start_ns) {
  const std::int64_t id = next_arrow_++;
  put_arrow("fwdbwd", true, id, host_pid(), fmt::format("{}", pid_), forward_start_ns);
  put_arrow("fwdbwd", false, id, host_pid(), fmt::format("{}", thread_->tid), now_ns());
}

std::int64_t Timeline::launch_call(std::string_view name, std::int64_t duration_ns, const Kernel* kernel) {
  const std::int64_t correlation = next_correlation_++;
  const Dialect& dialect = dialect_of(options_.flavour);
  Fields args;
  add_external_id(args);
  const bool names_kernel = kernel != nullptr && options_.flavour == Flavour::hip;
  if (names_kernel) args.text("kernel", kernel->name);
  args.number(dialect.call_id_key, 211).number("correlation", correlation);
  if (names_kernel) {
    args.json("grid", list_of({kernel->duration_ns / 100 + 1, 1, 1})).json("block", list_of({256, 1, 1}));
    args.number("shared memory", 0);
  }
  drafts_.push_back({.category = "cuda_runtime",
                     .name = std::string(name),
                     .pid = host_pid(),
                     .tid = fmt::format("{}", thread_->tid),
                     .start_ns = now_ns(),
                     .end_ns = now_ns() + duration_ns,
                     .args = std::move(args)});
  thread_->clock_ns += duration_ns;
  ++recording_.launches;
  return correlation;
}

void Timeline::launch(const Kernel& kernel) {
  const std::int64_t start_ns = now_ns();
  const std::int64_t correlation = launch_call(dialect_of(options_.flavour).launch, launch_ns, &kernel);
  put_arrow("ac2g", true, correlation, host_pid(), fmt::format("{}", thread_->tid), start_ns);
  put_kernel(kernel, correlation, 0, 0);
  thread_->clock_ns += 400;
}

void Timeline::capture_launch(const Kernel& kernel) {
  launch_call(dialect_of(options_.flavour).launch, launch_ns, &kernel);
  ++recording_.launches_without_kernel;
  thread_->clock_ns += 400;
}

void Timeline::graph_launch(std::int64_t graph_id, const std::vector<Kernel>& kernels, bool recorded) {
  const std::int64_t start_ns = now_ns();
  const auto nodes = static_cast<std::int64_t>(kernels.size());
  const std::int64_t correlation = launch_call(dialect_of(options_.flavour).graph_launch, 9'000 + 120 * nodes, nullptr);
  ++recording_.graph_launches;
  put_arrow("ac2g", true, correlation, host_pid(), fmt::format("{}", thread_->tid), start_ns);
  if (!recorded) {
    ++recording_.launches_without_kernel;
    ++recording_.graph_launches_without_kernel;
    return;
  }
  std::int64_t node = 0;
  for (const Kernel& kernel : kernels) put_kernel(kernel, correlation, graph_id, ++node);
  if (options_.features.event_nodes) put_event_node(correlation);
}

void Timeline::put_kernel(const Kernel& kernel, std::int64_t correlation, std::int64_t graph_id, std::int64_t node) {
  const Dialect& dialect = dialect_of(options_.flavour);
  const std::int64_t stream_id = kernel.stream.value_or(dialect.main_stream);
  Stream& stream = streams_[stream_id];
  std::int64_t start_ns = now_ns() + launch_latency_ns;
  if (stream.free_from_ns > 0)
    start_ns = std::max(start_ns, stream.free_from_ns + kernel_gap_ns - kernel.starts_early_ns);
  // A collective waits for what the main stream has computed.
  if (kernel.work == Work::communication) start_ns = std::max(start_ns, streams_[dialect.main_stream].free_from_ns);
  Fields args = kernel_args(kernel, stream_id, correlation);
  if (node > 0) add_graph_args(args, kernel, graph_id, node);
  const std::string row = row_of(kernel, stream_id);
  drafts_.push_back({.category = "kernel",
                     .name = kernel.name,
                     .pid = device_pid(),
                     .tid = row,
                     .start_ns = start_ns,
                     .end_ns = start_ns + kernel.duration_ns,
                     .args = std::move(args)});
  const bool has_dependency = options_.features.kernel_dependencies && node > 1;
  if (has_dependency) {
    put_arrow("ac2g", true, next_dependency_, device_pid(), stream.last_row, stream.last_start_ns);
    put_arrow("ac2g", false, next_dependency_++, device_pid(), row, start_ns);
  } else {
    put_arrow("ac2g", false, correlation, device_pid(), row, start_ns);
  }
  stream = {.free_from_ns = start_ns + kernel.duration_ns, .last_row = row, .last_start_ns = start_ns};
  put_slice(kernel.name, kernel.work, stream_id, start_ns, stream.free_from_ns);
  ++recording_.kernels;
}

void Timeline::copy(const Copy& copy) {
  const std::int64_t call_ns = now_ns();
  const Dialect& dialect = dialect_of(options_.flavour);
  const std::int64_t correlation = launch_call(dialect.copy, 6'300, nullptr);
  put_arrow("ac2g", true, correlation, host_pid(), fmt::format("{}", thread_->tid), call_ns);
  Stream& stream = streams_[dialect.main_stream];
  const std::int64_t start_ns = std::max(now_ns() + launch_latency_ns, stream.free_from_ns + kernel_gap_ns);
  const std::string host = copy.direction == "DtoH" ? "Pinned" : "Pageable";
  const std::string name = options_.features.bare_copies ? "Memcpy"
                           : copy.direction == "DtoD"    ? "Memcpy DtoD (Device -> Device)"
                           : copy.direction == "HtoD"    ? fmt::format("Memcpy HtoD ({} -> Device)", host)
                                                         : fmt::format("Memcpy DtoH (Device -> {})", host);
  const std::string row = fmt::format("{}", dialect.main_stream);
  drafts_.push_back({.category = "gpu_memcpy",
                     .name = name,
                     .pid = device_pid(),
                     .tid = row,
                     .start_ns = start_ns,
                     .end_ns = start_ns + copy.duration_ns,
                     .args = copy_args(copy, correlation)});
  put_arrow("ac2g", false, correlation, device_pid(), row, start_ns);
  stream = {.free_from_ns = start_ns + copy.duration_ns, .last_row = row, .last_start_ns = start_ns};
  put_slice(name, Work::memcpy, dialect.main_stream, start_ns, stream.free_from_ns);
  thread_->clock_ns += 400;
}

void Timeline::put_slice(const std::string& name, Work work, std::int64_t stream, std::int64_t start_ns,
                         std::int64_t end_ns) {
  recording_.slices.push_back({.name = name,
                               .work = work,
                               .device = rank_,
                               .stream = stream,
                               .start_ns = start_ns,
                               .end_ns = end_ns,
                               .step = step_});
}

void Timeline::synchronize() {
  std::int64_t idle_from_ns = now_ns() + 5'000;
  for (const auto& [id, stream] : streams_) idle_from_ns = std::max(idle_from_ns, stream.free_from_ns + 2'150);
  if (options_.features.sync_rows) put_sync_row(now_ns(), next_correlation_);
  runtime_call(dialect_of(options_.flavour).device_synchronize, idle_from_ns - now_ns());
  if (options_.features.unknown_calls) runtime_call("cbid_504", 1'100);
}

void Timeline::join_streams() {
  Stream& main = streams_[dialect_of(options_.flavour).main_stream];
  for (const auto& [id, stream] : streams_) main.free_from_ns = std::max(main.free_from_ns, stream.free_from_ns);
  runtime_call(options_.flavour == Flavour::cuda ? "cudaStreamWaitEvent" : "hipStreamWaitEvent", 1'400);
}

void Timeline::step(std::string_view name, std::string_view phase, const Body& body) {
  step_ = recording_.steps.size();
  recording_.steps.push_back({.name = std::string(name), .phase = std::string(phase)});
  const std::size_t first_slice = recording_.slices.size();
  annotation(name, body);
  put_gpu_annotation(name, first_slice);
  step_.reset();
  wait(12'000);
}
}  // namespace kinetoscope::examples
