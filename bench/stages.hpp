#pragma once

// All stages that are measured. To add one: its function in bench/<stage>_bench.cpp, declared here, listed in main.cpp.
// `./dev bench` holds `load`, the trace and its call tree, to twice the floor, `tables` to three times the floor, the
// time of `gzip -dc` and half the document's size of memory, and each stage to instructions that grow with the input.

#include "bench/bench.hpp"

namespace kinetoscope::bench {

/// The floor of loading: what inflating and touching every field cost by themselves. bench/floor_bench.cpp.
[[nodiscard]] Stage floor_stage();

/// Reading, decompressing and cutting; importing, with one thread; the call tree of a loaded trace; and all of it as
/// the program does it. bench/load_bench.cpp.
[[nodiscard]] Stage read_stage();
[[nodiscard]] Stage trace_stage();
[[nodiscard]] Stage tree_stage();
[[nodiscard]] Stage load_stage();

/// The tables of a loaded trace, written nowhere; and the command `tables` from file to folder. bench/tables_bench.cpp.
[[nodiscard]] Stage sheets_stage();
[[nodiscard]] Stage tables_stage();
}  // namespace kinetoscope::bench
