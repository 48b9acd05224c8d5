#include "examples/generator/document.hpp"

#include <doctest/doctest.h>

namespace kinetoscope::examples {
namespace {

Document small_document() {
  Document document;
  document.header.number("schemaVersion", 1);
  Event call;
  call.fields.text("ph", "X").text("cat", "cpu_op").text("name", "aten::mm").number("pid", 1).number("tid", 2);
  call.fields.json("ts", "10.500").json("dur", "2.000");
  call.args.number("External id", 1).number("Ev Idx", 0);
  Event arrow;
  arrow.fields.text("ph", "s").number("id", 7).number("pid", 1).number("tid", 2).json("ts", "10.500");
  arrow.fields.text("cat", "ac2g").text("name", "ac2g");
  document.events = {call, arrow};
  document.trailer.text("traceName", "a.json");
  return document;
}
}  // namespace

TEST_CASE("document: the compact layout is one line") {
  CHECK(
      document_text(small_document(), Layout::compact) ==
      R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, )"
      R"("ts": 10.500, "dur": 2.000, "args": {"External id": 1, "Ev Idx": 0}}, )"
      R"({"ph": "s", "id": 7, "pid": 1, "tid": 2, "ts": 10.500, "cat": "ac2g", "name": "ac2g"}], "traceName": "a.json"})");
}

TEST_CASE("document: Kineto's layout gives times and args lines of their own") {
  CHECK(document_text(small_document(), Layout::kineto) == R"({
  "schemaVersion": 1,
  "traceEvents": [
  {
    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2,
    "ts": 10.500, "dur": 2.000,
    "args": {
      "External id": 1,"Ev Idx": 0
    }
  },
  {
    "ph": "s", "id": 7, "pid": 1, "tid": 2, "ts": 10.500,
    "cat": "ac2g", "name": "ac2g"
  }
  ],
  "traceName": "a.json"
}
)");
}
}  // namespace kinetoscope::examples
