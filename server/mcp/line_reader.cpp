#include "server/mcp/line_reader.hpp"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace kinetoscope::mcp {
namespace {

constexpr std::size_t bytes_a_read = 64 * 1024;

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}
}  // namespace

Line LineReader::next() {
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      const Line line = taken(end - begin_, 1);
      if (line.kind != LineKind::line || !line.text.empty()) return line;
      continue;
    }
    searched_ = buffer_.size();
    if (searched_ - begin_ > longest_line_) {
      is_passing_over_ = true;
      begin_ = searched_;
    }
    if (is_at_end_ || !read_more()) {
      const Line line = taken(buffer_.size() - begin_, 0);
      return line.kind == LineKind::line && line.text.empty() ? Line{} : line;
    }
  }
}

Line LineReader::taken(std::size_t length, std::size_t line_end) {
  const std::string_view text = without_carriage_return(std::string_view(buffer_).substr(begin_, length));
  begin_ += length + line_end;
  searched_ = begin_;
  const bool is_too_long = is_passing_over_ || length > longest_line_;
  is_passing_over_ = false;
  if (is_too_long) return {LineKind::too_long, {}};
  return {LineKind::line, text};
}

bool LineReader::read_more() {
  // What was given out is no longer needed: the buffer holds one unfinished line, and what came with it.
  buffer_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + bytes_a_read);
  ssize_t count = -1;
  while (wake_up_->wait_for(descriptor_, POLLIN)) {
    count = ::read(descriptor_, buffer_.data() + kept, bytes_a_read);
    if (count >= 0 || (errno != EINTR && errno != EAGAIN)) break;
  }
  buffer_.resize(kept + (count > 0 ? static_cast<std::size_t>(count) : 0));
  is_at_end_ = count <= 0;
  return !is_at_end_;
}
}  // namespace kinetoscope::mcp
