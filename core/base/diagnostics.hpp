#pragma once

// Problems of an input: counted, with the place of the first, never fatal and never silent. A kind is declared once, in
// the diagnostics.hpp of the room that finds it. Windows of a file count by themselves and merge by sum and least
// offset, so that neither window size nor thread count can show.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope {

enum class Severity : std::uint8_t {
  note,     ///< figures are unharmed
  warning,  ///< some figures are harmed
  partial,  ///< the input is used up to an offset only
};

[[nodiscard]] std::string_view spelling_of(Severity severity) noexcept;

/// One kind of problem. `message` says what was done about it, as a sentence without capital and full stop.
struct DiagnosticKind {
  std::string_view code;
  Severity severity = Severity::note;
  std::string_view message;
};

/// What was found of one kind. Offsets are in the decompressed stream; absent when the finding has no place.
struct Diagnostic {
  std::string code;
  Severity severity = Severity::note;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> first_offset;
  std::string message;
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Counts by kind. Adding a kind already seen costs a few comparisons of addresses and never allocates.
class Diagnostics {
 public:
  void add(const DiagnosticKind& kind, std::optional<std::uint64_t> offset = {}, std::uint64_t count = 1);
  void merge(const Diagnostics& other);
  /// The same counts, all found at `offset`.
  [[nodiscard]] Diagnostics at(std::uint64_t offset) const;

  [[nodiscard]] bool empty() const noexcept { return counts_.empty(); }
  [[nodiscard]] std::uint64_t count(const DiagnosticKind& kind) const noexcept;
  /// Sorted by severity (partial first), then code: the same for any order of finding.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;

 private:
  struct Count {
    const DiagnosticKind* kind = nullptr;
    std::uint64_t count = 0;
    std::optional<std::uint64_t> first_offset;
  };
  std::vector<Count> counts_;  // a dozen at the most: searched in order
};
}  // namespace kinetoscope
