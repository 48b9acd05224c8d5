#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/io/memory_source.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/tree/call_tree.hpp"
#include "examples/generator/defect_case.hpp"
#include "examples/generator/scenarios.hpp"

namespace kinetoscope {
namespace {

/// Every node, link and count of the tree.
std::string text_of(const CallTree& tree) {
  std::string out;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    out += fmt::format("{} {} {} {} {}\n", index_of(tree.event(node)), index_of(tree.parent(node)),
                       index_of(tree.host_parent(node)), index_of(tree.subtree_end(node)), tree.is_leaf_operator(node));
  }
  for (const EventId event : tree.trace().gpu_events()) {
    const GpuLink link = tree.link(event);
    out += fmt::format("{} {} {} {}\n", index_of(event), index_of(link.launch), spelling_of(link.method),
                       spelling_of(link.cause));
  }
  for (const Diagnostic& found : tree.diagnostics().sorted()) {
    out += fmt::format("{} {} {}\n", found.code, found.count, found.first_offset.value_or(0));
  }
  return out + fmt::format("{} launches, {} edges\n", tree.launches().total, tree.kernel_edges().size());
}

void check_threads(const std::string& bytes) {
  try {
    io::MemorySource source(bytes);
    const Trace trace = import_kineto(source, {.reads_ahead = false});
    CHECK(text_of(CallTree::build(trace, {.threads = 2})) == text_of(CallTree::build(trace)));
  } catch (const Error&) {
    return;  // refused before there is a tree
  }
}
}  // namespace

TEST_CASE("call tree: two threads build the tree that one builds") {
  check_threads(examples::training_trace({}).text);
  check_threads(examples::decode_trace({}).text);
  for (const examples::DefectCase& damage : examples::defect_cases()) {
    CAPTURE(damage.id);
    CAPTURE(damage.variant);
    check_threads(damage.bytes);
  }
}
}  // namespace kinetoscope
