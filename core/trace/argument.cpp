#include "core/trace/argument.hpp"

#include <cstring>

namespace kinetoscope {
namespace {

/// Open addressing over the few keys; its hash takes length, first and last bytes, which tell all keys apart.
class KeyTable {
 public:
  constexpr KeyTable() {
    for (const ArgumentInfo& info : argument_table) insert(info.key, info.argument);
    for (const ArgumentAlias& alias : argument_aliases) insert(alias.key, alias.argument);
  }
  [[nodiscard]] std::optional<Argument> find(std::string_view key) const noexcept {
    for (std::size_t at = hash(key);; at = (at + 1) % slots) {
      if (keys_[at].empty()) return {};
      if (keys_[at] == key) return arguments_[at];
    }
  }

 private:
  static constexpr std::size_t slots = 512;
  static constexpr std::size_t hash(std::string_view key) noexcept {
    if (key.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(key[i])); };
    const std::size_t n = key.size();
    return (n * 7 + byte(0) * 31 + byte(n - 1) * 131 + byte(n / 2) * 17 + byte(n > 4 ? 4 : n - 1) * 61) % slots;
  }
  constexpr void insert(std::string_view key, Argument argument) {
    std::size_t at = hash(key);
    while (!keys_[at].empty()) at = (at + 1) % slots;
    keys_[at] = key;
    arguments_[at] = argument;
  }
  std::array<std::string_view, slots> keys_{};
  std::array<Argument, slots> arguments_{};
};
constexpr KeyTable key_table;
}  // namespace

std::optional<Argument> find_argument(std::string_view key) noexcept { return key_table.find(key); }
}  // namespace kinetoscope
