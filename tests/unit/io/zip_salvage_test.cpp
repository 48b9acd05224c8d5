#include "core/io/zip_salvage.hpp"

#include <algorithm>
#include <string>
#include <sys/stat.h>
#include <thread>

#include <doctest/doctest.h>
#include <zlib.h>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/open_input.hpp"
#include "tests/unit/io/compress.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {
namespace {

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

struct Made {
  std::string name = "trace.json";
  std::string text{};
  unsigned method = 8;  // 0 stored, 8 deflate, 93 zstd
  unsigned flags = 0;   // 1 encrypted, 8 sizes behind the content
  bool is_zip64 = false;
};

/// A member as it stands in an archive: header, content and, where the flags say so, descriptor (APPNOTE 4.3.7, 4.3.9).
std::string member(const Made& made) {
  std::string content = made.text;
  if (made.method == 8) content = deflated(made.text, -15);
  if (made.method == 93) content = zstd(made.text);
  const bool is_behind = (made.flags & 8) != 0;
  const std::uint64_t checksum =
      ::crc32(0, reinterpret_cast<const Bytef*>(made.text.data()), static_cast<uInt>(made.text.size()));
  const std::string sizes =
      made.is_zip64 ? std::string(8, '\xff') : little_endian(content.size(), 4) + little_endian(made.text.size(), 4);
  std::string extra;
  if (made.is_zip64) {
    extra = little_endian(0x5455, 2) + little_endian(1, 2) + "t" + little_endian(1, 2) + little_endian(16, 2) +
            little_endian(made.text.size(), 8) + little_endian(content.size(), 8);
  }
  std::string out = "PK\x03\x04" + little_endian(20, 2) + little_endian(made.flags, 2) + little_endian(made.method, 2) +
                    std::string(4, '\0');
  out += is_behind ? std::string(12, '\0') : little_endian(checksum, 4) + sizes;
  out += little_endian(made.name.size(), 2) + little_endian(extra.size(), 2) + made.name + extra + content;
  if (is_behind) out += "PK\x07\x08" + little_endian(checksum, 4) + sizes;
  return out;
}

struct Salvaged {
  std::string text{};
  std::string member_name;
  const DiagnosticKind* damage = nullptr;
  std::uint64_t directory_notes = 0;
};

Salvaged outcome_of(const std::string& path) {
  Input input = open_input(path);
  Salvaged out;
  out.text = drained(*input.source);
  out.member_name = input.member_name;
  out.damage = input.source->damage();
  Diagnostics diagnostics;
  input.source->report(diagnostics);
  out.directory_notes = diagnostics.count(io_diagnostics::missing_zip_directory);
  return out;
}

std::string problem_of(const std::string& path) {
  try {
    static_cast<void>(outcome_of(path));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::input_unsupported);
    return error.failure().problem;
  }
  return "none";
}
}  // namespace

TEST_CASE("zip without directory: a member that is cut is read up to the cut, sizes stated or not") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(20'000);  // several blocks of zstd, which are whole or nothing
  for (const unsigned method : {0u, 8u, 93u}) {
    for (const unsigned flags : {0u, 8u}) {
      CAPTURE(method);
      CAPTURE(flags);
      const std::string whole = member({.text = text, .method = method, .flags = flags});
      const Salvaged found = outcome_of(folder.file("t", whole.substr(0, whole.size() / 2)));
      CHECK(text.starts_with(found.text));
      CHECK(found.text.size() > text.size() / 4);
      CHECK(found.member_name == "trace.json");
      CHECK(found.damage == &io_diagnostics::truncated_zip);
      CHECK(found.directory_notes == 1);
    }
  }
}

TEST_CASE("zip without directory: a member that is whole is used whole") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(3000);
  for (const Made& made : {Made{.text = text}, Made{.text = text, .flags = 8}, Made{.text = text, .method = 0},
                           Made{.text = text, .method = 93}, Made{.text = text, .is_zip64 = true},
                           Made{.text = text, .method = 0, .is_zip64 = true}}) {
    CAPTURE(made.method);
    CAPTURE(made.flags);
    for (const std::string& behind : {std::string(), std::string("PK\x01\x02"), member({.text = "[]"})}) {
      const Salvaged found = outcome_of(folder.file("t", member(made) + behind));
      CHECK(found.text == text);
      CHECK(found.damage == nullptr);
      CHECK(found.directory_notes == 1);
    }
  }
}

TEST_CASE("zip without directory: the first member that is a trace by name is chosen, else the first file") {
  const ScratchFolder folder;
  const std::string before = member({.name = "logs/", .method = 0}) + member({.name = "a.txt", .text = "[1]"}) +
                             member({.name = "b.txt", .text = "[2]", .is_zip64 = true});
  CHECK(outcome_of(folder.file("t", before + member({.text = "[3]"}))).text == "[3]");
  CHECK(outcome_of(folder.file("t", before + member({.text = "[3]"}).substr(0, 20))).text == "[1]");
  // A size behind the content: what follows it is out of reach.
  const std::string unstated = member({.name = "a.txt", .text = "[1]", .flags = 8});
  CHECK(outcome_of(folder.file("t", unstated + member({.text = "[3]"}))).text == "[1]");
}

TEST_CASE("zip without directory: encryption and other methods are refused by name") {
  const ScratchFolder folder;
  CHECK(problem_of(folder.file("t", member({.text = "[]", .flags = 1}))) ==
        R"(the zip member "trace.json" is encrypted)");
  CHECK(problem_of(folder.file("t", member({.text = "[]", .method = 14}))) ==
        R"(the zip member "trace.json" is compressed by method 14, not deflate or zstd)");
}

TEST_CASE("zip without directory: damage inside the member is told, and what came before it is delivered") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(3000);
  for (const unsigned method : {0u, 8u}) {
    CAPTURE(method);
    std::string bytes = member({.text = text, .method = method});
    bytes[14] ^= 0x55;  // the checksum in the header
    const Salvaged found = outcome_of(folder.file("t", bytes));
    CHECK(found.text == text);
    CHECK(found.damage == &io_diagnostics::corrupt_compression);
  }
  std::string bytes = member({.text = text});
  bytes.replace(bytes.size() / 2, 64, std::string(64, '\xff'));
  CHECK(outcome_of(folder.file("t", bytes)).damage == &io_diagnostics::corrupt_compression);
}

TEST_CASE("zip without directory: sizes beyond any file neither end the search badly nor read past the file") {
  const ScratchFolder folder;
  std::string huge = member({.name = "a.txt", .text = "[1]", .is_zip64 = true});
  std::fill_n(huge.begin() + static_cast<std::ptrdiff_t>(30 + 5 + 5 + 4 + 8), 8, '\xff');  // the compressed size
  CHECK(outcome_of(folder.file("t", huge + member({.text = "[3]"}))).text == "[1]");
}

TEST_CASE("zip without directory: it is read through a pipe and inside gzip, too") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(3000);
  const std::string whole = member({.text = text});
  const std::string cut = whole.substr(0, whole.size() / 2);
  const std::string expected = outcome_of(folder.file("t", cut)).text;
  const std::string pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& bytes : {cut, gzip(cut)}) {
    std::jthread writer([&] { static_cast<void>(folder.file("pipe", bytes)); });
    const Salvaged found = outcome_of(pipe);
    CHECK(found.text == expected);
    CHECK(found.damage == &io_diagnostics::truncated_zip);
  }
}
}  // namespace kinetoscope::io
