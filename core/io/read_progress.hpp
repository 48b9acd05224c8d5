#pragma once

// How far the reading of an input has come. Written by the reading thread, read by any other (a progress line).

#include <atomic>
#include <cstdint>

namespace kinetoscope::io {

struct ReadProgress {
  std::atomic<std::uint64_t> consumed_bytes{0};
  std::atomic<bool> is_total_known{false};
  std::atomic<std::uint64_t> total_bytes{0};  ///< written before is_total_known

  void set_total(std::uint64_t bytes) noexcept {
    total_bytes.store(bytes, std::memory_order_relaxed);
    is_total_known.store(true, std::memory_order_release);
  }
  void add_consumed(std::uint64_t bytes) noexcept { consumed_bytes.fetch_add(bytes, std::memory_order_relaxed); }
  void restart() noexcept {
    is_total_known.store(false, std::memory_order_release);
    consumed_bytes.store(0, std::memory_order_relaxed);
  }
};
}  // namespace kinetoscope::io
