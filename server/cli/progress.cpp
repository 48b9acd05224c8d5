#include "server/cli/progress.hpp"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/format.hpp"

namespace kinetoscope::cli {
namespace {

constexpr std::chrono::milliseconds silence(500);
constexpr std::chrono::milliseconds between_rewrites(100);
constexpr std::chrono::milliseconds between_lines(1000);
constexpr std::string_view clear_line = "\r\x1b[K";

void write_progress(std::string_view text) noexcept {
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) == 0);
}
}  // namespace

ProgressLine::ProgressLine(std::string input_name, bool is_asked_for)
    : name_(std::move(input_name)),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      is_shown_(is_terminal_ || is_asked_for),
      next_(start_ + silence) {}

ProgressLine::~ProgressLine() {
  if (is_dirty_ && is_terminal_) write_progress(clear_line);
}

void ProgressLine::show(const LoadProgress& progress) {
  const Clock::time_point now = Clock::now();
  if (!is_shown_ || now < next_) return;
  next_ = now + (is_terminal_ ? between_rewrites : between_lines);
  const std::string text = progress_text(name_, progress, std::chrono::duration<double>(now - start_).count());
  write_progress(is_terminal_ ? std::string(clear_line) + text : text + "\n");
  is_dirty_ = true;
}

std::string progress_text(std::string_view name, const LoadProgress& progress, double seconds) {
  std::string text = printable(name) + ": ";
  if (progress.total_bytes && *progress.total_bytes > 0) {
    const double share = static_cast<double>(progress.consumed_bytes) / static_cast<double>(*progress.total_bytes);
    text += fmt::format("{:.0f} % of {}", 100 * std::min(share, 1.0), bytes_text(*progress.total_bytes));
  } else {
    text += bytes_text(progress.consumed_bytes);
  }
  const double rate = seconds > 0 ? static_cast<double>(progress.consumed_bytes) / 1e6 / seconds : 0;
  return text +
         fmt::format(", {} events, {:.1f} MB/s", with_separators(static_cast<std::int64_t>(progress.events)), rate);
}
}  // namespace kinetoscope::cli
