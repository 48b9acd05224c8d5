// What events of the field inputs say: outcomes of the reports that only the event store has. Figures are golden cases.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/trace/diagnostics.hpp"
#include "core/trace/input_shapes.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

std::vector<InputShape> shapes_of(const Trace& trace, std::string_view operator_name) {
  const EventId event = event_named(trace, operator_name);
  const auto text = [&](Argument argument) { return trace.json_text(trace.json(event, argument).value_or(no_json)); };
  return parse_input_shapes(text(Argument::input_dims), text(Argument::input_types));
}

std::string argument_text(const Trace& trace, EventId event, Argument argument) {
  return std::string(trace.text(trace.text(event, argument).value_or(no_name)));
}
}  // namespace

TEST_CASE("field inputs: backslashes of Windows paths are literal, whatever they would escape (F01)") {
  const Trace trace = field_trace("F01_windows_backslash.json");
  CHECK(trace.find_name(R"(torch\nn\modules\module.py(1532): _wrapped_call_impl)") != no_name);
  CHECK(trace.find_name(R"(torch\utils\data\_utils\fetch.py(51): fetch)") != no_name);
}

TEST_CASE("field inputs: raw control characters stay in names (F02)") {
  const Trace trace = field_trace("F02_control_chars.json");
  CHECK(trace.find_name("|||S(1): \x01<module>") != no_name);
  CHECK(trace.find_name("line one\nline two\ttab") != no_name);
}

TEST_CASE("field inputs: bytes that are no UTF-8 are U+FFFD, the rest of the name stays (F03)") {
  const Trace trace = field_trace("F03_invalid_utf8.json");
  CHECK(trace.find_name("torch/_inductor/config.py(0): \xef\xbf\xbd(\xef\xbf\xbd(\xef\xbf\xbd") != no_name);
}

TEST_CASE("field inputs: infinity and not-a-number are missing, what stands beside them is there (F04)") {
  const Trace trace = field_trace("F04_bare_inf_nan.json");
  const EventId pageable = event_named(trace, "Memcpy HtoD (Pageable -> Device)");
  CHECK(trace.integer(pageable, Argument::bytes) == 200);
  CHECK_FALSE(trace.real(pageable, Argument::memory_bandwidth));
  CHECK_FALSE(trace.integer(event_named(trace, "Memcpy DtoD (Device -> Device)"), Argument::bytes));
}

TEST_CASE("field inputs: a trace that is an array has its operators and no metadata (F11)") {
  const Trace trace = field_trace("F11_legacy_array_root.json");
  std::int64_t total_ns = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (trace.role(id_at<EventId>(i)) == Role::operator_call) total_ns += trace.duration_ns(id_at<EventId>(i));
  }
  CHECK(trace.count(Role::operator_call) == 3);
  CHECK(total_ns == 66'000);  // 66 us in all
  CHECK(trace.metadata().entries.empty());
}

TEST_CASE("field inputs: an identifier beyond 63 bits is exact (F12)") {
  const Trace trace = field_trace("F12_integer_beyond_int64.json");
  const EventId collective =
      event_named(trace, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
  CHECK(trace.identifier(collective, Argument::communicator_id) == 13835058055282163713U);
}

TEST_CASE("field inputs: streams of any width are exact (F20)") {
  const Trace trace = field_trace("F20_duplicate_correlation_wide_streams.json");
  REQUIRE(trace.streams().size() == 2);
  CHECK(trace.streams()[0] == Stream{0, 94312345678912, 1});
  CHECK(trace.streams()[1] == Stream{0, 9007199254740993, 1});
}

TEST_CASE("field inputs: synchronisations have no stream (F22)") {
  const Trace trace = field_trace("F22_sync_events_stream_minus_one.json");
  REQUIRE(trace.streams().size() == 1);
  CHECK(trace.streams()[0] == Stream{0, 7, 2});
  CHECK(trace.count(Role::synchronisation) > 0);
}

TEST_CASE("field inputs: a trace without distributedInfo has no rank, not rank 0 (F25)") {
  const Trace trace = field_trace("F25_no_distributed_info.json");
  CHECK_FALSE(trace.metadata().distributed.has_value());
  CHECK(trace.diagnostics().count(trace_diagnostics::rank_unknown) == 1);
}

TEST_CASE("field inputs: a collective's group keeps its size when its list of ranks is cut (F28)") {
  const Trace trace = field_trace("F28_elided_lists.json");
  const EventId collective = event_named(trace, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)");
  CHECK(trace.integer(collective, Argument::group_size) == 64);
  CHECK(argument_text(trace, collective, Argument::group_ranks).find("...") != std::string::npos);
  CHECK(trace.diagnostics().count(trace_diagnostics::elided_metadata) == 3);
}

TEST_CASE("field inputs: tensor lists have a shape for each member, or none that is known (F29)") {
  const Trace trace = field_trace("F29_tensor_list_inputs.json");
  const std::vector<TensorShape> three = {{64, 32}, {32}, {}};
  const std::vector<InputShape> add = shapes_of(trace, "aten::_foreach_add_");
  REQUIRE(add.size() == 3);
  CHECK(add[0].members == three);
  CHECK(add[1].members == three);
  CHECK(add[2].form == InputShape::Form::tensor);
  CHECK(add[2].dims.empty());
  CHECK(shapes_of(trace, "aten::cat")[0].members == std::vector<TensorShape>{{8, 4}, {8, 4}});
  CHECK(shapes_of(trace, "aten::stack")[0].form == InputShape::Form::unknown);
}

TEST_CASE("field inputs: each file's clock has its own base (F33)") {
  CHECK(field_trace("F33a_rank0_base_time.json").metadata().base_time_ns == 1'700'000'000'000'000'000);
  CHECK(field_trace("F33b_rank1_base_time.json").metadata().base_time_ns == 1'700'000'000'000'070'000);
}
}  // namespace kinetoscope
