#pragma once

// The event arguments that have a typed column: one table of key, type and meaning. Everything else an event carries is
// kept as JSON text (`Trace::other_arguments`). Adding one: an enumerator and a row here, a line in the importer's
// test.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope {

enum class ArgumentType : std::uint8_t {
  integer,     ///< signed 64 bits; numbers written as text and booleans count too
  identifier,  ///< 64 bits that only compare equal: unsigned, -1 being the largest
  real,        ///< a double; infinity and not-a-number are missing
  text,        ///< interned text; stray inner quotes removed; other JSON values as their text
  json,        ///< a list or object, interned as its text
};

enum class Argument : std::uint8_t {
  // Identity and links
  correlation,
  external_id,
  event_index,
  record_function_id,
  sequence_number,
  forward_thread_id,
  python_id,
  python_parent_id,
  python_module_id,
  callback_id,
  correlation_domain,
  // Operators
  input_dims,
  input_types,
  input_strides,
  concrete_inputs,
  flops,
  finished,
  scope,
  module_fqn,
  // Triton and Inductor
  kernel_backend,
  kernel_file,
  kernel_hash,
  kernel_kwargs,
  kernel_name,
  num_warps,
  num_stages,
  kernel_flop,
  kernel_num_gb,
  // Device work
  device,
  context,
  stream,
  original_stream,
  annotated_stream,
  hsa_queue,
  priority,
  channel,
  channel_type,
  queued,
  grid,
  block,
  registers_per_thread,
  shared_memory,
  occupancy,
  estimated_occupancy_percent,
  blocks_per_sm,
  warps_per_sm,
  graph_id,
  graph_node_id,
  original,
  // Copies and launches
  bytes,
  memory_bandwidth,
  kind,
  copy_kind,
  source_kind,
  destination_kind,
  launched_kernel,
  source,
  destination,
  pointer,
  fill_value,
  flags,
  // Synchronisation
  cuda_event,
  wait_on_stream,
  wait_on_event,
  wait_on_record_correlation,
  // Collectives
  collective_name,
  data_type,
  group_size,
  group_name,
  group_description,
  group_ranks,
  in_elements,
  out_elements,
  in_split_size,
  out_split_size,
  rank,
  global_rank_start,
  global_rank_stride,
  source_rank,
  destination_rank,
  communicator_id,
  collective_sequence,
  is_asynchronous,
  // Memory
  address,
  allocated_bytes,
  total_allocated,
  total_reserved,
  device_type,
  device_id,
  // Metadata events
  name,
  labels,
  sort_index,
  op_count,
};

struct ArgumentInfo {
  Argument argument{};
  ArgumentType type{};
  std::string_view key;       ///< as the profilers write it
  std::string_view spelling;  ///< ours
};

/// In the order of the enum.
inline constexpr std::array argument_table = {
    ArgumentInfo{Argument::correlation, ArgumentType::integer, "correlation", "correlation"},
    ArgumentInfo{Argument::external_id, ArgumentType::integer, "External id", "external_id"},
    ArgumentInfo{Argument::event_index, ArgumentType::integer, "Ev Idx", "event_index"},
    ArgumentInfo{Argument::record_function_id, ArgumentType::integer, "Record function id", "record_function_id"},
    ArgumentInfo{Argument::sequence_number, ArgumentType::integer, "Sequence number", "sequence_number"},
    ArgumentInfo{Argument::forward_thread_id, ArgumentType::integer, "Fwd thread id", "forward_thread_id"},
    ArgumentInfo{Argument::python_id, ArgumentType::integer, "Python id", "python_id"},
    ArgumentInfo{Argument::python_parent_id, ArgumentType::integer, "Python parent id", "python_parent_id"},
    ArgumentInfo{Argument::python_module_id, ArgumentType::integer, "Python module id", "python_module_id"},
    ArgumentInfo{Argument::callback_id, ArgumentType::integer, "cbid", "callback_id"},
    ArgumentInfo{Argument::correlation_domain, ArgumentType::integer, "cid", "correlation_domain"},

    ArgumentInfo{Argument::input_dims, ArgumentType::json, "Input Dims", "input_dims"},
    ArgumentInfo{Argument::input_types, ArgumentType::json, "Input type", "input_types"},
    ArgumentInfo{Argument::input_strides, ArgumentType::json, "Input Strides", "input_strides"},
    ArgumentInfo{Argument::concrete_inputs, ArgumentType::json, "Concrete Inputs", "concrete_inputs"},
    ArgumentInfo{Argument::flops, ArgumentType::integer, "flops", "flops"},
    ArgumentInfo{Argument::finished, ArgumentType::integer, "finished", "finished"},
    ArgumentInfo{Argument::scope, ArgumentType::text, "scope", "scope"},
    ArgumentInfo{Argument::module_fqn, ArgumentType::text, "module_fqn", "module_fqn"},

    ArgumentInfo{Argument::kernel_backend, ArgumentType::text, "kernel_backend", "kernel_backend"},
    ArgumentInfo{Argument::kernel_file, ArgumentType::text, "kernel_file", "kernel_file"},
    ArgumentInfo{Argument::kernel_hash, ArgumentType::text, "kernel_hash", "kernel_hash"},
    ArgumentInfo{Argument::kernel_kwargs, ArgumentType::text, "kernel_kwargs", "kernel_kwargs"},
    ArgumentInfo{Argument::kernel_name, ArgumentType::text, "kernel_name", "kernel_name"},
    ArgumentInfo{Argument::num_warps, ArgumentType::integer, "num_warps", "num_warps"},
    ArgumentInfo{Argument::num_stages, ArgumentType::integer, "num_stages", "num_stages"},
    ArgumentInfo{Argument::kernel_flop, ArgumentType::real, "kernel_flop", "kernel_flop"},
    ArgumentInfo{Argument::kernel_num_gb, ArgumentType::real, "kernel_num_gb", "kernel_num_gb"},

    ArgumentInfo{Argument::device, ArgumentType::integer, "device", "device"},
    ArgumentInfo{Argument::context, ArgumentType::integer, "context", "context"},
    ArgumentInfo{Argument::stream, ArgumentType::integer, "stream", "stream"},
    ArgumentInfo{Argument::original_stream, ArgumentType::integer, "original_stream", "original_stream"},
    ArgumentInfo{Argument::annotated_stream, ArgumentType::integer, "annotated_stream", "annotated_stream"},
    ArgumentInfo{Argument::hsa_queue, ArgumentType::integer, "hsa_queue", "hsa_queue"},
    ArgumentInfo{Argument::priority, ArgumentType::integer, "priority", "priority"},
    ArgumentInfo{Argument::channel, ArgumentType::integer, "channel", "channel"},
    ArgumentInfo{Argument::channel_type, ArgumentType::text, "channel_type", "channel_type"},
    ArgumentInfo{Argument::queued, ArgumentType::integer, "queued", "queued"},
    ArgumentInfo{Argument::grid, ArgumentType::json, "grid", "grid"},
    ArgumentInfo{Argument::block, ArgumentType::json, "block", "block"},
    ArgumentInfo{Argument::registers_per_thread, ArgumentType::integer, "registers per thread", "registers_per_thread"},
    ArgumentInfo{Argument::shared_memory, ArgumentType::integer, "shared memory", "shared_memory"},
    ArgumentInfo{Argument::occupancy, ArgumentType::json, "occupancy", "occupancy"},
    ArgumentInfo{Argument::estimated_occupancy_percent, ArgumentType::real, "est. achieved occupancy %",
                 "estimated_occupancy_percent"},
    ArgumentInfo{Argument::blocks_per_sm, ArgumentType::real, "blocks per SM", "blocks_per_sm"},
    ArgumentInfo{Argument::warps_per_sm, ArgumentType::real, "warps per SM", "warps_per_sm"},
    ArgumentInfo{Argument::graph_id, ArgumentType::identifier, "graph id", "graph_id"},
    ArgumentInfo{Argument::graph_node_id, ArgumentType::identifier, "graph node id", "graph_node_id"},
    ArgumentInfo{Argument::original, ArgumentType::integer, "original", "original"},

    ArgumentInfo{Argument::bytes, ArgumentType::integer, "bytes", "bytes"},
    ArgumentInfo{Argument::memory_bandwidth, ArgumentType::real, "memory bandwidth (GB/s)", "memory_bandwidth"},
    ArgumentInfo{Argument::kind, ArgumentType::text, "kind", "kind"},
    ArgumentInfo{Argument::copy_kind, ArgumentType::text, "copy kind", "copy_kind"},
    ArgumentInfo{Argument::source_kind, ArgumentType::text, "src kind", "source_kind"},
    ArgumentInfo{Argument::destination_kind, ArgumentType::text, "dst kind", "destination_kind"},
    ArgumentInfo{Argument::launched_kernel, ArgumentType::text, "kernel", "launched_kernel"},
    ArgumentInfo{Argument::source, ArgumentType::text, "src", "source"},
    ArgumentInfo{Argument::destination, ArgumentType::text, "dst", "destination"},
    ArgumentInfo{Argument::pointer, ArgumentType::text, "ptr", "pointer"},
    ArgumentInfo{Argument::fill_value, ArgumentType::integer, "value", "fill_value"},
    ArgumentInfo{Argument::flags, ArgumentType::integer, "flags", "flags"},

    ArgumentInfo{Argument::cuda_event, ArgumentType::identifier, "cuda event", "cuda_event"},
    ArgumentInfo{Argument::wait_on_stream, ArgumentType::integer, "wait_on_stream", "wait_on_stream"},
    ArgumentInfo{Argument::wait_on_event, ArgumentType::integer, "wait_on_cuda_event_id", "wait_on_event"},
    ArgumentInfo{Argument::wait_on_record_correlation, ArgumentType::integer, "wait_on_cuda_event_record_corr_id",
                 "wait_on_record_correlation"},

    ArgumentInfo{Argument::collective_name, ArgumentType::text, "Collective name", "collective_name"},
    ArgumentInfo{Argument::data_type, ArgumentType::text, "dtype", "data_type"},
    ArgumentInfo{Argument::group_size, ArgumentType::integer, "Group size", "group_size"},
    ArgumentInfo{Argument::group_name, ArgumentType::text, "Process Group Name", "group_name"},
    ArgumentInfo{Argument::group_description, ArgumentType::text, "Process Group Description", "group_description"},
    ArgumentInfo{Argument::group_ranks, ArgumentType::text, "Process Group Ranks", "group_ranks"},
    ArgumentInfo{Argument::in_elements, ArgumentType::integer, "In msg nelems", "in_elements"},
    ArgumentInfo{Argument::out_elements, ArgumentType::integer, "Out msg nelems", "out_elements"},
    ArgumentInfo{Argument::in_split_size, ArgumentType::text, "In split size", "in_split_size"},
    ArgumentInfo{Argument::out_split_size, ArgumentType::text, "Out split size", "out_split_size"},
    ArgumentInfo{Argument::rank, ArgumentType::integer, "Rank", "rank"},
    ArgumentInfo{Argument::global_rank_start, ArgumentType::integer, "Global rank start", "global_rank_start"},
    ArgumentInfo{Argument::global_rank_stride, ArgumentType::integer, "Global rank stride", "global_rank_stride"},
    ArgumentInfo{Argument::source_rank, ArgumentType::integer, "Src Rank", "source_rank"},
    ArgumentInfo{Argument::destination_rank, ArgumentType::integer, "Dst Rank", "destination_rank"},
    ArgumentInfo{Argument::communicator_id, ArgumentType::identifier, "Comms Id", "communicator_id"},
    ArgumentInfo{Argument::collective_sequence, ArgumentType::integer, "Seq", "collective_sequence"},
    ArgumentInfo{Argument::is_asynchronous, ArgumentType::integer, "Is asynchronized op", "is_asynchronous"},

    ArgumentInfo{Argument::address, ArgumentType::identifier, "Addr", "address"},
    ArgumentInfo{Argument::allocated_bytes, ArgumentType::integer, "Bytes", "allocated_bytes"},
    ArgumentInfo{Argument::total_allocated, ArgumentType::integer, "Total Allocated", "total_allocated"},
    ArgumentInfo{Argument::total_reserved, ArgumentType::integer, "Total Reserved", "total_reserved"},
    ArgumentInfo{Argument::device_type, ArgumentType::integer, "Device Type", "device_type"},
    ArgumentInfo{Argument::device_id, ArgumentType::integer, "Device Id", "device_id"},

    ArgumentInfo{Argument::name, ArgumentType::text, "name", "name"},
    ArgumentInfo{Argument::labels, ArgumentType::text, "labels", "labels"},
    ArgumentInfo{Argument::sort_index, ArgumentType::integer, "sort_index", "sort_index"},
    ArgumentInfo{Argument::op_count, ArgumentType::integer, "Op count", "op_count"},
};
inline constexpr std::size_t argument_count = argument_table.size();

/// Other spellings of the same keys, written by older exporters.
struct ArgumentAlias {
  std::string_view key;
  Argument argument{};
};
inline constexpr std::array argument_aliases = {
    ArgumentAlias{"Kernel", Argument::launched_kernel},   ArgumentAlias{"grid dim", Argument::grid},
    ArgumentAlias{"block dim", Argument::block},          ArgumentAlias{"shared size", Argument::shared_memory},
    ArgumentAlias{"Process Group", Argument::group_name}, ArgumentAlias{"Input Types", Argument::input_types},
};

[[nodiscard]] constexpr const ArgumentInfo& info_of(Argument argument) noexcept {
  return argument_table[static_cast<std::size_t>(argument)];
}

/// The argument a key names, by an exact match. A few nanoseconds.
[[nodiscard]] std::optional<Argument> find_argument(std::string_view key) noexcept;

namespace detail {
constexpr bool argument_table_follows_enum() {
  for (std::size_t i = 0; i < argument_table.size(); ++i) {
    if (static_cast<std::size_t>(argument_table[i].argument) != i) return false;
  }
  return static_cast<std::size_t>(Argument::op_count) + 1 == argument_table.size();
}
static_assert(argument_table_follows_enum());
}  // namespace detail
}  // namespace kinetoscope
