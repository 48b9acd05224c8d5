#include "core/tree/backward_links.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree/diagnostics.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

constexpr std::string_view backward_mm = "autograd::engine::evaluate_function: MmBackward0";
constexpr std::string_view number_5 = R"("Sequence number": 5)";

/// "forward <- position of the backward call in the file", sorted by that.
std::vector<std::string> backward_links(const TestTrace& events) {
  const Trace trace = events.load();
  Diagnostics diagnostics;
  const BackwardLinks found = link_backward(trace, diagnostics);
  std::vector<std::string> out;
  for (const BackwardLink& link : found.links()) {
    out.push_back(std::string(trace.name_text(link.forward)) + " <- " + std::to_string(index_of(link.backward)));
  }
  return out;
}

using Lines = std::vector<std::string>;
}  // namespace

TEST_CASE("backward links: the sequence number leads from the backward thread to the forward call") {
  const TestTrace events = TestTrace()
                               .op("aten::mm", 0, 10_us, number_5)
                               .op("aten::add", 20_us, 30_us, R"("Sequence number": 6)")
                               .thread(2)
                               .op(backward_mm, 100_us, 200_us, number_5)
                               .op("MmBackward0", 110_us, 190_us, number_5);
  CHECK(backward_links(events) == Lines{"aten::mm <- 2"});
}

TEST_CASE("backward links: of forward calls with one number the last to begin, of those together the first written") {
  const TestTrace events = TestTrace()
                               .op("aten::linear", 0, 100_us, number_5)
                               .op("aten::addmm", 10_us, 90_us, number_5)
                               .op("aten::addmm inner", 10_us, 50_us, number_5)
                               .thread(2)
                               .op(backward_mm, 500_us, 600_us, number_5);
  CHECK(backward_links(events) == Lines{"aten::addmm <- 3"});
}

TEST_CASE("backward links: a call that begins behind the backward call is not its forward call") {
  const TestTrace events = TestTrace()
                               .op("aten::mm", 0, 10_us, number_5)
                               .op("aten::mm next step", 900_us, 910_us, number_5)
                               .thread(2)
                               .op(backward_mm, 500_us, 600_us, number_5);
  CHECK(backward_links(events) == Lines{"aten::mm <- 2"});
}

TEST_CASE("backward links: forward and backward on one thread link where nothing else has the number") {
  const TestTrace events = TestTrace()
                               .op("aten::mm", 0, 10_us, number_5)
                               .op(backward_mm, 500_us, 600_us, number_5)
                               .op("MmBackward0", 510_us, 590_us, number_5)
                               .op("aten::mm of the backward", 520_us, 580_us, number_5);
  CHECK(backward_links(events) == Lines{"aten::mm <- 1"});
}

TEST_CASE("backward links: without a forward call there is no link") {
  CHECK(backward_links(TestTrace().thread(2).op(backward_mm, 0, 10_us, number_5)).empty());
  CHECK(backward_links(TestTrace().op("aten::mm", 0, 10_us, number_5)).empty());
  CHECK(backward_links(TestTrace().op("aten::mm", 0, 10_us).thread(2).op(backward_mm, 20_us, 30_us)).empty());
  CHECK(backward_links(TestTrace()
                           .op("aten::mm", 0, 10_us, R"("Sequence number": -1)")
                           .thread(2)
                           .op(backward_mm, 20_us, 30_us, R"("Sequence number": -1)"))
            .empty());
}

TEST_CASE("backward links: a graph that ran backward twice links both calls, and counts them") {
  const Trace trace = TestTrace()
                          .op("aten::mm", 0, 10_us, number_5)
                          .thread(2)
                          .op(backward_mm, 100_us, 200_us, number_5)
                          .op(backward_mm, 300_us, 400_us, number_5)
                          .load();
  Diagnostics diagnostics;
  const BackwardLinks found = link_backward(trace, diagnostics);
  const auto forward = id_at<EventId>(0);
  CHECK(found.backward_of(forward) == std::vector{id_at<EventId>(1), id_at<EventId>(2)});
  CHECK(found.forward_of(id_at<EventId>(2)) == forward);
  CHECK(found.forward_of(forward) == no_event);
  CHECK(found.backward_of(id_at<EventId>(1)).empty());
  CHECK(diagnostics.count(tree_diagnostics::ambiguous_backward) == 2);
}

TEST_CASE("backward links: arrows tell calls of one number apart") {
  // Two models whose numbers both count from 0, run forward, forward, backward, backward.
  const TestTrace events = TestTrace()
                               .op("first", 0, 10_us, number_5)
                               .backward_arrow_from(1, 0)
                               .op("second", 20_us, 30_us, number_5)
                               .backward_arrow_from(2, 20_us)
                               .thread(2)
                               .op(backward_mm, 100_us, 200_us, number_5)
                               .backward_arrow_to(2, 110_us)
                               .op(backward_mm, 300_us, 400_us, number_5)
                               .backward_arrow_to(1, 310_us);
  CHECK(backward_links(events) == Lines{"second <- 4", "first <- 6"});
}

TEST_CASE("backward links: one number on everything costs no more than its events") {
  TestTrace events;
  for (int i = 0; i < 20'000; ++i) {
    events.thread(1).op("aten::mm", i, i + 1, number_5).thread(2).op(backward_mm, 100_us + i, 100_us + i + 1, number_5);
  }
  const Trace trace = events.load();
  Diagnostics diagnostics;
  CHECK(link_backward(trace, diagnostics).links().size() <= 20'000);
}

TEST_CASE("backward links: in a recorded training step they are where the profiler's arrows are") {
  const Trace trace = shared_trace("mi300/resnet_act_checkpoint.json.gz");
  Diagnostics diagnostics;
  const BackwardLinks found = link_backward(trace, diagnostics);
  CHECK(found.links().size() == 213);  // as many as the file has pairs of arrows
  std::size_t starts_at_forward = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto arrow = id_at<EventId>(i);
    if (trace.role(arrow) != Role::backward_arrow || trace.phase(arrow) != Phase::flow_start) continue;
    for (const BackwardLink& link : found.links()) {
      const bool is_there =
          trace.track(link.forward) == trace.track(arrow) && trace.begin_ns(link.forward) == trace.begin_ns(arrow);
      if (is_there) ++starts_at_forward;
    }
  }
  CHECK(starts_at_forward == 213);
}
}  // namespace kinetoscope
