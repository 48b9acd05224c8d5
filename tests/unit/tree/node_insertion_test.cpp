#include "core/tree/node_insertion.hpp"

#include <doctest/doctest.h>

namespace kinetoscope {
namespace {

NestedCall call(std::uint32_t event, NodeId parent, NodeId host_parent, std::uint32_t subtree_end) {
  return {id_at<EventId>(event), parent, host_parent, id_at<NodeId>(subtree_end)};
}

constexpr NodeId node(std::uint32_t index) { return id_at<NodeId>(index); }

/// a(b(c) d) e, all of them operators.
HugeArray<NestedCall> five_calls() {
  HugeArray<NestedCall> nodes;
  nodes.push_back(call(0, no_node, no_node, 4));
  nodes.push_back(call(1, node(0), node(0), 3));
  nodes.push_back(call(2, node(1), node(1), 3));
  nodes.push_back(call(3, node(0), node(0), 4));
  nodes.push_back(call(4, no_node, no_node, 5));
  return nodes;
}
}  // namespace

TEST_CASE("node insertion: a new node takes over children with all that is below them") {
  // a(X(b(c) d)) e
  const InsertedNodes out = insert_nodes(five_calls(), {{id_at<EventId>(5), node(0), node(0), node(1), node(4)}});
  REQUIRE(out.nodes.size() == 6);
  CHECK(out.nodes[0] == call(0, no_node, no_node, 5));
  CHECK(out.nodes[1] == call(5, node(0), node(0), 5));
  CHECK(out.nodes[2] == call(1, node(1), node(1), 4));
  CHECK(out.nodes[3] == call(2, node(2), node(2), 4));
  CHECK(out.nodes[4] == call(3, node(1), node(1), 5));
  CHECK(out.nodes[5] == call(4, no_node, no_node, 6));
  CHECK(out.moved_to[0] == node(0));
  CHECK(out.moved_to[1] == node(2));
  CHECK(out.moved_to[4] == node(5));
}

TEST_CASE("node insertion: new nodes stand inside one another, the longer one outside") {
  // a(X(Y(b(c)) d)) e: Y around b is given first
  const InsertedNodes out = insert_nodes(five_calls(), {{id_at<EventId>(6), node(0), node(0), node(1), node(3)},
                                                        {id_at<EventId>(5), node(0), node(0), node(1), node(4)}});
  REQUIRE(out.nodes.size() == 7);
  CHECK(out.nodes[1] == call(5, node(0), node(0), 6));
  CHECK(out.nodes[2] == call(6, node(1), node(1), 5));
  CHECK(out.nodes[3] == call(1, node(2), node(2), 5));
  CHECK(out.nodes[4] == call(2, node(3), node(3), 5));
  CHECK(out.nodes[5] == call(3, node(1), node(1), 6));
}

TEST_CASE("node insertion: a root gets a new node around it, and nodes behind it only move") {
  // a(b(c) d) X(e)
  const InsertedNodes out = insert_nodes(five_calls(), {{id_at<EventId>(5), no_node, no_node, node(4), node(5)}});
  REQUIRE(out.nodes.size() == 6);
  CHECK(out.nodes[0] == call(0, no_node, no_node, 4));
  CHECK(out.nodes[4] == call(5, no_node, no_node, 6));
  CHECK(out.nodes[5] == call(4, node(4), node(4), 6));
}

TEST_CASE("node insertion: between a Python frame and its children the new operator becomes their host parent") {
  // a(frame(c)), where c's host parent is a
  HugeArray<NestedCall> nodes;
  nodes.push_back(call(0, no_node, no_node, 3));
  nodes.push_back(call(1, node(0), node(0), 3));
  nodes.push_back(call(2, node(1), node(0), 3));
  const InsertedNodes out = insert_nodes(nodes, {{id_at<EventId>(3), node(1), node(0), node(2), node(3)}});
  REQUIRE(out.nodes.size() == 4);
  CHECK(out.nodes[1] == call(1, node(0), node(0), 4));
  CHECK(out.nodes[2] == call(3, node(1), node(0), 4));
  CHECK(out.nodes[3] == call(2, node(2), node(2), 4));
}
}  // namespace kinetoscope
