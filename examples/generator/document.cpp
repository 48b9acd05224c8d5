#include "examples/generator/document.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "examples/generator/json_text.hpp"

namespace kinetoscope::examples {
namespace {

std::string joined(const Fields& fields, std::string_view separator) {
  std::string out;
  for (const auto& [key, value] : fields.entries()) {
    if (!out.empty()) out += separator;
    out += json_string(key);
    out += ": ";
    out += value;
  }
  return out;
}

/// The key before which Kineto breaks the line: times of a call, the category of an arrow, args alone of metadata.
std::string_view line_break_of(const Fields& fields) {
  const std::string_view first = fields.entries().front().first;
  if (first == "name") return "args";
  const bool is_arrow = fields.entries().size() > 1 && fields.entries()[1].first == "id";
  return is_arrow ? "cat" : "ts";
}

std::string kineto_event_text(const Event& event) {
  std::string out = "  {\n    ";
  const std::string_view line_break = line_break_of(event.fields);
  bool is_first = true;
  for (const auto& [key, value] : event.fields.entries()) {
    if (!is_first) out += key == line_break ? ",\n    " : ", ";
    is_first = false;
    out += json_string(key);
    out += ": ";
    out += value;
  }
  if (!event.args.empty()) out += fmt::format(",\n    \"args\": {{\n      {}\n    }}", joined(event.args, ","));
  return out + "\n  }";
}
}  // namespace

Fields& Fields::json(std::string_view key, std::string text) {
  entries_.emplace_back(key, std::move(text));
  return *this;
}

Fields& Fields::number(std::string_view key, std::int64_t value) { return json(key, fmt::format("{}", value)); }

Fields& Fields::text(std::string_view key, std::string_view value) { return json(key, json_string(value)); }

Fields& Fields::set(std::string_view key, std::string text) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == key; });
  if (found == entries_.end()) return json(key, std::move(text));
  found->second = std::move(text);
  return *this;
}

std::string event_text(const Event& event, Layout layout) {
  if (layout == Layout::kineto) return kineto_event_text(event);
  std::string out = "{" + joined(event.fields, ", ");
  if (!event.args.empty()) out += ", \"args\": {" + joined(event.args, ", ") + "}";
  return out + "}";
}

std::string document_text(const Document& document, Layout layout) {
  const bool is_compact = layout == Layout::compact;
  const std::string_view between_fields = is_compact ? ", " : ",\n  ";
  const std::string_view between_events = is_compact ? ", " : ",\n";
  std::string out = is_compact ? "{" : "{\n  ";
  out += joined(document.header, between_fields);
  if (!document.header.empty()) out += between_fields;
  out += is_compact ? "\"traceEvents\": [" : "\"traceEvents\": [\n";
  for (std::size_t i = 0; i < document.events.size(); ++i) {
    if (i > 0) out += between_events;
    out += event_text(document.events[i], layout);
  }
  out += is_compact ? "]" : "\n  ]";
  if (!document.trailer.empty()) {
    out += between_fields;
    out += joined(document.trailer, between_fields);
  }
  return out + (is_compact ? "}" : "\n}\n");
}
}  // namespace kinetoscope::examples
