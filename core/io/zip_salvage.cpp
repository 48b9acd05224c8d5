#include "core/io/zip_salvage.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <zlib.h>

#include "core/base/error.hpp"
#include "core/io/buffered_input.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/inflater.hpp"
#include "core/io/zstd_source.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::size_t header_bytes = 30;
constexpr unsigned is_encrypted_flag = 1u << 0;
constexpr unsigned has_descriptor_flag = 1u << 3;  // sizes and checksum stand behind the content
constexpr std::uint64_t size_is_in_extra = 0xffff'ffff;
constexpr unsigned zip64_extra = 1;
constexpr std::uint64_t most_offset = std::numeric_limits<std::int64_t>::max();

/// APPNOTE 4.3.7.
struct LocalHeader {
  std::string name;
  bool is_encrypted = false;
  unsigned method = 0;
  std::uint64_t content_offset = 0;
  std::optional<std::uint64_t> stored_bytes;  ///< compressed; absent with a descriptor, and so the next
  std::optional<std::uint32_t> checksum;
};

/// Up to `into.size()` bytes at `offset`; fewer at the end of the file.
std::size_t read_at(const FileDescriptor& file, std::uint64_t offset, std::span<char> into, const std::string& name) {
  std::size_t filled = 0;
  while (filled < into.size() && offset + filled < most_offset) {
    const ssize_t count =
        ::pread(file.number(), into.data() + filled, into.size() - filled, static_cast<off_t>(offset + filled));
    if (count == 0) break;
    if (count < 0 && errno != EINTR) {
      throw Error(
          {.code = ErrorCode::input_unreadable, .input = name, .problem = std::generic_category().message(errno)});
    }
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  return filled;
}

/// Little endian; 0 where the text ends before.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
  if (at + bytes > text.size()) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + i]);
  return value;
}

/// The compressed size in the extra field of a large member (APPNOTE 4.5.3): behind the size of the content.
std::uint64_t zip64_stored_bytes(std::string_view extra) {
  while (extra.size() >= 4) {
    const std::size_t length = number_at(extra, 2, 2);
    if (number_at(extra, 0, 2) == zip64_extra) return number_at(extra.substr(4, length), 8, 8);
    extra.remove_prefix(std::min(extra.size(), 4 + length));
  }
  return 0;
}

/// Nothing where no header stands, or only a part of one.
std::optional<LocalHeader> header_at(const FileDescriptor& file, std::uint64_t offset, const std::string& name) {
  std::array<char, header_bytes> bytes = {};
  if (read_at(file, offset, bytes, name) < bytes.size()) return {};
  const std::string_view fixed(bytes.data(), bytes.size());
  if (!fixed.starts_with("PK\x03\x04")) return {};
  LocalHeader header;
  header.name.resize(number_at(fixed, 26, 2));
  std::string extra(number_at(fixed, 28, 2), '\0');
  offset += header_bytes;
  if (read_at(file, offset, header.name, name) < header.name.size()) return {};
  offset += header.name.size();
  if (read_at(file, offset, extra, name) < extra.size()) return {};
  header.content_offset = offset + extra.size();
  const auto flags = static_cast<unsigned>(number_at(fixed, 6, 2));
  header.is_encrypted = (flags & is_encrypted_flag) != 0;
  header.method = static_cast<unsigned>(number_at(fixed, 8, 2));
  if ((flags & has_descriptor_flag) == 0) {
    header.checksum = static_cast<std::uint32_t>(number_at(fixed, 14, 4));
    header.stored_bytes = number_at(fixed, 18, 4);
    if (header.stored_bytes == size_is_in_extra) header.stored_bytes = zip64_stored_bytes(extra);
  }
  return header;
}

/// The first that is a trace by its name, else the first file.
std::optional<LocalHeader> find_member(const FileDescriptor& file, const std::string& name) {
  std::optional<LocalHeader> first_file;
  for (std::uint64_t offset = 0;;) {
    std::optional<LocalHeader> header = header_at(file, offset, name);
    if (!header) return first_file;
    const std::array member = {ZipMember{header->name}};
    const ZipChoice choice = choose_member(member);
    if (choice.candidates > 0) return header;
    const std::optional<std::uint64_t> stored_bytes = header->stored_bytes;
    offset = header->content_offset;
    if (choice.position && !first_file) first_file = std::move(header);
    if (!stored_bytes || *stored_bytes > most_offset - offset) return first_file;
    offset += *stored_bytes;
  }
}

/// A member's bytes as they are stored; to the end of the file where their number is unknown.
class StoredMember final : public ByteSource {
 public:
  /// `checksum` is of these bytes; nothing when it is of what they decompress to.
  StoredMember(FileDescriptor file, std::string name, const LocalHeader& header, std::optional<std::uint32_t> checksum,
               std::shared_ptr<ReadProgress> progress)
      : file_(std::move(file)),
        name_(std::move(name)),
        offset_(header.content_offset),
        left_(header.stored_bytes.value_or(most_offset)),
        checksum_(checksum),
        progress_(std::move(progress)) {}

  std::size_t read(std::span<char> into) override {
    if (left_ == 0) return 0;
    const std::size_t wanted = std::min<std::uint64_t>(into.size(), left_);
    const std::size_t count = read_at(file_, offset_, into.first(wanted), name_);
    offset_ += count;
    left_ -= count;
    progress_->add_consumed(count);
    if (checksum_) found_checksum_ = ::crc32_z(found_checksum_, reinterpret_cast<const Bytef*>(into.data()), count);
    if (count < wanted) {
      left_ = 0;
      damage_ = &io_diagnostics::truncated_zip;
    } else if (left_ == 0 && checksum_ && *checksum_ != found_checksum_) {
      damage_ = &io_diagnostics::corrupt_compression;
    }
    return count;
  }
  const DiagnosticKind* damage() const noexcept override { return damage_; }
  void report(Diagnostics& diagnostics) const override { diagnostics.add(io_diagnostics::missing_zip_directory); }

 private:
  FileDescriptor file_;
  std::string name_;
  std::uint64_t offset_;
  std::uint64_t left_;
  std::optional<std::uint32_t> checksum_;
  uLong found_checksum_ = 0;
  std::shared_ptr<ReadProgress> progress_;
  const DiagnosticKind* damage_ = nullptr;
};

/// The deflate stream says where it ends.
class InflatedMember final : public ByteSource {
 public:
  InflatedMember(std::unique_ptr<ByteSource> stored, std::optional<std::uint32_t> checksum)
      : input_(std::move(stored)), inflater_(make_isal_inflater()), checksum_(checksum) {}

  std::size_t read(std::span<char> into) override {
    while (!is_at_end_) {
      const std::string_view compressed = input_.peek();
      const Inflater::Step step = inflater_->inflate(compressed, into);
      input_.consume(step.consumed);
      if (step.state == Inflater::State::done) {
        end_with(checksum_ && *checksum_ != inflater_->crc32() ? &io_diagnostics::corrupt_compression : nullptr);
      } else if (step.state == Inflater::State::broken) {
        end_with(&io_diagnostics::corrupt_compression);
      } else if (step.produced == 0 && step.consumed == 0) {
        const DiagnosticKind* const cut = compressed.empty() ? input_.upstream().damage() : nullptr;
        end_with(cut != nullptr ? cut : &io_diagnostics::corrupt_compression);
      }
      if (step.produced > 0) return step.produced;
    }
    return 0;
  }
  const DiagnosticKind* damage() const noexcept override { return damage_; }
  void report(Diagnostics& diagnostics) const override { input_.upstream().report(diagnostics); }

 private:
  void end_with(const DiagnosticKind* damage) {
    damage_ = damage;
    is_at_end_ = true;
  }

  BufferedInput input_;
  std::unique_ptr<Inflater> inflater_;
  std::optional<std::uint32_t> checksum_;
  bool is_at_end_ = false;
  const DiagnosticKind* damage_ = nullptr;
};
}  // namespace

ZipContent salvage_zip(FileDescriptor archive, const std::string& name, const std::shared_ptr<ReadProgress>& progress) {
  const std::optional<LocalHeader> header = find_member(archive, name);
  if (!header) {
    throw Error({.code = ErrorCode::input_unreadable,
                 .input = name,
                 .problem = "the zip archive has no readable directory: it is cut or damaged"});
  }
  require_readable_member(header->name, header->is_encrypted, header->method, name);
  progress->restart();
  struct stat status = {};
  if (::fstat(archive.number(), &status) == 0) progress->set_total(static_cast<std::uint64_t>(status.st_size));
  const bool is_stored = header->method == zip_method::stored;
  ZipContent content;
  content.member_name = header->name;
  content.source = std::make_unique<StoredMember>(std::move(archive), name, *header,
                                                  is_stored ? header->checksum : std::nullopt, progress);
  if (header->method == zip_method::zstd)
    content.source = std::make_unique<ZstdSource>(std::move(content.source), name);
  if (header->method == zip_method::deflated)
    content.source = std::make_unique<InflatedMember>(std::move(content.source), header->checksum);
  return content;
}
}  // namespace kinetoscope::io
