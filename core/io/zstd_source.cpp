#include "core/io/zstd_source.hpp"

#include <new>
#include <utility>

#include <zstd.h>
#include <zstd_errors.h>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::size_t magic_bytes = 4;
constexpr std::size_t block_header_bytes = 3;

bool begins_frame(std::string_view bytes) noexcept {
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return true;
  return bytes.size() >= magic_bytes && (static_cast<unsigned char>(bytes[0]) & 0xf0) == 0x50 &&
         bytes.substr(1, 3) == "\x2a\x4d\x18";
}
}  // namespace

void ZstdSource::ContextDeleter::operator()(ZSTD_DCtx_s* context) const noexcept { ZSTD_freeDCtx(context); }

ZstdSource::ZstdSource(std::unique_ptr<ByteSource> compressed, std::string name)
    : input_(std::move(compressed)), name_(std::move(name)), context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_window_log);
}

std::size_t ZstdSource::read(std::span<char> into) {
  while (place_ != Place::at_end) {
    if (place_ == Place::between_frames) {
      begin_frame();
      continue;
    }
    const std::size_t produced = step(into);
    if (produced > 0) return produced;
  }
  return 0;
}

void ZstdSource::begin_frame() {
  const std::string_view start = input_.peek(magic_bytes);
  if (start.empty()) return end_with(nullptr);
  if (!begins_frame(start)) {
    has_trailing_bytes_ = has_frame_;
    return end_with(has_frame_ ? nullptr : &io_diagnostics::corrupt_compression);
  }
  has_frame_ = true;
  hint_bytes_ = magic_bytes;
  place_ = Place::in_frame;
}

std::size_t ZstdSource::step(std::span<char> into) {
  // A call that fails forgets what it produced. So a call gets one block and no more: the library's hint is that block
  // and the header after it.
  const std::size_t wanted = hint_bytes_ > block_header_bytes ? hint_bytes_ - block_header_bytes : hint_bytes_;
  const std::string_view compressed = input_.peek().substr(0, wanted);
  ZSTD_inBuffer input = {compressed.data(), compressed.size(), 0};
  ZSTD_outBuffer output = {into.data(), into.size(), 0};
  const std::size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
  input_.consume(input.pos);
  delivered_bytes_ += output.pos;
  if (ZSTD_isError(result) != 0) {
    fail(result);
    return output.pos;
  }
  hint_bytes_ = result;
  if (result == 0) {
    place_ = Place::between_frames;
  } else if (output.pos == 0 && input.pos == 0) {
    end_with(compressed.empty() ? &io_diagnostics::truncated_zstd : &io_diagnostics::corrupt_compression);
  }
  return output.pos;
}

void ZstdSource::fail(std::size_t code) {
  if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
    if (delivered_bytes_ > 0) return end_with(&io_diagnostics::oversized_zstd_window);
    throw Error({.code = ErrorCode::limit_reached,
                 .input = name_,
                 .problem = "the zstd frame asks for a window above 128 MB",
                 .next = "compress it again without --long"});
  }
  end_with(&io_diagnostics::corrupt_compression);
}

void ZstdSource::end_with(const DiagnosticKind* damage) {
  damage_ = damage;
  place_ = Place::at_end;
}

const DiagnosticKind* ZstdSource::damage() const noexcept {
  const DiagnosticKind* cause = input_.upstream().damage();
  return cause != nullptr ? cause : damage_;
}

void ZstdSource::report(Diagnostics& diagnostics) const {
  if (has_trailing_bytes_) diagnostics.add(io_diagnostics::trailing_bytes, delivered_bytes_);
  input_.upstream().report(diagnostics);
}
}  // namespace kinetoscope::io
