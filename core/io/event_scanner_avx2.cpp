#include "core/io/event_scanner_avx2.hpp"

#include "core/io/event_scanner_loop.hpp"

// cmake/rooms.cmake compiles this file for AVX2 where the compiler knows it. Nothing inline from elsewhere may be used
// here: the linker could take this file's copy of it for processors that lack the instructions.
#if defined(__AVX2__) && defined(__PCLMUL__)
#include <immintrin.h>

namespace kinetoscope::io {
namespace {

struct Avx2Block {
  static std::uint64_t equal_bytes(__m256i low, __m256i high, char value) noexcept {
    const __m256i wanted = _mm256_set1_epi8(value);
    const auto low_bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)));
    const auto high_bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)));
    return low_bits | (std::uint64_t{high_bits} << 32);
  }
  static scanner_loop::Masks masks(const char* block) noexcept {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + 32));
    // '[' and ']' become '{' and '}' with this bit set; no other byte of valid JSON outside strings does.
    const __m256i low_folded = _mm256_or_si256(low, _mm256_set1_epi8(0x20));
    const __m256i high_folded = _mm256_or_si256(high, _mm256_set1_epi8(0x20));
    scanner_loop::Masks masks;
    masks.quotes = equal_bytes(low, high, '"');
    masks.backslashes = equal_bytes(low, high, '\\');
    masks.opens = equal_bytes(low_folded, high_folded, '{');
    masks.closes = equal_bytes(low_folded, high_folded, '}');
    return masks;
  }
  /// A carry-less multiplication by all ones.
  static std::uint64_t parity(std::uint64_t bits) noexcept {
    const __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
};
}  // namespace

bool has_avx2() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("pclmul") != 0 &&
                          __builtin_cpu_supports("popcnt") != 0;
  return has;
}

void scan_avx2(const char* data, std::size_t from, std::size_t to, EventScanner::State& state) noexcept {
  scanner_loop::scan<Avx2Block>(data, from, to, state);
}
}  // namespace kinetoscope::io

#else

namespace kinetoscope::io {

bool has_avx2() noexcept { return false; }

void scan_avx2(const char*, std::size_t, std::size_t, EventScanner::State&) noexcept {}
}  // namespace kinetoscope::io
#endif
