#include "core/io/document_reader.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/io/memory_source.hpp"

namespace kinetoscope::io {
namespace {

using Kind = DocumentPiece::Kind;

/// What a reader gives, windows joined.
struct Outcome {
  std::string events;
  std::vector<std::string> members;  // key=value
  Kind last = Kind::end;
  std::uint64_t last_offset = 0;
  std::size_t largest_buffer_bytes = 0;
  std::uint64_t skipped_members = 0;
};

Outcome outcome_of(const std::string& document, std::size_t window_bytes,
                   std::size_t longest_event_bytes = DocumentReader::default_longest_event_bytes) {
  MemorySource source(document);
  DocumentReader reader(source, window_bytes, longest_event_bytes);
  Outcome out;
  for (;;) {
    DocumentPiece piece = reader.next();
    out.largest_buffer_bytes = std::max(out.largest_buffer_bytes, piece.buffer.capacity());
    if (piece.kind == Kind::events) {
      out.events.append(piece.text(), piece.size);
      reader.recycle(std::move(piece.buffer));
    } else if (piece.kind == Kind::member) {
      out.members.push_back(piece.key + '=' + std::string(piece.text(), piece.size));
    } else {
      out.last = piece.kind;
      out.last_offset = piece.offset;
      out.skipped_members = reader.skipped_members();
      return out;
    }
  }
}

constexpr std::size_t window_bytes = 1024;
}  // namespace

TEST_CASE("document reader: separators between events are held a window at a time, however many there are") {
  for (const char separator : {' ', '\n', ','}) {
    CAPTURE(separator);
    const std::string events = R"({"a":1},)" + std::string(1'000'000, separator) + R"({"b":2})";
    const Outcome found = outcome_of(R"({"traceEvents":[)" + events + R"(],"c":3})", window_bytes);
    CHECK(found.events == events);
    CHECK(found.members == std::vector<std::string>{"c=3"});
    CHECK(found.last == Kind::end);
    CHECK(found.largest_buffer_bytes <= window_bytes);
  }
}

TEST_CASE("document reader: where a quote too many hides the events' ends, separators are held up to 16 MiB") {
  // From 8 MiB without an event's end on the cutter that forgives quotes is asked: the buffer has doubled to 16 by
  // then.
  const std::string events = R"({"a":"5" disk"},)" + std::string(40'000'000, ' ') + R"({"b":2})";
  const Outcome found = outcome_of('[' + events + ']', window_bytes);
  CHECK(found.events == events);
  CHECK(found.last == Kind::end);
  CHECK(found.largest_buffer_bytes <= std::size_t{16} << 20);
}

TEST_CASE("document reader: a document cut among separators ends between events, cut behind them inside one") {
  const std::string start = R"({"traceEvents":[{"a":1},)" + std::string(100'000, ' ');
  for (const std::size_t window : {std::size_t{1}, window_bytes, std::size_t{1} << 20}) {
    CAPTURE(window);
    CHECK(outcome_of(start, window).last == Kind::between);
    CHECK(outcome_of(start, window).last_offset == start.size());
    CHECK(outcome_of(start + R"({"b)", window).last == Kind::inside);
    CHECK(outcome_of(start + R"({"b)", window).last_offset == start.size() + 3);
  }
}

TEST_CASE("document reader: the offset of a defect is the event's, whatever stands before it") {
  const std::string start = R"([{"a":"5" disk"},)" + std::string(10'000, ' ');
  for (const std::size_t window : {std::size_t{1}, window_bytes, std::size_t{1} << 20}) {
    CAPTURE(window);
    CHECK(outcome_of(start + R"({"b" 1},{}])", window).last == Kind::broken);
    CHECK(outcome_of(start + R"({"b" 1},{}])", window).last_offset == start.size());
  }
}

TEST_CASE("document reader: an event of the largest size is read, one byte more ends the document there") {
  constexpr std::size_t longest = 5000;
  const std::string longest_event = R"({"name":")" + std::string(longest - 11, 'x') + R"("})";
  REQUIRE(longest_event.size() == longest);
  std::string too_long_event = longest_event;
  too_long_event.insert(20, "y");
  for (const std::size_t window : {std::size_t{1}, std::size_t{64}, window_bytes, std::size_t{1} << 20}) {
    for (const std::string& before : {std::string(), R"({"a":1},)" + std::string(3000, ' ')}) {
      CAPTURE(window);
      CAPTURE(before.size());
      const std::string whole = before + longest_event + ',' + longest_event;
      CHECK(outcome_of('[' + whole + ']', window, longest).events == whole);
      CHECK(outcome_of('[' + whole + ']', window, longest).last == Kind::end);
      for (const std::string end : {"", ",{}]"}) {
        const Outcome found = outcome_of('[' + before + too_long_event + end, window, longest);
        CHECK(found.last == Kind::too_long);
        CHECK(found.last_offset == 1 + before.size());
        CHECK(before.starts_with(found.events));
        CHECK(found.events.size() >= before.find_last_of('}') + 1);
      }
    }
  }
}

TEST_CASE("document reader: a value of a member longer than the largest event ends the document there") {
  constexpr std::size_t longest = 5000;
  for (const std::size_t window : {std::size_t{1}, window_bytes, std::size_t{1} << 20}) {
    CAPTURE(window);
    CHECK(outcome_of(R"({"a":")" + std::string(longest - 2, 'x') + R"("})", window, longest).last == Kind::end);
    const Outcome found = outcome_of(R"({"a":")" + std::string(longest - 1, 'x') + R"("})", window, longest);
    CHECK(found.last == Kind::too_long);
    CHECK(found.last_offset == 5);
  }
}

TEST_CASE("document reader: white space between members is held a window at a time") {
  const std::string space(1'000'000, '\n');
  const Outcome found = outcome_of('{' + space + R"("a")" + space + ':' + space + '1' + space + ',' + space +
                                       R"("traceEvents":[{}])" + space + ',' + space + R"("b":[2])" + space + '}',
                                   window_bytes);
  CHECK(found.members == std::vector<std::string>{"a=1", "b=[2]"});
  CHECK(found.events == "{}");
  CHECK(found.last == Kind::end);
  CHECK(found.largest_buffer_bytes <= window_bytes);
}

TEST_CASE("document reader: lists and objects as members end where they end, whatever the window") {
  std::string document = "{";
  std::vector<std::string> members;
  for (const std::size_t length : {1u, 2u, 250u, 254u, 255u, 256u, 257u, 768u, 5000u}) {
    const std::string list = "[\"" + std::string(length, ']') + "\",{\"a\":[]}]";
    document += "\"k\":" + list + ',';
    members.push_back("k=" + list);
  }
  for (const std::size_t window : {std::size_t{1}, std::size_t{100}, window_bytes, std::size_t{1} << 20}) {
    CAPTURE(window);
    CHECK(outcome_of(document + R"("traceEvents":[]})", window).members == members);
  }
}
}  // namespace kinetoscope::io
