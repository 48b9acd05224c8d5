#include "core/trace/importers/kineto.hpp"

#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/read_ahead.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/trace/importers/event_parser.hpp"
#include "core/trace/importers/kineto_metadata.hpp"
#include "core/trace/trace_builder.hpp"

namespace kinetoscope {
namespace {

using io::DocumentPiece;

/// One document into one builder, piece by piece.
class Import {
 public:
  Import(io::ByteSource& source, const ImportOptions& options)
      : source_(source), options_(options), reader_(source, options.window_bytes), parser_(builder_) {
    if (options.reads_ahead) ahead_.emplace(reader_);
  }

  Trace run() {
    while (take(ahead_ ? ahead_->next() : reader_.next())) {
      if (options_.stop.stop_requested()) throw Error({.code = ErrorCode::interrupted});
      if (options_.on_window) options_.on_window(builder_.size());
    }
    if (!reader_.has_events() && !is_partial_) {
      throw Error({.code = ErrorCode::not_a_trace,
                   .problem = "the JSON document has no traceEvents array",
                   .accepted = "an object with traceEvents, or an array of events"});
    }
    report_document();
    importers::read_metadata(builder_.metadata(), builder_.diagnostics());
    return std::move(builder_).finish();
  }

 private:
  /// False when nothing more is to be read.
  bool take(DocumentPiece piece) {
    switch (piece.kind) {
      case DocumentPiece::Kind::member: {
        flush_rest();
        builder_.metadata().entries.push_back({std::move(piece.key), {piece.text(), piece.size}});
        return !is_partial_;
      }
      case DocumentPiece::Kind::events:
        return take_events(std::move(piece));
      case DocumentPiece::Kind::end:
        flush_rest();
        return false;
      case DocumentPiece::Kind::between:
        stop_early(piece.offset, trace_diagnostics::unterminated_root);
        return false;
      case DocumentPiece::Kind::inside:
        stop_early(piece.offset, trace_diagnostics::truncated_json);
        return false;
      case DocumentPiece::Kind::broken:
        stop_early(piece.offset, trace_diagnostics::broken_json);
        return false;
    }
    return false;
  }

  bool take_events(DocumentPiece piece) {
    if (!rest_.empty()) {  // an event begun in the window before, in a damaged file
      rest_.append(piece.text(), piece.size);
      return parse_rest(true);
    }
    const auto progress = parser_.parse(piece.text(), piece.size, piece.offset, true);
    if (progress.is_broken) {
      mark_partial(piece.offset + progress.used_bytes, trace_diagnostics::broken_json);
      return false;
    }
    if (progress.used_bytes < piece.size) {
      rest_.assign(piece.text() + progress.used_bytes, piece.size - progress.used_bytes);
      rest_offset_ = piece.offset + progress.used_bytes;
    }
    if (ahead_) {
      ahead_->recycle(std::move(piece.buffer));
    } else {
      reader_.recycle(std::move(piece.buffer));
    }
    return true;
  }

  bool parse_rest(bool may_go_on) {
    io::PaddedBuffer buffer(rest_.size());
    std::copy(rest_.begin(), rest_.end(), buffer.data());
    const auto progress = parser_.parse(buffer.data(), rest_.size(), rest_offset_, may_go_on);
    rest_offset_ += progress.used_bytes;
    rest_.erase(0, progress.used_bytes);
    if (!progress.is_broken) return true;
    mark_partial(rest_offset_, trace_diagnostics::broken_json);
    return false;
  }

  void flush_rest() {
    if (!rest_.empty() && parse_rest(false)) rest_.clear();
  }

  /// The stream's own damage, where there is any, is the cause of what the document lacks.
  void stop_early(std::uint64_t offset, const DiagnosticKind& kind) {
    const DiagnosticKind* const damage = source_.damage();
    if (!rest_.empty() && !parse_rest(damage != nullptr)) return;
    mark_partial(offset, damage == nullptr ? kind : *damage);
  }

  void mark_partial(std::uint64_t offset, const DiagnosticKind& kind) {
    if (is_partial_) return;
    is_partial_ = true;
    builder_.diagnostics().add(kind, offset);
    builder_.set_partial(offset, kind.code);
  }

  void report_document() {
    Diagnostics& diagnostics = builder_.diagnostics();
    diagnostics.add(trace_diagnostics::nested_trace_events, {}, reader_.nested_levels());
    diagnostics.add(io_diagnostics::trailing_comma, {}, reader_.extra_commas());
    diagnostics.add(trace_diagnostics::oversized_metadata, {}, reader_.skipped_members());
    if (reader_.has_text_behind()) diagnostics.add(trace_diagnostics::bytes_after_root);
    source_.report(diagnostics);
  }

  io::ByteSource& source_;
  const ImportOptions& options_;
  TraceBuilder builder_;
  io::DocumentReader reader_;
  importers::EventParser parser_;
  std::string rest_;
  std::uint64_t rest_offset_ = 0;
  bool is_partial_ = false;
  std::optional<io::ReadAhead> ahead_;  // last: its thread uses the reader
};
}  // namespace

Trace import_kineto(io::ByteSource& source, const ImportOptions& options) {
  return Import(source, options).run();
}
}  // namespace kinetoscope
