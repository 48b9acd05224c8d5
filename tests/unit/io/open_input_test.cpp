#include "core/io/open_input.hpp"

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <zip.h>

#include "core/base/error.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/zip_source.hpp"
#include "tests/unit/io/compress.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::io {
namespace {

struct Member {
  std::string name;
  std::string content;
  bool is_stored = false;
};

std::string zip(const ScratchFolder& folder, const std::vector<Member>& members) {
  int error = 0;
  zip_t* archive = zip_open(folder.path("made.zip").c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  for (const Member& member : members) {
    zip_source_t* source = zip_source_buffer(archive, member.content.data(), member.content.size(), 0);
    const auto index = static_cast<zip_uint64_t>(zip_file_add(archive, member.name.c_str(), source, 0));
    if (member.is_stored) zip_set_file_compression(archive, index, ZIP_CM_STORE, 0);
  }
  zip_close(archive);
  return folder.content("made.zip");
}

struct Content {
  std::string text;
  std::string member_name;
  std::vector<Format> layers;
  const DiagnosticKind* damage = nullptr;
  Diagnostics diagnostics;
  InputProgress progress;
};

Content content_of(const std::string& path) {
  Input input = open_input(path);
  Content content;
  content.text = drained(*input.source);
  content.member_name = input.member_name;
  content.layers = input.layers;
  content.damage = input.source->damage();
  input.source->report(content.diagnostics);
  content.progress = input.progress();
  return content;
}

/// The Error of opening and reading, which must come.
Failure failure_of(const std::string& path) {
  try {
    static_cast<void>(content_of(path));
  } catch (const Error& error) {
    return error.failure();
  }
  FAIL("the input was opened");
  return {};
}
}  // namespace

TEST_CASE("open input: plain, gzip, zstd and zip give the same text, whatever their names") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(3000);
  CHECK(content_of(folder.file("a.zip", text)).text == text);
  CHECK(content_of(folder.file("b.json", gzip(text))).layers == std::vector{Format::gzip});
  CHECK(content_of(folder.file("b.json", gzip(text))).text == text);
  CHECK(content_of(folder.file("c.gz", zstd(text))).text == text);
  for (const bool is_stored : {false, true}) {
    const Content content = content_of(folder.file("d", zip(folder, {{"trace.json", text, is_stored}})));
    CHECK(content.text == text);
    CHECK(content.member_name == "trace.json");
    CHECK(content.layers == std::vector{Format::zip});
    CHECK(content.damage == nullptr);
  }
}

TEST_CASE("open input: up to three layers are unwrapped, a fourth is refused") {
  const ScratchFolder folder;
  const std::string archive = zip(folder, {{"trace.json.gz", gzip("[1]")}});
  CHECK(content_of(folder.file("zip_gzip", archive)).text == "[1]");
  CHECK(content_of(folder.file("gzip_zip_gzip", gzip(archive))).layers ==
        std::vector{Format::gzip, Format::zip, Format::gzip});
  CHECK(content_of(folder.file("gzip_zip_gzip", gzip(archive))).text == "[1]");
  CHECK(failure_of(folder.file("four", zstd(gzip(archive)))).code == ErrorCode::limit_reached);
}

TEST_CASE("open input: progress counts compressed bytes and ends at the file's size") {
  const ScratchFolder folder;
  const std::string bytes = gzip(trace_like_text(1000));
  const InputProgress progress = content_of(folder.file("t", bytes)).progress;
  CHECK(progress.consumed_bytes == bytes.size());
  CHECK(progress.total_bytes == bytes.size());
}

TEST_CASE("open input: a named pipe is read like a file, a zip archive through it too") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(3000);
  const std::string pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& bytes : {text, gzip(text), zip(folder, {{"trace.json", text}})}) {
    std::jthread writer([&] { static_cast<void>(folder.file("pipe", bytes)); });
    const Content content = content_of(pipe);
    CHECK(content.text == text);
  }
}

TEST_CASE("open input: a stop request ends the waiting for a pipe") {
  const ScratchFolder folder;
  const std::string pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const FileDescriptor both_ends(::open(pipe.c_str(), O_RDWR | O_CLOEXEC));  // so that opening does not wait
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  try {
    static_cast<void>(open_input(pipe, stop.get_token()));
    FAIL("there was something to read");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::interrupted);
  }
}

TEST_CASE("open input: no bytes of content are an empty input, in any wrapping") {
  const ScratchFolder folder;
  for (const std::string& bytes : {std::string(), std::string(" \n"), gzip(""), zstd(""),
                                   zip(folder, {{"trace.json", ""}}), gzip(trace_like_text(100)).substr(0, 12)}) {
    const Failure failure = failure_of(folder.file("t", bytes));
    CHECK(failure.code == ErrorCode::empty_input);
    CHECK(failure.input == folder.path("t"));
  }
}

TEST_CASE("open input: other content is refused by its name, inside compression too") {
  const ScratchFolder folder;
  CHECK(failure_of(folder.file("t", "SQLite format 3")).code == ErrorCode::input_unsupported);
  CHECK(failure_of(folder.file("t", gzip("<html><body>"))).problem == "the content is of another kind: HTML page");
  CHECK(failure_of(folder.file("t", std::string(100, '\0'))).code == ErrorCode::input_unsupported);
}

TEST_CASE("open input: UTF-16 and UTF-32 are refused with what to do, a mark of UTF-8 is passed over") {
  const ScratchFolder folder;
  using namespace std::string_literals;
  for (const std::string& bytes : {"\xff\xfe[\0]\0"s, "\xfe\xff\0[\0]"s, "[\0]\0"s, gzip("\0[\0]"s)}) {
    const Failure failure = failure_of(folder.file("t", bytes));
    CHECK(failure.code == ErrorCode::input_unsupported);
    CHECK(failure.problem == "the content is of another kind: UTF-16 text");
    CHECK(failure.next == "convert it to UTF-8");
  }
  CHECK(failure_of(folder.file("t", "[\0\0\0]\0\0\0"s)).problem == "the content is of another kind: UTF-32 text");
  CHECK(content_of(folder.file("t", "\xef\xbb\xbf[]")).text == "\xef\xbb\xbf[]");
}

TEST_CASE("open input: missing files and folders are told apart") {
  const ScratchFolder folder;
  CHECK(failure_of(folder.path("missing")).code == ErrorCode::input_not_found);
  CHECK(failure_of(folder.path("t") + "/below").code == ErrorCode::input_not_found);
  CHECK(failure_of("").code == ErrorCode::input_not_found);
}

TEST_CASE("open input: a folder is refused with the first traces in it") {
  const ScratchFolder folder;
  CHECK(failure_of(folder.path("")).code == ErrorCode::input_unreadable);
  CHECK(failure_of(folder.path("")).problem == "it is a folder");
  CHECK(failure_of(folder.path("")).accepted ==
        "no file in it is named like a trace (.json, .json.gz, .json.zst, .json.zip)");
  folder.file("notes.txt", "");
  folder.file(".hidden.json", "");
  std::filesystem::create_directory(folder.path("folder.json"));
  folder.file("d.json", "");
  CHECK(failure_of(folder.path("")).accepted == "one file in it is named like a trace: \"d.json\"");
  folder.file("b.JSON.GZ", "");
  folder.file("c\n.json.zst", "");
  CHECK(failure_of(folder.path("")).accepted ==
        R"(3 files in it are named like traces: "b.JSON.GZ", "c\n.json.zst", "d.json")");
  folder.file("a.pt.trace.json.zip", "");
  CHECK(failure_of(folder.path("")).accepted ==
        R"(4 files in it are named like traces: "a.pt.trace.json.zip", "b.JSON.GZ", "c\n.json.zst", …)");
}

TEST_CASE("open input: what is no file of content is refused with its own reason and advice") {
  const ScratchFolder folder;
  for (const std::string& device : {std::string("/dev/null"), std::string("/dev/zero"), std::string("/dev/full")}) {
    CAPTURE(device);
    CHECK(failure_of(device).code == ErrorCode::input_unreadable);
    CHECK(failure_of(device).problem == "it is a socket or a device, not a file");
  }
  std::filesystem::create_symlink("loop", folder.path("loop"));
  CHECK(failure_of(folder.path("loop")).code == ErrorCode::input_unreadable);
  CHECK(failure_of(folder.path("loop")).next == "check the path");
  CHECK(failure_of(folder.path(std::string(300, 'a'))).next == "check the path");
  const std::string locked = folder.file("locked.json", "{}");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (::access(locked.c_str(), R_OK) != 0) {  // the superuser may read everything
    CHECK(failure_of(locked).problem == "there is no permission to read it");
  }
  const std::string cut = folder.file("cut.gz", gzip(trace_like_text(100)).substr(0, 12));
  CHECK(failure_of(cut).next == "copy the file again, or record the trace again");
}

TEST_CASE("open input: damage and notes below are reported at the top") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(100);
  const std::string cut = gzip(text).substr(0, 200);
  const Content inner = content_of(folder.file("t", zip(folder, {{"a.json.gz", cut, true}, {"b.json", "[]"}})));
  CHECK(inner.damage == &io_diagnostics::truncated_gzip);
  CHECK(text.starts_with(inner.text));
  CHECK(inner.diagnostics.count(io_diagnostics::several_zip_members) == 1);
  CHECK(content_of(folder.file("t", gzip(text) + "rubbish")).diagnostics.count(io_diagnostics::trailing_bytes) == 1);
}

TEST_CASE("zip: a member whose checksum is wrong is delivered, then called damaged") {
  const ScratchFolder folder;
  std::string bytes = zip(folder, {{"trace.json", "[1,2,3]", true}});
  bytes[bytes.find("[1,2,3]") + 1] = '7';
  const Content content = content_of(folder.file("t", bytes));
  CHECK(content.text == "[7,2,3]");
  CHECK(content.damage == &io_diagnostics::corrupt_compression);
}

TEST_CASE("zip: without a member's header, without a trace, or encrypted, it is refused with the reason") {
  const ScratchFolder folder;
  const std::string bytes = zip(folder, {{"trace.json", trace_like_text(100)}});
  for (const std::size_t length : {4u, 29u, 35u}) {  // the header has 30 bytes, and 10 of the name
    CHECK(failure_of(folder.file("t", bytes.substr(0, length))).code == ErrorCode::input_unreadable);
  }
  const Failure other = failure_of(folder.file("t", zip(folder, {{"data.pkl", "a"}, {"version", "3"}})));
  CHECK(other.code == ErrorCode::input_unsupported);
  CHECK(other.problem == "the zip archive has 2 members, none of them named .json or .json.gz");
  const Failure saved =
      failure_of(folder.file("t", zip(folder, {{"archive/data.pkl", "a"}, {"archive/version", "3"}})));
  CHECK(saved.code == ErrorCode::input_unsupported);
  CHECK(saved.problem == "it is a PyTorch archive (as of torch.save), without a trace in it");
  CHECK(content_of(folder.file("t", zip(folder, {{"a/data.pkl", "a"}, {"b.json", "[]"}}))).text == "[]");
  std::string locked = bytes;
  locked[6] = 1;  // bit 0 of the flags in the member's header, and in the directory
  locked[locked.find("PK\x01\x02") + 8] = 1;
  CHECK(failure_of(folder.file("t", locked)).code == ErrorCode::input_unsupported);
}

TEST_CASE("zip: a zstd member is read as zstd") {
  const ScratchFolder folder;
  const std::string text = trace_like_text(100);
  std::string bytes = zip(folder, {{"trace.json", zstd(text), true}});
  bytes[8] = 93;  // the method, in the member's header, and in the directory
  bytes[bytes.find("PK\x01\x02") + 10] = 93;
  CHECK(content_of(folder.file("t", bytes)).text == text);
}

TEST_CASE("zip: the largest member that is a trace by name is chosen, else the only file") {
  const auto chosen = [](const std::vector<ZipMember>& members) { return choose_member(members); };
  const ZipChoice largest =
      chosen({{"a.json", 0, 5}, {"b.JSON.GZ", 1, 9}, {"c.txt", 2, 99}, {"__MACOSX/._b.json", 3, 50}});
  CHECK(largest.position == 1);
  CHECK(largest.candidates == 2);
  CHECK(chosen({{"z.json", 0, 5}, {"a.json", 1, 5}}).position == 1);  // equal sizes: the first name
  CHECK(chosen({{"folder/", 0, 0}, {"folder/trace", 1, 5}}).position == 1);
  CHECK(!chosen({{"a.txt", 0, 5}, {"b.txt", 1, 5}}).position);
  CHECK(!chosen({}).position);
}
}  // namespace kinetoscope::io
