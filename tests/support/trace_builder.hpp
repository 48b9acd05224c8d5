#pragma once

// Small traces for tests, written as a timeline: one line an event, times in nanoseconds since the start.
//
//   const Trace trace = TestTrace()
//                           .op("aten::mm", 0, 100_us)
//                           .launch("cudaLaunchKernel", 10_us, 20_us, 7)
//                           .kernel("gemm", 50_us, 90_us, 7)
//                           .load();
//
// Events stand in the file in the order they are written, so the first has EventId 0. They are written as JSON and read
// by the importer: what a test sees is what a file would give.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/trace.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope {

constexpr std::int64_t operator""_us(unsigned long long us) { return static_cast<std::int64_t>(us) * 1000; }

class TestTrace {
 public:
  /// The thread of the host events that follow; 1 of process 1 before.
  TestTrace& thread(std::int64_t tid, std::int64_t pid = 1);
  /// The stream of the GPU events that follow; 7 of device 0 before.
  TestTrace& stream(std::int64_t stream, std::int64_t device = 0);

  // Host calls and annotations, from begin to end. `arguments`: members of the event's `args`, as JSON.
  TestTrace& op(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns, std::string_view arguments = {});
  TestTrace& frame(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns, std::string_view arguments = {});
  TestTrace& annotation(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns);
  /// A call of the runtime with a correlation id; 0 writes none.
  TestTrace& launch(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns, std::int64_t correlation,
                    std::string_view arguments = {});
  TestTrace& driver(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns, std::int64_t correlation);

  // GPU work.
  TestTrace& kernel(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns, std::int64_t correlation,
                    std::string_view arguments = {});
  TestTrace& copy(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns, std::int64_t correlation);
  /// A host annotation's projection onto the stream.
  TestTrace& device_annotation(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns);

  // Ends of launch arrows: on the thread, on the stream.
  TestTrace& arrow_from_thread(std::int64_t id, std::int64_t at_ns);
  TestTrace& arrow_from_stream(std::int64_t id, std::int64_t at_ns);
  TestTrace& arrow_to_stream(std::int64_t id, std::int64_t at_ns);
  TestTrace& arrow_to_thread(std::int64_t id, std::int64_t at_ns);
  // Ends of forward to backward arrows, on the thread.
  TestTrace& backward_arrow_from(std::int64_t id, std::int64_t at_ns);
  TestTrace& backward_arrow_to(std::int64_t id, std::int64_t at_ns);

  /// An event as JSON.
  TestTrace& event(std::string_view json);

  /// The document.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Trace load() const;

 private:
  TestTrace& host(std::string_view category, std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                  const std::string& arguments);
  TestTrace& device(std::string_view category, std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                    std::int64_t correlation, std::string_view arguments);
  TestTrace& arrow(std::string_view category, std::string_view phase, std::int64_t id, std::int64_t at_ns,
                   bool is_on_stream);

  std::string events_;
  std::int64_t pid_ = 1;
  std::int64_t tid_ = 1;
  std::int64_t device_ = 0;
  std::int64_t stream_ = 7;
};

/// The first event of a name; fails the test when there is none.
[[nodiscard]] EventId event_named(const Trace& trace, std::string_view name);
/// The first node of a name, in depth-first order; fails the test when there is none.
[[nodiscard]] NodeId node_named(const CallTree& tree, std::string_view name);
/// The tree by names, children in brackets: "a(b c(d)) e". GPU work is not shown.
[[nodiscard]] std::string outline(const CallTree& tree);
}  // namespace kinetoscope
