#include "core/io/open_input.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/io/file_source.hpp"
#include "core/io/gzip_source.hpp"
#include "core/io/peeked_source.hpp"
#include "core/io/temporary_file.hpp"
#include "core/io/zip_source.hpp"
#include "core/io/zstd_source.hpp"

namespace kinetoscope::io {
namespace {

/// What is being opened: the input so far, and how to reach the file itself.
struct Opening {
  Input input;
  std::shared_ptr<ReadProgress> counters;
  FileDescriptor file;  // open only when the outermost layer is a file that can be read anywhere
};

Opening start(std::string name, std::stop_token stop) {
  Opening opening;
  opening.counters = std::make_shared<ReadProgress>();
  auto file = std::make_unique<FileSource>(name, opening.counters, std::move(stop));
  if (file->size_bytes()) opening.file = file->duplicate();
  opening.input.name = std::move(name);
  opening.input.counters = opening.counters;
  opening.input.source = std::move(file);
  return opening;
}

[[noreturn]] void refuse_empty(const Input& input, const ByteSource& source) {
  Failure failure{.code = ErrorCode::empty_input, .input = input.name};
  if (source.damage() != nullptr) {
    failure.problem = "the compressed data is cut or damaged before the first byte of content";
    failure.next = "copy the file again, or record the trace again";
  } else if (input.name == "-" && input.layers.empty()) {
    failure.problem = "standard input ended without a byte of content";
    failure.next = "check the command that should write to it";
  }
  throw Error(std::move(failure));
}

[[noreturn]] void refuse(Format format, const Input& input, const ByteSource& source) {
  if (format == Format::empty) refuse_empty(input, source);
  const FormatKind& kind = kind_of(format);
  throw Error({.code = ErrorCode::input_unsupported,
               .input = input.name,
               .problem = "the content is of another kind: " + std::string(kind.spelling),
               .accepted = "JSON, plain or in gzip, zip or zstd",
               .next = std::string(kind.advice)});
}

void unwrap_zip(Opening& opening) {
  Input& input = opening.input;
  const bool is_file = opening.file.is_open() && input.layers.empty();
  FileDescriptor archive = is_file ? std::move(opening.file) : temporary_copy(*input.source, input.name);
  ZipContent content = open_zip(std::move(archive), input.name, opening.counters);
  input.member_name = std::move(content.member_name);
  input.source = std::move(content.source);
}

/// Puts the source that reads `format` on top.
void unwrap(Format format, Opening& opening) {
  Input& input = opening.input;
  if (input.layers.size() == most_layers) {
    throw Error({.code = ErrorCode::limit_reached,
                 .input = input.name,
                 .problem = "more than 3 layers of compression",
                 .next = "decompress it first"});
  }
  if (format == Format::gzip) input.source = std::make_unique<GzipSource>(std::move(input.source));
  if (format == Format::zstd) input.source = std::make_unique<ZstdSource>(std::move(input.source), input.name);
  if (format == Format::zip) unwrap_zip(opening);
  input.layers.push_back(format);
}
}  // namespace

InputProgress Input::progress() const noexcept {
  InputProgress progress;
  progress.consumed_bytes = counters->consumed_bytes.load(std::memory_order_relaxed);
  if (counters->is_total_known.load(std::memory_order_acquire)) {
    progress.total_bytes = counters->total_bytes.load(std::memory_order_relaxed);
  }
  return progress;
}

Input open_input(std::string name, std::stop_token stop) {
  Opening opening = start(std::move(name), std::move(stop));
  while (true) {
    auto peeked = std::make_unique<PeekedSource>(std::move(opening.input.source), sniffed_bytes);
    const Format format = sniff_format(peeked->first_bytes());
    const bool is_container = format == Format::gzip || format == Format::zstd || format == Format::zip;
    if (format != Format::json && !is_container) refuse(format, opening.input, *peeked);
    opening.input.source = std::move(peeked);
    if (format == Format::json) return std::move(opening.input);
    unwrap(format, opening);
  }
}
}  // namespace kinetoscope::io
