#pragma once

// The sequence of windows as the sequence of tokenized batches.
//
// The clean path never looks at a byte twice for the sake of damage: a window that the walker refuses is tried again
// event by event, and only an event refused by itself is repaired.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/event_cutter.hpp"
#include "core/trace/importers/window_walker.hpp"

namespace kinetoscope::importers {

/// Where batches come from, tokenized already or not: a reader, or a thread that reads ahead.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  struct Next {
    TokenBatch batch;
    bool is_tokenized = false;
  };
  [[nodiscard]] virtual Next next() = 0;
};

/// The sequence of batches, tokenized, repaired, and with what stands between their events accounted for.
class EventTokenizer {
 public:
  /// `batches` must outlive this.
  explicit EventTokenizer(BatchSource& batches) : batches_(batches) {}

  /// Throws what the source throws.
  [[nodiscard]] TokenBatch next();

 private:
  void tokenize(TokenBatch& batch, bool is_tokenized, bool may_go_on);
  void tokenize_carefully(TokenBatch& batch, bool may_go_on);
  [[nodiscard]] static io::Cut cut_element(std::string_view text);
  [[nodiscard]] bool add_sound(TokenBatch& batch, std::size_t at, std::size_t length);
  [[nodiscard]] bool add_repaired(TokenBatch& batch, std::string_view element, std::uint64_t offset);
  void take_rest(TokenBatch& batch);
  void end_list(TokenBatch& batch);
  void count_commas(TokenBatch& batch, std::size_t commas, std::uint64_t offset);
  [[nodiscard]] std::size_t skip_separators(std::string_view text, std::size_t at);

  BatchSource& batches_;
  WindowWalker walker_;
  std::string rest_;  // of a damaged file: an event begun in one window that goes on in the next
  std::uint64_t rest_offset_ = 0;
  std::optional<TokenBatch> postponed_;  // behind a batch made of the rest
  std::size_t commas_pending_ = 0;       // since the last element
  bool has_seen_element_ = false;
};
}  // namespace kinetoscope::importers
