#include "core/io/read_ahead.hpp"

#include <utility>

namespace kinetoscope::io {
namespace {
bool is_last(const DocumentPiece& piece) {
  return piece.kind != DocumentPiece::Kind::member && piece.kind != DocumentPiece::Kind::events;
}
}  // namespace

ReadAhead::ReadAhead(DocumentReader& reader)
    : reader_(reader), thread_([this](const std::stop_token& stop) { run(stop); }) {}

DocumentPiece ReadAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !pieces_.empty() || failure_ != nullptr; });
  if (pieces_.empty()) std::rethrow_exception(failure_);
  DocumentPiece piece = std::move(pieces_.front());
  pieces_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return piece;
}

void ReadAhead::recycle(PaddedBuffer buffer) {
  const std::lock_guard lock(mutex_);
  recycled_.push_back(std::move(buffer));
}

void ReadAhead::run(const std::stop_token& stop) {
  try {
    for (bool more = true; more && !stop.stop_requested();) {
      DocumentPiece piece = reader_.next();
      more = !is_last(piece);
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return pieces_.size() < most_pieces_ahead; })) return;
      pieces_.push_back(std::move(piece));
      for (PaddedBuffer& buffer : recycled_) reader_.recycle(std::move(buffer));
      recycled_.clear();
      lock.unlock();
      changed_.notify_all();
    }
  } catch (...) {  // the thread's edge: handed to next(), on the thread that can tell the user
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}
}  // namespace kinetoscope::io
