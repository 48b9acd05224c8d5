#include "examples/generator/feature_names.hpp"

#include <array>

namespace kinetoscope::examples {
namespace {

constexpr std::array features = {
    NamedFeature{"inline_annotations", [](Features& f) { f.inline_annotations = true; }},
    NamedFeature{"node_ids_packed", [](Features& f) { f.node_ids = NodeIds::packed; }},
    NamedFeature{"node_ids_split", [](Features& f) { f.node_ids = NodeIds::split; }},
    NamedFeature{"lanes_moved", [](Features& f) { f.lanes = Lanes::moved; }},
    NamedFeature{"lanes_wished", [](Features& f) { f.lanes = Lanes::wished; }},
    NamedFeature{"sync_rows", [](Features& f) { f.sync_rows = true; }},
    NamedFeature{"kernel_dependencies", [](Features& f) { f.kernel_dependencies = true; }},
    NamedFeature{"bare_copies", [](Features& f) { f.bare_copies = true; }},
    NamedFeature{"occupancy", [](Features& f) { f.occupancy = true; }},
    NamedFeature{"counters", [](Features& f) { f.counters = true; }},
    NamedFeature{"late_metadata", [](Features& f) { f.late_metadata = true; }},
    NamedFeature{"text_timestamps", [](Features& f) { f.text_timestamps = true; }},
    NamedFeature{"text_pids", [](Features& f) { f.text_pids = true; }},
    NamedFeature{"event_nodes", [](Features& f) { f.event_nodes = true; }},
    NamedFeature{"overhead_events", [](Features& f) { f.overhead_events = true; }},
    NamedFeature{"unknown_calls", [](Features& f) { f.unknown_calls = true; }},
    NamedFeature{"stray_quotes", [](Features& f) { f.stray_quotes = true; }},
    NamedFeature{"log_arrays", [](Features& f) { f.log_arrays = true; }},
    NamedFeature{"host_identity", [](Features& f) { f.host_identity = true; }},
    NamedFeature{"wide_annotations", [](Features& f) { f.wide_annotations = true; }},
    NamedFeature{"elided_lists", [](Features& f) { f.elided_lists = true; }},
};
}  // namespace

std::span<const NamedFeature> named_features() noexcept { return features; }
}  // namespace kinetoscope::examples
