#pragma once

// JSON events to columns: one window of the events array at a time, walked by simdjson's on-demand parser, which also
// checks UTF-8 and control characters. Field order does not matter; the last of equal keys counts.
//
// Texts are interned as they stand in the file: a name that came before costs a hash, whatever escapes it holds.
// Numbers are read from their tokens. The clean path never looks at a byte twice for the sake of damage: a window that
// the parser refuses is tried again event by event, and only an event refused by itself is repaired.

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/trace/trace_builder.hpp"

namespace kinetoscope::importers {

class EventParser {
 public:
  explicit EventParser(TraceBuilder& builder);
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;
  ~EventParser();

  struct Progress {
    std::size_t used_bytes = 0;  ///< up to the end of the last event, or the start of the first one not used
    bool is_broken = false;      ///< a structural defect stands at used_bytes
  };
  /// Appends the events of `text`: complete events with white space and commas between and around them, at `offset` of
  /// the document. The byte before `text` and 64 bytes behind it are written to, and put back. When `may_go_on`, an
  /// event that is incomplete at the end of `text` is left for the caller to give again with what follows.
  [[nodiscard]] Progress parse(char* text, std::size_t size, std::uint64_t offset, bool may_go_on);

 private:
  class Walker;
  [[nodiscard]] Progress parse_carefully(std::string_view text, std::uint64_t offset, bool may_go_on);

  std::unique_ptr<Walker> walker_;
};
}  // namespace kinetoscope::importers
