#pragma once

// PyTorch profiler traces (Kineto's Chrome JSON, and what older and newer exporters of the same format write) to a
// Trace.
//
// Streamed: windows are read, decompressed and cut; their events become tokens; tokens become columns. A second thread
// does the first, and the second where it is ahead; or all is the caller's. Of a document that is cut or broken, what
// came before is used, and the Trace says so. The same bytes give the same Trace for any window size, with or without
// the second thread. Cost: O(bytes); docs/performance.md.

#include <cstddef>
#include <functional>
#include <stop_token>

#include "core/io/byte_source.hpp"
#include "core/io/document_reader.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {

struct ImportOptions {
  std::size_t window_bytes = io::DocumentReader::default_window_bytes;
  std::size_t longest_event_bytes = io::DocumentReader::default_longest_event_bytes;
  /// Use a second thread.
  bool reads_ahead = true;
  /// Asked between windows; then Error interrupted.
  std::stop_token stop{};
  /// Called between windows, on the calling thread, with the events so far.
  std::function<void(std::size_t events)> on_window{};
};

/// Throws Error not_a_trace (no traceEvents), empty_input (no event ends), limit_reached, interrupted, and what
/// `source` throws; the caller adds the input's name.
[[nodiscard]] Trace import_kineto(io::ByteSource& source, const ImportOptions& options = {});
}  // namespace kinetoscope
