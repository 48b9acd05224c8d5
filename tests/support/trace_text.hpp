#pragma once

// A Trace as text, every column of every event, so that two imports can be compared byte for byte.

#include <string>

#include <fmt/format.h>

#include "core/trace/trace.hpp"

namespace kinetoscope {

[[nodiscard]] inline std::string text_of(const Trace& trace, EventId event) {
  std::string out =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", static_cast<int>(trace.phase(event)), spelling_of(trace.role(event)),
                  trace.category(event), static_cast<std::uint32_t>(trace.name(event)), trace.name_text(event),
                  static_cast<std::uint32_t>(trace.track(event)), trace.begin_ns(event), trace.duration_ns(event),
                  trace.arrow_id(event), static_cast<std::uint32_t>(trace.stream(event)));
  for (const ArgumentInfo& info : argument_table) {
    switch (info.type) {
      case ArgumentType::integer:
      case ArgumentType::identifier:
        if (const auto value = trace.identifier(event, info.argument)) out += fmt::format(" {}={}", info.key, *value);
        break;
      case ArgumentType::real:
        if (const auto value = trace.real(event, info.argument)) out += fmt::format(" {}={}", info.key, *value);
        break;
      case ArgumentType::text:
        if (const auto value = trace.text(event, info.argument)) {
          out += fmt::format(" {}={}", info.key, trace.text(*value));
        }
        break;
      case ArgumentType::json:
        if (const auto value = trace.json(event, info.argument)) {
          out += fmt::format(" {}={}", info.key, trace.json_text(*value));
        }
        break;
    }
  }
  return out + " " + std::string(trace.other_arguments(event)) + "\n";
}

[[nodiscard]] inline std::string text_of(const Trace& trace) {
  std::string out = fmt::format("{} events, {} names\n", trace.size(), trace.names_count());
  for (std::size_t i = 0; i < trace.size(); ++i) out += text_of(trace, id_at<EventId>(i));
  for (const Track& track : trace.tracks()) {
    out += fmt::format("track {} {} {} {} {} {}\n", track.pid.number, trace.text(track.pid.text), track.tid.number,
                       trace.text(track.tid.text), trace.text(track.process_name), trace.text(track.thread_name));
  }
  for (const Stream& stream : trace.streams()) {
    out += fmt::format("stream {} {} {}\n", stream.device, stream.stream, stream.gpu_events);
  }
  for (const MetadataEntry& entry : trace.metadata().entries) out += fmt::format("{}: {}\n", entry.key, entry.json);
  for (const Diagnostic& found : trace.diagnostics().sorted()) {
    out += fmt::format("{} {} {}\n", found.code, found.count, found.first_offset.value_or(0));
  }
  if (trace.partial()) out += fmt::format("partial {} {}\n", trace.partial()->offset, trace.partial()->reason);
  return out;
}
}  // namespace kinetoscope
