#pragma once

// Where the parts of JSON text begin: each `{ } [ ] : ,` outside strings, each string's opening quote, and the first
// byte of every number and word, in order. Found by simdjson's first stage, which also checks UTF-8, that no string
// holds a control character, and that the last string ends; what stands in which place is the caller's to check.
//
// The library's own walkers check more at each step than an event needs: walking the same places by hand took half the
// time of its on-demand parser.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <simdjson.h>

namespace kinetoscope::importers {

class Structurals {
 public:
  Structurals();

  /// The offsets in text[0, size); behind the last one stands `size` itself. Empty when the text is refused or has
  /// none. Valid until the next call. `size` is below 4 GiB. At about 5 GB/s; throws std::bad_alloc.
  [[nodiscard]] std::span<const std::uint32_t> find(const char* text, std::size_t size);

 private:
  std::unique_ptr<simdjson::internal::dom_parser_implementation> first_stage_;
};
}  // namespace kinetoscope::importers
