#include "core/trace/importers/kineto.hpp"

#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/read_ahead.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/trace/importers/event_fields.hpp"
#include "core/trace/importers/event_tokenizer.hpp"
#include "core/trace/importers/kineto_metadata.hpp"
#include "core/trace/trace_builder.hpp"

namespace kinetoscope {
namespace {

using importers::EventTokenizer;
using importers::TokenBatch;
using io::DocumentPiece;

/// The document's pieces: straight from the reader, or from a thread that reads ahead.
class Pieces final : public importers::PieceSource {
 public:
  Pieces(io::DocumentReader& reader, bool reads_ahead) : reader_(reader) {
    if (reads_ahead) ahead_.emplace(reader);
  }
  [[nodiscard]] DocumentPiece next() override { return ahead_ ? ahead_->next() : reader_.next(); }
  /// Ends the thread: from here on the reader is the caller's.
  void stop() { ahead_.reset(); }

 private:
  io::DocumentReader& reader_;
  std::optional<io::ReadAhead<io::DocumentReader>> ahead_;
};

/// One document into one builder, batch by batch.
class Import {
 public:
  Import(io::ByteSource& source, const ImportOptions& options)
      : source_(source),
        options_(options),
        reader_(source, options.window_bytes),
        pieces_(reader_, options.reads_ahead),
        tokenizer_(pieces_),
        fields_(builder_) {
    if (options.reads_ahead) ahead_.emplace(tokenizer_);
  }

  Trace run() {
    while (take(ahead_ ? ahead_->next() : tokenizer_.next())) {
      if (options_.stop.stop_requested()) throw Error({.code = ErrorCode::interrupted});
      if (options_.on_window) options_.on_window(builder_.size());
    }
    ahead_.reset();  // a broken document ends before the threads do
    pieces_.stop();
    refuse_what_is_of_no_use();
    report_document();
    importers::read_metadata(builder_.metadata(), builder_.diagnostics());
    return std::move(builder_).finish();
  }

 private:
  /// False when nothing more is to be read.
  bool take(TokenBatch batch) {
    builder_.diagnostics().merge(batch.diagnostics);
    switch (batch.piece.kind) {
      case DocumentPiece::Kind::member:
        builder_.metadata().entries.push_back({std::move(batch.piece.key), {batch.piece.text(), batch.piece.size}});
        return true;
      case DocumentPiece::Kind::events:
        fields_.append(batch);
        if (batch.is_broken) {
          mark_partial(batch.broken_offset, trace_diagnostics::broken_json);
          return false;
        }
        reader_.recycle(std::move(batch.piece.buffer));
        tokenizer_.recycle(std::move(batch.tokens));
        return true;
      case DocumentPiece::Kind::end:
        if (source_.damage() != nullptr) mark_partial(batch.piece.offset, *source_.damage());
        return false;
      case DocumentPiece::Kind::between: stop_early(batch, trace_diagnostics::unterminated_root); return false;
      case DocumentPiece::Kind::inside: stop_early(batch, trace_diagnostics::truncated_json); return false;
      case DocumentPiece::Kind::broken: stop_early(batch, trace_diagnostics::broken_json); return false;
    }
    return false;
  }

  /// The stream's own damage, where there is any, is the cause of what the document lacks.
  void stop_early(const TokenBatch& batch, const DiagnosticKind& kind) {
    const DiagnosticKind* const damage = source_.damage();
    mark_partial(batch.piece.offset, damage == nullptr ? kind : *damage);
  }

  /// A document without events, or cut before its first event ended.
  void refuse_what_is_of_no_use() const {
    if (!reader_.has_events()) {
      throw Error({.code = ErrorCode::not_a_trace,
                   .problem = is_partial_ ? "the document ends or breaks before its traceEvents"
                                          : "the JSON document has no traceEvents array",
                   .accepted = "an object with traceEvents, or an array of events"});
    }
    if (is_partial_ && builder_.size() == 0) {
      throw Error({.code = ErrorCode::empty_input, .problem = "the document ends or breaks inside its first event"});
    }
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
  Pieces pieces_;
  EventTokenizer tokenizer_;
  importers::EventFieldReader fields_;
  bool is_partial_ = false;
  std::optional<io::ReadAhead<EventTokenizer>> ahead_;  // last: its thread uses all of the above
};
}  // namespace

Trace import_kineto(io::ByteSource& source, const ImportOptions& options) { return Import(source, options).run(); }
}  // namespace kinetoscope
