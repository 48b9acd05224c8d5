#include "tests/support/trace_builder.hpp"

#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/io/memory_source.hpp"
#include "core/trace/importers/kineto.hpp"

namespace kinetoscope {
namespace {

/// Nanoseconds as the microseconds of the format, exactly.
std::string microseconds(std::int64_t ns) {
  const std::int64_t size = ns < 0 ? -ns : ns;
  return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

std::string correlation_text(std::int64_t correlation, std::string_view arguments) {
  const std::string id = correlation == 0 ? "" : fmt::format("\"correlation\": {}", correlation);
  const std::string_view comma = id.empty() || arguments.empty() ? "" : ", ";
  return fmt::format("{}{}{}", id, comma, arguments);
}
}  // namespace

TestTrace& TestTrace::thread(std::int64_t tid, std::int64_t pid) {
  tid_ = tid;
  pid_ = pid;
  return *this;
}

TestTrace& TestTrace::stream(std::int64_t stream, std::int64_t device) {
  stream_ = stream;
  device_ = device;
  return *this;
}

TestTrace& TestTrace::op(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                         std::string_view arguments) {
  return host("cpu_op", name, begin_ns, end_ns, std::string(arguments));
}

TestTrace& TestTrace::frame(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                            std::string_view arguments) {
  return host("python_function", name, begin_ns, end_ns, std::string(arguments));
}

TestTrace& TestTrace::annotation(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns) {
  return host("user_annotation", name, begin_ns, end_ns, "");
}

TestTrace& TestTrace::launch(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                             std::int64_t correlation, std::string_view arguments) {
  return host("cuda_runtime", name, begin_ns, end_ns, correlation_text(correlation, arguments));
}

TestTrace& TestTrace::driver(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                             std::int64_t correlation) {
  return host("cuda_driver", name, begin_ns, end_ns, correlation_text(correlation, {}));
}

TestTrace& TestTrace::kernel(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                             std::int64_t correlation, std::string_view arguments) {
  return device("kernel", name, begin_ns, end_ns, correlation, arguments);
}

TestTrace& TestTrace::copy(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                           std::int64_t correlation) {
  return device("gpu_memcpy", name, begin_ns, end_ns, correlation, {});
}

TestTrace& TestTrace::device_annotation(std::string_view name, std::int64_t begin_ns, std::int64_t end_ns) {
  return device("gpu_user_annotation", name, begin_ns, end_ns, 0, {});
}

TestTrace& TestTrace::arrow_from_thread(std::int64_t id, std::int64_t at_ns) {
  return arrow("ac2g", "s", id, at_ns, false);
}

TestTrace& TestTrace::arrow_from_stream(std::int64_t id, std::int64_t at_ns) {
  return arrow("ac2g", "s", id, at_ns, true);
}

TestTrace& TestTrace::arrow_to_stream(std::int64_t id, std::int64_t at_ns) {
  return arrow("ac2g", "f", id, at_ns, true);
}

TestTrace& TestTrace::arrow_to_thread(std::int64_t id, std::int64_t at_ns) {
  return arrow("ac2g", "f", id, at_ns, false);
}

TestTrace& TestTrace::backward_arrow_from(std::int64_t id, std::int64_t at_ns) {
  return arrow("fwdbwd", "s", id, at_ns, false);
}

TestTrace& TestTrace::backward_arrow_to(std::int64_t id, std::int64_t at_ns) {
  return arrow("fwdbwd", "f", id, at_ns, false);
}

TestTrace& TestTrace::event(std::string_view json) {
  if (!events_.empty()) events_ += ",\n";
  events_ += json;
  return *this;
}

TestTrace& TestTrace::host(std::string_view category, std::string_view name, std::int64_t begin_ns, std::int64_t end_ns,
                           const std::string& arguments) {
  return event(fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": {}, "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})", category,
      quoted(name), pid_, tid_, microseconds(begin_ns), microseconds(end_ns - begin_ns), arguments));
}

TestTrace& TestTrace::device(std::string_view category, std::string_view name, std::int64_t begin_ns,
                             std::int64_t end_ns, std::int64_t correlation, std::string_view arguments) {
  const std::string ids = correlation_text(correlation, arguments);
  return event(fmt::format(R"({{"ph": "X", "cat": "{0}", "name": {1}, "pid": {2}, "tid": {3}, "ts": {4}, "dur": {5}, )"
                           R"("args": {{"device": {2}, "stream": {3}{6}{7}}}}})",
                           category, quoted(name), device_, stream_, microseconds(begin_ns),
                           microseconds(end_ns - begin_ns), ids.empty() ? "" : ", ", ids));
}

TestTrace& TestTrace::arrow(std::string_view category, std::string_view phase, std::int64_t id, std::int64_t at_ns,
                            bool is_on_stream) {
  return event(fmt::format(R"({{"ph": "{}", "cat": "{}", "name": "{}", "id": {}, "pid": {}, "tid": {}, "ts": {}}})",
                           phase, category, category, id, is_on_stream ? device_ : pid_, is_on_stream ? stream_ : tid_,
                           microseconds(at_ns)));
}

std::string TestTrace::text() const { return "{\"schemaVersion\": 1, \"traceEvents\": [\n" + events_ + "\n]}\n"; }

Trace TestTrace::load() const {
  io::MemorySource source(text());
  return import_kineto(source, {.reads_ahead = false});
}

EventId event_named(const Trace& trace, std::string_view name) {
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (trace.name_text(id_at<EventId>(i)) == name) return id_at<EventId>(i);
  }
  FAIL("no event is named ", std::string(name));
  return no_event;
}

NodeId node_named(const CallTree& tree, std::string_view name) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.name(id_at<NodeId>(i)) == name) return id_at<NodeId>(i);
  }
  FAIL("no node is named ", std::string(name));
  return no_node;
}

std::string outline(const CallTree& tree) {
  std::string out;
  std::vector<NodeId> open;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    while (!open.empty() && tree.subtree_end(open.back()) <= node) {
      if (index_of(tree.subtree_end(open.back())) != index_of(open.back()) + 1) out += ')';
      open.pop_back();
    }
    if (!out.empty() && out.back() != '(') out += ' ';
    out += tree.name(node);
    if (tree.first_child(node) != no_node) out += '(';
    open.push_back(node);
  }
  for (; !open.empty(); open.pop_back()) {
    if (tree.first_child(open.back()) != no_node) out += ')';
  }
  return out;
}
}  // namespace kinetoscope
