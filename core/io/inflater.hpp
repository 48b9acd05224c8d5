#pragma once

// Raw deflate (RFC 1951), by whichever library is built. Both keep the same contract and are tested alike. ISA-L
// inflates trace JSON about three times as fast as zlib.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace kinetoscope::io {

class Inflater {
 public:
  enum class State : std::uint8_t {
    more,    ///< output is full, or input used up
    done,    ///< the deflate stream is complete, and its last byte delivered
    broken,  ///< no deflate data from here on; what was produced is right
  };
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    State state = State::more;
  };

  Inflater() = default;
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  virtual ~Inflater() = default;

  /// Ready for the first byte of another deflate stream.
  virtual void restart() = 0;
  /// Consumes some of `input` (at most 1 GB at a time) and fills some of `output`, which is never empty. With empty
  /// input it delivers what it still holds.
  [[nodiscard]] virtual Step inflate(std::string_view input, std::span<char> output) = 0;
  /// When done: bytes that were consumed but follow the deflate stream, at most 8. Valid until the next call.
  [[nodiscard]] virtual std::string_view surplus() const noexcept = 0;
  /// CRC-32 of all that was produced since the restart.
  [[nodiscard]] virtual std::uint32_t crc32() const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<Inflater> make_zlib_inflater();
/// zlib's where ISA-L is not built.
[[nodiscard]] std::unique_ptr<Inflater> make_isal_inflater();
}  // namespace kinetoscope::io
