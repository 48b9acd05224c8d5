// Inflating by zlib: where ISA-L is not built, and what ISA-L is tested against. The contract is inflater.hpp's.

#include <algorithm>
#include <limits>
#include <new>

#include <zlib.h>

#include "core/io/inflater.hpp"

namespace kinetoscope::io {
namespace {

constexpr int raw_deflate = -15;  // no wrapper, the largest window

uInt clamped_for_zlib(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<std::int32_t>::max()));
}

class ZlibInflater final : public Inflater {
 public:
  ZlibInflater() {
    if (inflateInit2(&stream_, raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  ~ZlibInflater() override { inflateEnd(&stream_); }
  ZlibInflater(const ZlibInflater&) = delete;
  ZlibInflater& operator=(const ZlibInflater&) = delete;

  void restart() override {
    inflateReset(&stream_);
    crc_ = 0;
  }

  Step inflate(std::string_view input, std::span<char> output) override {
    const uInt input_bytes = clamped_for_zlib(input.size());
    const uInt output_bytes = clamped_for_zlib(output.size());
    // The library takes input by a pointer to non-const, and does not write through it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = input_bytes;
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = output_bytes;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    const Step step = {input_bytes - stream_.avail_in, output_bytes - stream_.avail_out, state_of(result)};
    crc_ = ::crc32_z(crc_, reinterpret_cast<const Bytef*>(output.data()), step.produced);
    return step;
  }

  std::string_view surplus() const noexcept override { return {}; }
  std::uint32_t crc32() const noexcept override { return static_cast<std::uint32_t>(crc_); }

 private:
  static State state_of(int result) noexcept {
    if (result == Z_STREAM_END) return State::done;
    return result == Z_OK || result == Z_BUF_ERROR ? State::more : State::broken;
  }

  z_stream stream_ = {};
  uLong crc_ = 0;
};
}  // namespace

std::unique_ptr<Inflater> make_zlib_inflater() { return std::make_unique<ZlibInflater>(); }
}  // namespace kinetoscope::io
