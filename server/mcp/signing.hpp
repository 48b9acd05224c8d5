#pragma once

// Random identifiers, and texts that nobody but this process can make: OpenSSL's generator, HMAC-SHA-256 and base64.

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace kinetoscope::mcp {

/// 128 random bits, 32 hexadecimal digits.
[[nodiscard]] std::string random_id();

[[nodiscard]] std::string base64(std::string_view bytes);
/// Nothing for what is not base64 to the letter: other characters, a length that is no multiple of four, bits that are
/// not used and not zero.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

/// Compares in a time that does not depend on where the texts differ.
[[nodiscard]] bool same_secret(std::string_view left, std::string_view right);

/// Signs with a key of its own, so that what another process signed, or this one before it was started anew, is
/// refused.
class Signer {
 public:
  Signer();

  /// `payload` and its signature in one text without spaces.
  [[nodiscard]] std::string sealed(std::string_view payload) const;
  /// The payload; nothing where the text was not made by sealed() of this object.
  [[nodiscard]] std::optional<std::string> opened(std::string_view text) const;

 private:
  [[nodiscard]] std::string signature(std::string_view payload) const;

  std::array<unsigned char, 32> key_{};
};

/// SHA-256, hexadecimal.
[[nodiscard]] std::string digest(std::string_view bytes);
}  // namespace kinetoscope::mcp
