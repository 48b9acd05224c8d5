#pragma once

// Pieces of a document, read, decompressed and cut by a thread of their own while the caller parses the ones before.

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/io/document_reader.hpp"

namespace kinetoscope::io {

class ReadAhead {
 public:
  /// `reader` must outlive this, and is used by the thread alone until the last piece was taken.
  explicit ReadAhead(DocumentReader& reader);
  ~ReadAhead() = default;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next piece, in order; rethrows what the reader threw. Not to be called after a last piece.
  [[nodiscard]] DocumentPiece next();
  void recycle(PaddedBuffer buffer);

 private:
  static constexpr std::size_t most_pieces_ahead = 3;
  void run(const std::stop_token& stop);

  DocumentReader& reader_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<DocumentPiece> pieces_;    // guarded by mutex_
  std::vector<PaddedBuffer> recycled_;  // guarded by mutex_
  std::exception_ptr failure_;          // guarded by mutex_
  std::jthread thread_;                 // last: it uses all of the above
};
}  // namespace kinetoscope::io
