#include "core/io/zip_source.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <zip.h>

#include "core/base/error.hpp"
#include "core/base/same_text.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/sniff.hpp"
#include "core/io/zip_salvage.hpp"
#include "core/io/zstd_source.hpp"

namespace kinetoscope::io {
namespace {

struct ArchiveDeleter {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct FileDeleter {
  void operator()(zip_file_t* file) const noexcept { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, ArchiveDeleter>;
using File = std::unique_ptr<zip_file_t, FileDeleter>;

class ZipSource final : public ByteSource {
 public:
  ZipSource(Archive archive, File file, bool has_other_candidates, std::shared_ptr<ReadProgress> progress)
      : archive_(std::move(archive)),
        file_(std::move(file)),
        has_other_candidates_(has_other_candidates),
        progress_(std::move(progress)) {}

  std::size_t read(std::span<char> into) override {
    if (is_at_end_) return 0;
    const zip_int64_t count = zip_fread(file_.get(), into.data(), into.size());
    if (count > 0) {
      progress_->add_consumed(static_cast<std::uint64_t>(count));
      return static_cast<std::size_t>(count);
    }
    is_at_end_ = true;
    if (count < 0) damage_ = &io_diagnostics::corrupt_compression;
    return 0;
  }
  const DiagnosticKind* damage() const noexcept override { return damage_; }
  void report(Diagnostics& diagnostics) const override {
    if (has_other_candidates_) diagnostics.add(io_diagnostics::several_zip_members);
  }

 private:
  Archive archive_;  // outlives file_
  File file_;
  bool has_other_candidates_ = false;
  std::shared_ptr<ReadProgress> progress_;
  bool is_at_end_ = false;
  const DiagnosticKind* damage_ = nullptr;
};

bool is_file(std::string_view name) noexcept { return !name.ends_with('/') && !name.starts_with("__MACOSX/"); }

bool looks_like_trace(std::string_view name) noexcept {
  constexpr std::array endings = {".json", ".json.gz", ".json.zst"};
  return std::ranges::any_of(endings, [&](std::string_view ending) { return ends_with_ignoring_case(name, ending); });
}

[[noreturn]] void fail_zip(ErrorCode code, const std::string& name, std::string problem) {
  throw Error({.code = code, .input = name, .problem = std::move(problem)});
}

/// As torch.save and torch.jit.save write it: a folder with a pickle.
bool is_torch_archive(std::span<const ZipMember> members) {
  return std::ranges::any_of(members, [](const ZipMember& member) { return member.name.ends_with("/data.pkl"); });
}

[[noreturn]] void refuse_torch_archive(const std::string& name) {
  throw Error({.code = ErrorCode::input_unsupported,
               .input = name,
               .problem = "it is a PyTorch archive (as of torch.save), without a trace in it",
               .next = std::string(kind_of(Format::pickle).advice)});
}

std::string in_quotes(const std::string& member_name) { return "the zip member \"" + member_name + "\" "; }

/// Takes the descriptor when it succeeds; nothing where there is no directory that can be read.
Archive open_archive(FileDescriptor& file) {
  int error = 0;
  Archive archive(zip_fdopen(file.number(), 0, &error));
  if (archive != nullptr) static_cast<void>(file.release());
  return archive;
}

std::vector<ZipMember> members_of(zip_t* archive) {
  std::vector<ZipMember> members;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(std::max<zip_int64_t>(count, 0)); ++i) {
    zip_stat_t status = {};
    if (zip_stat_index(archive, i, ZIP_FL_ENC_RAW, &status) != 0 || (status.valid & ZIP_STAT_NAME) == 0) continue;
    members.push_back({status.name, i, (status.valid & ZIP_STAT_SIZE) != 0 ? status.size : 0});
  }
  return members;
}

/// The member's bytes; those of a zstd member as they are stored.
File open_member(zip_t* archive, const zip_stat_t& status, const std::string& name) {
  const bool is_encrypted = (status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE;
  require_readable_member(status.name, is_encrypted, status.comp_method, name);
  const bool is_zstd = status.comp_method == zip_method::zstd;
  zip_file_t* file = zip_fopen_index(archive, status.index, is_zstd ? ZIP_FL_COMPRESSED : 0);
  if (file == nullptr)
    fail_zip(ErrorCode::input_unreadable, name, in_quotes(status.name) + "cannot be opened: the archive is damaged");
  return File(file);
}
}  // namespace

void require_readable_member(const std::string& member_name, bool is_encrypted, unsigned method,
                             const std::string& name) {
  if (is_encrypted) fail_zip(ErrorCode::input_unsupported, name, in_quotes(member_name) + "is encrypted");
  if (method != zip_method::stored && method != zip_method::deflated && method != zip_method::zstd) {
    fail_zip(ErrorCode::input_unsupported, name,
             in_quotes(member_name) + "is compressed by method " + std::to_string(method) + ", not deflate or zstd");
  }
}

ZipChoice choose_member(std::span<const ZipMember> members) {
  ZipChoice choice;
  std::size_t files = 0;
  std::size_t last_file = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!is_file(members[i].name)) continue;
    ++files;
    last_file = i;
    if (!looks_like_trace(members[i].name)) continue;
    ++choice.candidates;
    const auto is_better = [&](const ZipMember& other) {
      return std::tuple(other.size_bytes, members[i].name) < std::tuple(members[i].size_bytes, other.name);
    };
    if (!choice.position || is_better(members[*choice.position])) choice.position = i;
  }
  if (!choice.position && files == 1) choice.position = last_file;
  return choice;
}

ZipContent open_zip(FileDescriptor archive_file, const std::string& name,
                    const std::shared_ptr<ReadProgress>& progress) {
  Archive archive = open_archive(archive_file);
  if (archive == nullptr) return salvage_zip(std::move(archive_file), name, progress);
  const std::vector<ZipMember> members = members_of(archive.get());
  const ZipChoice choice = choose_member(members);
  if (!choice.position) {
    if (is_torch_archive(members)) refuse_torch_archive(name);
    fail_zip(
        ErrorCode::input_unsupported, name,
        "the zip archive has " + std::to_string(members.size()) + " members, none of them named .json or .json.gz");
  }
  zip_stat_t status = {};
  if (zip_stat_index(archive.get(), members[*choice.position].index, ZIP_FL_ENC_RAW, &status) != 0) {
    fail_zip(ErrorCode::input_unreadable, name, "the zip archive is damaged");
  }
  File file = open_member(archive.get(), status, name);
  const bool is_zstd = status.comp_method == zip_method::zstd;
  progress->restart();
  progress->set_total(is_zstd ? status.comp_size : status.size);
  ZipContent content;
  content.member_name = members[*choice.position].name;
  content.source = std::make_unique<ZipSource>(std::move(archive), std::move(file), choice.candidates > 1, progress);
  if (is_zstd) content.source = std::make_unique<ZstdSource>(std::move(content.source), name);
  return content;
}
}  // namespace kinetoscope::io
