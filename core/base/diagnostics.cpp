#include "core/base/diagnostics.hpp"

#include <algorithm>
#include <tuple>

namespace kinetoscope {

std::string_view spelling_of(Severity severity) noexcept {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::partial: return "partial";
  }
  return "note";
}

void Diagnostics::add(const DiagnosticKind& kind, std::optional<std::uint64_t> offset, std::uint64_t count) {
  if (count == 0) return;
  auto found =
      std::ranges::find_if(counts_, [&](const Count& c) { return c.kind == &kind || c.kind->code == kind.code; });
  if (found == counts_.end()) found = counts_.insert(found, Count{&kind, 0, {}});
  found->count += count;
  if (offset && (!found->first_offset || *offset < *found->first_offset)) found->first_offset = offset;
}

void Diagnostics::merge(const Diagnostics& other) {
  for (const Count& c : other.counts_) add(*c.kind, c.first_offset, c.count);
}

Diagnostics Diagnostics::at(std::uint64_t offset) const {
  Diagnostics out = *this;
  for (Count& c : out.counts_) c.first_offset = offset;
  return out;
}

std::uint64_t Diagnostics::count(const DiagnosticKind& kind) const noexcept {
  const auto found =
      std::ranges::find_if(counts_, [&](const Count& c) { return c.kind == &kind || c.kind->code == kind.code; });
  return found == counts_.end() ? 0 : found->count;
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> out;
  out.reserve(counts_.size());
  for (const Count& c : counts_) {
    out.push_back({std::string(c.kind->code), c.kind->severity, c.count, c.first_offset, std::string(c.kind->message)});
  }
  std::ranges::sort(out, [](const Diagnostic& l, const Diagnostic& r) {
    return std::tuple(-static_cast<int>(l.severity), l.code) < std::tuple(-static_cast<int>(r.severity), r.code);
  });
  return out;
}
}  // namespace kinetoscope
