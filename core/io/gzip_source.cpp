#include "core/io/gzip_source.hpp"

#include <array>
#include <utility>

#include "core/io/diagnostics.hpp"
#include "core/io/gzip_header.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::size_t trailer_bytes = 8;

std::uint32_t little_endian(std::span<const char, 4> bytes) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}
}  // namespace

GzipSource::GzipSource(std::unique_ptr<ByteSource> compressed, std::unique_ptr<Inflater> inflater)
    : input_(std::move(compressed)), inflater_(std::move(inflater)) {}

std::size_t GzipSource::read(std::span<char> into) {
  while (place_ != Place::at_end) {
    if (place_ == Place::between_members) {
      begin_member();
      continue;
    }
    const std::string_view compressed = input_.peek();
    const Inflater::Step step = inflater_->inflate(compressed, into);
    input_.consume(step.consumed);
    member_bytes_ += static_cast<std::uint32_t>(step.produced);
    delivered_bytes_ += step.produced;
    if (step.state == Inflater::State::done) {
      end_member();
    } else if (step.state == Inflater::State::broken) {
      end_with(&io_diagnostics::corrupt_compression);
    } else if (step.produced == 0 && step.consumed == 0) {
      end_with(compressed.empty() ? &io_diagnostics::truncated_gzip : &io_diagnostics::corrupt_compression);
    }
    if (step.produced > 0) return step.produced;
  }
  return 0;
}

void GzipSource::begin_member() {
  switch (take_gzip_header(input_)) {
    case GzipHeader::member:
      inflater_->restart();
      member_bytes_ = 0;
      has_member_ = true;
      place_ = Place::in_member;
      return;
    case GzipHeader::none: return end_with(nullptr);
    case GzipHeader::no_gzip:
      has_trailing_bytes_ = has_member_;
      return end_with(has_member_ ? nullptr : &io_diagnostics::corrupt_compression);
    case GzipHeader::truncated: return end_with(&io_diagnostics::truncated_gzip);
    case GzipHeader::corrupt: return end_with(&io_diagnostics::corrupt_compression);
  }
}

void GzipSource::end_member() {
  std::array<char, trailer_bytes> trailer = {};
  const std::string_view surplus = inflater_->surplus();
  std::copy(surplus.begin(), surplus.end(), trailer.begin());
  const std::size_t missing = trailer_bytes - surplus.size();
  const std::string_view rest = input_.peek(missing);
  if (rest.size() < missing) return end_with(&io_diagnostics::truncated_gzip);
  std::copy_n(rest.begin(), missing, trailer.begin() + static_cast<std::ptrdiff_t>(surplus.size()));
  input_.consume(missing);

  const std::span<const char, trailer_bytes> stated(trailer);
  const bool is_right =
      little_endian(stated.first<4>()) == inflater_->crc32() && little_endian(stated.last<4>()) == member_bytes_;
  if (!is_right) return end_with(&io_diagnostics::corrupt_compression);
  place_ = Place::between_members;
}

void GzipSource::end_with(const DiagnosticKind* damage) {
  damage_ = damage;
  place_ = Place::at_end;
}

const DiagnosticKind* GzipSource::damage() const noexcept {
  const DiagnosticKind* cause = input_.upstream().damage();
  return cause != nullptr ? cause : damage_;
}

void GzipSource::report(Diagnostics& diagnostics) const {
  if (has_trailing_bytes_) diagnostics.add(io_diagnostics::trailing_bytes, delivered_bytes_);
  input_.upstream().report(diagnostics);
}
}  // namespace kinetoscope::io
