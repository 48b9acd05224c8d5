#include "examples/generator/small_trace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "examples/generator/json_text.hpp"

namespace kinetoscope::examples {

using nlohmann::json;

SmallTrace SmallTrace::core() {
  SmallTrace trace;
  trace.mm(100 * us, 1001, {.name = "Cijk_Alik_Bljk_BBS_BH_MT64x64", .start_ns = 150 * us, .duration_ns = 30 * us});
  trace.mm(130 * us, 1002, {.name = "Cijk_Alik_Bljk_BBS_BH_MT64x64", .start_ns = 200 * us, .duration_ns = 50 * us});
  return trace;
}

SmallTrace& SmallTrace::add(std::string event_json) {
  events.push_back(std::move(event_json));
  return *this;
}

std::string SmallTrace::host_row() const {
  const std::string pid = process_text.empty() ? fmt::format("{}", process) : process_text;
  return fmt::format(R"("pid": {}, "tid": {})", pid, thread);
}

SmallTrace& SmallTrace::op(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns,
                           std::string_view more_args) {
  return add(fmt::format(
      R"({{"ph": "X", "cat": "cpu_op", "name": {}, {}, "ts": {}, "dur": {}, "args": {{"External id": {}{}}}}})",
      json_string(name), host_row(), microseconds(start_ns), microseconds(duration_ns), next_external_id_++,
      more_args));
}

SmallTrace& SmallTrace::frame(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns) {
  return add(fmt::format(
      R"({{"ph": "X", "cat": "python_function", "name": {}, {}, "ts": {}, "dur": {}, "args": {{"Python id": {}}}}})",
      json_string(name), host_row(), microseconds(start_ns), microseconds(duration_ns), events.size()));
}

SmallTrace& SmallTrace::annotation(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns) {
  return add(
      fmt::format(R"({{"ph": "X", "cat": "user_annotation", "name": {}, {}, "ts": {}, "dur": {}, "args": {{}}}})",
                  json_string(name), host_row(), microseconds(start_ns), microseconds(duration_ns)));
}

SmallTrace& SmallTrace::launch(std::string_view name, std::int64_t start_ns, std::int64_t correlation,
                               std::string_view category) {
  ++launches;
  return add(fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": {}, {}, "ts": {}, "dur": 5, "args": {{"correlation": {}, "External id": {}}}}})",
      category, json_string(name), host_row(), microseconds(start_ns), correlation, next_external_id_ - 1));
}

SmallTrace& SmallTrace::call(std::string_view name, std::int64_t start_ns, std::int64_t duration_ns,
                             std::int64_t correlation) {
  return add(fmt::format(
      R"({{"ph": "X", "cat": "cuda_runtime", "name": {}, {}, "ts": {}, "dur": {}, "args": {{"correlation": {}}}}})",
      json_string(name), host_row(), microseconds(start_ns), microseconds(duration_ns), correlation));
}

SmallTrace& SmallTrace::gpu(const GpuRow& row) {
  slices.push_back({.name = row.name,
                    .work = row.work,
                    .device = row.device,
                    .stream = row.stream,
                    .start_ns = row.start_ns,
                    .end_ns = row.start_ns + row.duration_ns,
                    .is_linked = row.is_linked,
                    .is_timed = row.is_timed});
  const std::string start = row.start.empty() ? microseconds(row.start_ns) : row.start;
  const std::string duration = row.duration.empty() ? microseconds(row.duration_ns) : row.duration;
  std::string args = fmt::format(R"("device": {}, "stream": {})", row.device, row.stream);
  if (row.correlation) args += fmt::format(R"(, "correlation": {})", *row.correlation);
  if (row.external_id) args += fmt::format(R"(, "External id": {})", *row.external_id);
  const std::string pid = process_text.empty() ? fmt::format("{}", row.device) : process_text;
  return add(fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": {}, "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}{}}}}})",
      row.category, json_string(row.name), pid, row.stream, start, duration, args, row.more_args));
}

SmallTrace& SmallTrace::arrow_start(std::int64_t id, std::int64_t time_ns) {
  return add(fmt::format(R"({{"ph": "s", "id": {}, {}, "ts": {}, "cat": "ac2g", "name": "ac2g"}})", id, host_row(),
                         microseconds(time_ns)));
}

SmallTrace& SmallTrace::arrow_end(std::int64_t id, std::int64_t time_ns, std::int64_t device, std::int64_t stream) {
  const std::string pid = process_text.empty() ? fmt::format("{}", device) : process_text;
  return add(fmt::format(
      R"({{"ph": "f", "id": {}, "pid": {}, "tid": {}, "ts": {}, "cat": "ac2g", "name": "ac2g", "bp": "e"}})", id, pid,
      stream, microseconds(time_ns)));
}

SmallTrace& SmallTrace::mm(std::int64_t start_ns, std::int64_t correlation, GpuRow row) {
  op("aten::mm", start_ns, 20 * us,
     R"(, "Input Dims": [[64, 32], [32, 16]], "Input type": ["c10::BFloat16", "c10::BFloat16"])");
  launch(launch_name, start_ns + 5 * us, correlation);
  row.correlation = correlation;
  row.external_id = next_external_id_ - 1;
  gpu(row);
  arrow_start(correlation, start_ns + 5 * us);
  return arrow_end(correlation, row.start_ns, row.device, row.stream);
}

std::string SmallTrace::open_text() const {
  return fmt::format("{{{}{}\"traceEvents\": [\n{}", header, header.empty() ? "" : ", ", fmt::join(events, ",\n"));
}

std::string SmallTrace::text() const { return open_text() + "\n]" + trailer + "}\n"; }

std::string SmallTrace::array_text() const { return fmt::format("[\n{}\n]\n", fmt::join(events, ",\n")); }

json SmallTrace::expected() const {
  const auto linked =
      std::count_if(slices.begin(), slices.end(), [](const GpuSlice& slice) { return slice.is_linked; });
  return {{"events", events.size()},
          {"gpu", figures_json(figures_of(slices))},
          {"linked", linked},
          {"launches", launches},
          {"launches_without_kernel", launches_without_kernel}};
}

json SmallTrace::expected(json diagnostics) const {
  json outcome = expected();
  outcome["diagnostics"] = std::move(diagnostics);
  return outcome;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t place = text.find(from);
  if (place == std::string::npos) {
    throw Error(
        {.code = ErrorCode::internal, .received = std::string(from), .problem = "a defect has no place to stand"});
  }
  return text.replace(place, from.size(), to);
}

json figures_json(const GpuFigures& figures) {
  return {{"events", figures.events},
          {"untimed", figures.untimed},
          {"kernel_sum_ns", figures.kernel_sum_ns},
          {"busy_ns", figures.busy_ns},
          {"span_ns", figures.span_ns},
          {"idle_ns", figures.idle_ns},
          {"computation_ns", figures.computation_ns},
          {"communication_ns", figures.communication_ns},
          {"exposed_communication_ns", figures.exposed_communication_ns},
          {"memcpy_ns", figures.memcpy_ns}};
}
}  // namespace kinetoscope::examples
