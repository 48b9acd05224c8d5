#pragma once

// The schedule from which a trace is written: host threads whose clocks move as calls are made, and streams on which
// GPU work runs in order. Scenarios read like the program they describe:
//
//   timeline.op({.name = "aten::mm"}, [&] { timeline.launch({.name = "gemm", .duration_ns = 30'000}); });
//
// Calls lie inside their callers and kernels follow one another on a stream by construction. Whatever is put on a
// device is also noted as a slice, from which the Truth is computed. Not for threads.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "examples/generator/arguments.hpp"
#include "examples/generator/document.hpp"
#include "examples/generator/trace_options.hpp"
#include "examples/generator/truth.hpp"

namespace kinetoscope::examples {

using Body = std::function<void()>;

/// A dispatcher operator. Without arguments, nothing is written of them.
struct Op {
  std::string name{};
  Arguments arguments{};
  std::optional<std::int64_t> sequence_number{};
  std::optional<std::int64_t> forward_thread{};  ///< backward operators name their forward thread
};

struct Kernel {
  std::string name{};
  std::int64_t duration_ns = 0;
  Work work = Work::computation;
  std::optional<std::int64_t> stream{};  ///< the flavour's main stream unless said
  std::string module_fqn{};              ///< inline annotation, written when the feature is on
  std::int64_t lane = 0;                 ///< 0: the stream itself
  std::int64_t starts_early_ns = 0;      ///< begins this long before its predecessor on the stream ends
  Fields extra{};                        ///< further args, such as those of a collective
};

struct Copy {
  std::string direction{};  ///< HtoD, DtoH, DtoD
  std::int64_t bytes = 0;
  std::int64_t duration_ns = 0;
};

/// A generated trace: what the file says and what is true.
struct Generated {
  std::string text{};
  Truth truth{};
};

/// A schedule of one process, finished. Several of them are merged into one file.
struct Recording {
  std::vector<Event> events{};
  std::vector<GpuSlice> slices{};
  std::vector<StepTruth> steps{};  ///< figures still empty
  std::int64_t kernels = 0;
  std::int64_t launches = 0;
  std::int64_t launches_without_kernel = 0;
  std::int64_t graph_launches = 0;
  std::int64_t graph_launches_without_kernel = 0;
};

class Timeline {
 public:
  Timeline(const TraceOptions& options, std::int64_t rank);

  [[nodiscard]] const TraceOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::int64_t now_ns() const noexcept { return thread_->clock_ns; }
  [[nodiscard]] std::int64_t main_thread() const noexcept { return pid_; }
  [[nodiscard]] std::int64_t backward_thread() const noexcept { return pid_ + 47; }

  /// Host calls of the current thread; `body` makes the calls inside.
  void annotation(std::string_view name, const Body& body);
  void op(const Op& op, const Body& body);
  /// A Python frame; only when stacks, or for names of nn.Module modules, are recorded.
  void frame(std::string_view name, const Body& body);
  /// A call of the runtime that puts nothing on a device.
  void runtime_call(std::string_view name, std::int64_t duration_ns);
  /// Runs `body` on another thread, from now on; the current thread waits for it.
  void on_thread(std::int64_t tid, const Body& body);
  /// The host does something that nobody records.
  void wait(std::int64_t duration_ns) { thread_->clock_ns += duration_ns; }
  /// An arrow from the start of a forward operator to here.
  void forward_backward_arrow(std::int64_t forward_start_ns);
  void memory_event(std::int64_t bytes);

  /// Work on a device.
  void launch(const Kernel& kernel);
  void copy(const Copy& copy);
  /// `recorded` false: the profiler lost what the graph ran.
  void graph_launch(std::int64_t graph_id, const std::vector<Kernel>& kernels, bool recorded = true);
  /// A launch while a stream is captured: nothing runs.
  void capture_launch(const Kernel& kernel);
  /// Waits until the device is idle.
  void synchronize();
  /// The main stream waits for all others; the host does not.
  void join_streams();

  /// Everything launched inside `body` belongs to this step.
  void step(std::string_view name, std::string_view phase, const Body& body);

  [[nodiscard]] Recording finish() &&;

 private:
  /// An event while its end is not known.
  struct Draft {
    std::string phase = "X";
    std::string category{};
    std::string name{};
    std::string pid{};  ///< JSON
    std::string tid{};  ///< JSON
    std::int64_t start_ns = 0;
    std::optional<std::int64_t> end_ns{};
    std::optional<std::int64_t> arrow{};
    Fields args{};
  };
  struct Thread {
    std::int64_t tid = 0;
    std::int64_t clock_ns = 0;
    std::int64_t python_parent = 0;
  };
  /// A stream's work so far.
  struct Stream {
    std::int64_t free_from_ns = 0;
    std::string last_row{};  ///< JSON of the tid on which its last kernel is shown
    std::int64_t last_start_ns = 0;
  };

  void host_call(std::string_view category, std::string_view name, Fields args, const Body& body);
  std::int64_t launch_call(std::string_view name, std::int64_t duration_ns, const Kernel* kernel);
  /// `node`: its place in a graph, from 1; 0 outside graphs.
  void put_kernel(const Kernel& kernel, std::int64_t correlation, std::int64_t graph_id, std::int64_t node);
  [[nodiscard]] Fields kernel_args(const Kernel& kernel, std::int64_t stream, std::int64_t correlation) const;
  void add_graph_args(Fields& args, const Kernel& kernel, std::int64_t graph_id, std::int64_t node) const;
  [[nodiscard]] Fields copy_args(const Copy& copy, std::int64_t correlation) const;
  [[nodiscard]] std::string row_of(const Kernel& kernel, std::int64_t stream) const;
  void put_slice(const std::string& name, Work work, std::int64_t stream, std::int64_t start_ns, std::int64_t end_ns);
  void put_event_node(std::int64_t correlation);
  void add_external_id(Fields& args) const;
  void put_arrow(std::string_view category, bool is_start, std::int64_t id, std::string pid, std::string tid,
                 std::int64_t time_ns);
  void put_gpu_annotation(std::string_view name, std::size_t first_slice);
  void put_sync_row(std::int64_t start_ns, std::int64_t correlation);
  void put_process_metadata();
  void put_profiler_rows();
  [[nodiscard]] bool is_recorded(const Draft& draft) const noexcept;
  [[nodiscard]] Event event_of(const Draft& draft) const;
  [[nodiscard]] std::string pid_text(std::int64_t pid) const;
  [[nodiscard]] std::string host_pid() const { return pid_text(pid_); }
  [[nodiscard]] std::string device_pid() const { return pid_text(rank_); }

  TraceOptions options_;
  std::int64_t rank_ = 0;
  std::int64_t pid_ = 0;
  std::map<std::int64_t, Thread> threads_;
  Thread* thread_ = nullptr;  ///< the current one
  std::map<std::int64_t, Stream> streams_;
  std::vector<Draft> drafts_;
  std::vector<std::int64_t> external_ids_;  ///< of the operators around the current call
  Recording recording_;
  std::optional<std::size_t> step_;
  std::int64_t next_external_id_ = 1;
  std::int64_t next_python_id_ = 1;
  std::int64_t next_correlation_ = 1;
  std::int64_t next_arrow_ = 1;
  std::int64_t next_dependency_ = std::int64_t{1} << 40;
  std::int64_t allocated_bytes_ = 0;
};

/// One file of the recordings of all ranks, with header and truth.
[[nodiscard]] Generated generated_trace(const TraceOptions& options, std::vector<Recording> recordings);
}  // namespace kinetoscope::examples
