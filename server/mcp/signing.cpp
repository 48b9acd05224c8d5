#include "server/mcp/signing.hpp"

#include <cstddef>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace kinetoscope::mcp {
namespace {

constexpr char separator = '.';

void fill_randomly(unsigned char* bytes, int count) {
  if (RAND_bytes(bytes, count) != 1) throw std::runtime_error("the system gives no random bytes");
}

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

template <std::size_t Size>
std::string hexadecimal(const std::array<unsigned char, Size>& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

int base64_length(std::string_view bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 2) {
    throw std::length_error("too long for base64");
  }
  return static_cast<int>(bytes.size());
}
}  // namespace

std::string random_id() {
  std::array<unsigned char, 16> bytes{};
  fill_randomly(bytes.data(), static_cast<int>(bytes.size()));
  return hexadecimal(bytes);
}

std::string base64(std::string_view bytes) {
  const int length = base64_length(bytes);
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
  const int written = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), octets(bytes), length);
  text.resize(static_cast<std::size_t>(written));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  const int length = base64_length(text);
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int written = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), octets(text), length);
  if (written < 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.resize(static_cast<std::size_t>(written) - padding);
  // OpenSSL also takes spaces at the ends, and padding bits that are set: only what base64() writes is base64.
  if (base64(bytes) != text) return std::nullopt;
  return bytes;
}

bool same_secret(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

Signer::Signer() { fill_randomly(key_.data(), static_cast<int>(key_.size())); }

std::string Signer::signature(std::string_view payload) const {
  std::array<unsigned char, 32> bytes{};
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), octets(payload), payload.size(), bytes.data(),
           &size) == nullptr) {
    throw std::runtime_error("a text could not be signed");
  }
  return hexadecimal(bytes);
}

std::string Signer::sealed(std::string_view payload) const { return base64(payload) + separator + signature(payload); }

std::optional<std::string> Signer::opened(std::string_view text) const {
  const std::size_t place = text.rfind(separator);
  if (place == std::string_view::npos) return std::nullopt;
  const std::optional<std::string> payload = from_base64(text.substr(0, place));
  if (!payload || !same_secret(text.substr(place + 1), signature(*payload))) return std::nullopt;
  return payload;
}

std::string digest(std::string_view bytes) {
  std::array<unsigned char, 32> hash{};
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("a text could not be hashed");
  }
  return hexadecimal(hash);
}
}  // namespace kinetoscope::mcp
