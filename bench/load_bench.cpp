// Loading: from a compressed file to a trace and its call tree, as the program does it, and its stages by themselves.

#include <memory>
#include <string>

#include "core/io/document_reader.hpp"
#include "core/io/open_input.hpp"
#include "core/trace/importers/kineto.hpp"
#include "core/trace/trace.hpp"
#include "core/tree/call_tree.hpp"
#include "bench/bench.hpp"
#include "bench/stages.hpp"

namespace kinetoscope::bench {
namespace {

/// Mixes what a stage found into one number.
class Hash {
 public:
  void add(std::uint64_t value) { value_ = (value_ ^ value) * 0x9e37'79b9'7f4a'7c15u; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

Trace imported(const std::string& path, bool reads_ahead) {
  const io::Input input = io::open_input(path);
  return import_kineto(*input.source, {.reads_ahead = reads_ahead});
}

void add(Hash& hash, const Trace& trace) {
  hash.add(trace.size());
  for (std::size_t i = 0; i < trace.size(); i += 1 + trace.size() / 1000) {
    hash.add(static_cast<std::uint64_t>(trace.begin_ns(id_at<EventId>(i))));
  }
}

void add(Hash& hash, const CallTree& tree) {
  hash.add(tree.size());
  hash.add(tree.linked_gpu_events().size());
}
}  // namespace

Stage read_stage() {
  return {"read", [](const std::string& path) {
            return [path] {
              const io::Input input = io::open_input(path);
              io::DocumentReader reader(*input.source);
              Hash hash;
              for (bool more = true; more;) {
                io::DocumentPiece piece = reader.next();
                more = !is_last(piece);
                hash.add(piece.size);
                reader.recycle(std::move(piece.buffer));
              }
              return Run{hash.value(), {}};
            };
          }};
}

Stage trace_stage() {
  return {"trace", [](const std::string& path) {
            return [path] {
              Hash hash;
              add(hash, imported(path, false));
              return Run{hash.value(), {}};
            };
          }};
}

Stage tree_stage() {
  return {"tree", [](const std::string& path) {
            const auto trace = std::make_shared<const Trace>(imported(path, true));
            return [trace] {
              Hash hash;
              add(hash, CallTree::build(*trace, {.threads = 2}));
              return Run{hash.value(), {}};
            };
          }};
}

Stage load_stage() {
  return {"load", [](const std::string& path) {
            return [path] {
              const Trace trace = imported(path, true);
              Hash hash;
              add(hash, trace);
              add(hash, CallTree::build(trace, {.threads = 2}));
              return Run{hash.value(), {}};
            };
          }};
}
}  // namespace kinetoscope::bench
