#pragma once

// Enums that leave the program: one array of value and spelling beside each, complete by static_assert(follows_enum()).
// Cost: both look-ups walk one small array; done once a name or while reading a data file, never once an event.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope::names {

template <typename Enum>
struct Spelled {
  Enum value{};
  std::string_view spelling;
};
template <typename Enum>
Spelled(Enum, std::string_view) -> Spelled<Enum>;  // clang 14 does not yet deduce the arguments of an aggregate

/// The array lists every enumerator up to `last`, in the order of the enum.
template <typename Enum, std::size_t size>
[[nodiscard]] constexpr bool follows_enum(const std::array<Spelled<Enum>, size>& table, Enum last) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<std::size_t>(table[i].value) != i || table[i].spelling.empty()) return false;
  }
  return size == static_cast<std::size_t>(last) + 1;
}

/// The number of the enumerator so spelled; absent when there is none.
template <typename Enum, std::size_t size>
[[nodiscard]] constexpr std::optional<std::uint8_t> number_of(const std::array<Spelled<Enum>, size>& table,
                                                              std::string_view spelling) noexcept {
  for (const Spelled<Enum>& entry : table) {
    if (entry.spelling == spelling) return static_cast<std::uint8_t>(entry.value);
  }
  return std::nullopt;
}

/// A set of at most 64 enumerators.
template <typename Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr explicit EnumSet(std::uint64_t bits) : bits_(bits) {}
  [[nodiscard]] constexpr bool has(Enum value) const noexcept {
    return ((bits_ >> static_cast<unsigned>(value)) & 1U) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  /// Bit i is enumerator i.
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
  friend constexpr bool operator==(const EnumSet&, const EnumSet&) = default;

 private:
  std::uint64_t bits_ = 0;
};
}  // namespace kinetoscope::names
