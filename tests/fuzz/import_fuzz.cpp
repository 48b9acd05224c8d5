// Any bytes give a trace and a call tree, or an Error; the same for any window, unless the document's structure is
// broken: then the window decides how much is usable. The first byte chooses the window.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/base/error.hpp"
#include "core/io/memory_source.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/steps.hpp"

namespace {

using namespace kinetoscope;

struct Outcome {
  std::size_t events = 0;
  std::size_t names = 0;
  std::size_t nodes = 0;
  std::size_t linked = 0;
  bool is_broken = false;  // refused, or used in part
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

void check_tree(const CallTree& tree) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (tree.subtree_end(node) <= node) std::abort();
    const NodeId parent = tree.parent(node);
    if (parent != no_node && (parent >= node || tree.subtree_end(parent) < tree.subtree_end(node))) std::abort();
  }
}

Outcome outcome(const std::string& bytes, std::size_t window_bytes) {
  try {
    io::MemorySource source(bytes);
    const Trace trace = import_kineto(source, {.window_bytes = window_bytes, .reads_ahead = false});
    const CallTree tree = CallTree::build(trace);
    check_tree(tree);
    const Steps steps = Steps::find(tree);
    return {trace.size(), trace.names_count(), tree.size(), tree.linked_gpu_events().size() + steps.steps().size(),
            trace.partial().has_value()};
  } catch (const Error&) {
    return {.is_broken = true};
  }
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t window_bytes = std::size_t{1} << (data[0] % 13);
  const Outcome small = outcome(bytes, window_bytes);
  const Outcome large = outcome(bytes, std::size_t{1} << 20);
  if (small != large && !small.is_broken && !large.is_broken) std::abort();
  return 0;
}
