#pragma once

// A trace file before it is text: header, events in file order, trailer, and the two layouts in which they are written.
// Values are JSON text already (json_text.hpp), so a document can say anything that a file can say.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinetoscope::examples {

/// Keys and their JSON text, in the order of writing.
class Fields {
 public:
  Fields& json(std::string_view key, std::string text);
  Fields& number(std::string_view key, std::int64_t value);
  Fields& text(std::string_view key, std::string_view value);
  /// Replaces the value of `key`, or adds it.
  Fields& set(std::string_view key, std::string text);
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& entries() const noexcept { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// One element of traceEvents: its own keys, then `args`.
struct Event {
  std::string category{};  ///< what the fields say, kept for those who filter
  Fields fields{};
  Fields args{};
};

enum class Layout : std::uint8_t {
  compact,  ///< one line, as post-processed and newer files are
  kineto,   ///< many lines an event, as Kineto's own writer lays them out
};

struct Document {
  Fields header{};
  std::vector<Event> events{};
  Fields trailer{};  ///< what stands behind traceEvents
};

[[nodiscard]] std::string event_text(const Event& event, Layout layout);
[[nodiscard]] std::string document_text(const Document& document, Layout layout);
}  // namespace kinetoscope::examples
