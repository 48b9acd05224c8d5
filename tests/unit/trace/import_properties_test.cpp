#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/io/memory_source.hpp"
#include "core/io/open_input.hpp"
#include "core/trace/importers/kineto.hpp"
#include "examples/generator/defect_case.hpp"
#include "examples/generator/scenarios.hpp"
#include "examples/generator/trace_options.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_text.hpp"

namespace kinetoscope {
namespace {

constexpr std::uintmax_t small_bytes = 100'000;  // compressed
#ifdef KINETOSCOPE_SANITIZED
constexpr std::uintmax_t largest_compared_bytes = small_bytes;  // sanitizers make the others take minutes
#else
constexpr std::uintmax_t largest_compared_bytes = UINTMAX_MAX;
#endif

/// What an import gives, or the code of its refusal: that has to be the same, too.
std::string outcome(const std::string& bytes, const ImportOptions& options, std::size_t most_bytes_per_read) {
  try {
    io::MemorySource source(bytes, most_bytes_per_read);
    return text_of(import_kineto(source, options));
  } catch (const Error& error) {
    return "refused: " + std::string(kind_of(error.code()).spelling);
  }
}

/// The first line in which two texts differ, or nothing.
std::string first_difference(const std::string& found, const std::string& expected) {
  if (found == expected) return {};
  std::size_t at = 0;
  while (at < found.size() && at < expected.size() && found[at] == expected[at]) ++at;
  const std::size_t line = at == 0 ? 0 : expected.rfind('\n', at - 1) + 1;
  return found.substr(line, 300) + "\ninstead of\n" + expected.substr(line, 300);
}

std::string decompressed(const std::string& path) {
  const io::Input input = io::open_input(path);
  std::string bytes;
  std::string block(std::size_t{1} << 20, '\0');
  while (const std::size_t taken = io::read_fully(*input.source, block)) bytes.append(block, 0, taken);
  return bytes;
}

void check_windows(const std::string& bytes, const std::vector<std::size_t>& windows) {
  const std::string expected = outcome(bytes, {.window_bytes = std::size_t{4} << 20, .reads_ahead = false}, SIZE_MAX);
  for (const std::size_t window : windows) {
    for (const bool reads_ahead : {false, true}) {
      CAPTURE(window);
      CAPTURE(reads_ahead);
      // No matter whether reads are whole or short, as those of a pipe are.
      const std::size_t most_bytes_per_read = window % 2 == 0 ? SIZE_MAX : 777;
      const std::string found =
          outcome(bytes, {.window_bytes = window, .reads_ahead = reads_ahead}, most_bytes_per_read);
      CHECK(first_difference(found, expected) == "");
    }
  }
}
}  // namespace

TEST_CASE("import: every kind of damage gives the same trace for any window, with or without threads") {
  for (const examples::DefectCase& damage : examples::defect_cases()) {
    CAPTURE(damage.id);
    CAPTURE(damage.variant);
    if (damage.bytes.starts_with("\x1f\x8b")) continue;  // compressed: the importer sees what is inside
    check_windows(damage.bytes, {1, 64, 333, 1000});
  }
}

TEST_CASE("import: generated traces in both layouts give the same trace for any window, with or without threads") {
  for (const auto layout : {examples::Layout::compact, examples::Layout::kineto}) {
    examples::TraceOptions options;
    options.layout = layout;
    check_windows(examples::training_trace(options).text, {1, 100, 4096, 65536});
    check_windows(examples::decode_trace(options).text, {1, 100, 4096, 65536});
  }
}

TEST_CASE("import: real traces give the same trace for any window, with or without threads") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_file("traces"))) {
    if (entry.path().extension() != ".gz" || entry.file_size() > largest_compared_bytes) continue;
    CAPTURE(entry.path().string());
    const std::string bytes = decompressed(entry.path().string());
    // Short reads of a long file cost seconds and show nothing new.
    const bool is_small = entry.file_size() < small_bytes;
    check_windows(bytes,
                  is_small ? std::vector<std::size_t>{4096, 50'001, 1u << 20} : std::vector<std::size_t>{50'000});
    ++files;
  }
  CHECK(files >= 5);
}

TEST_CASE("import: a file cut anywhere gives the complete events before the cut") {
  const std::string whole = examples::decode_trace({}).text;
  const std::size_t all_events = [&] {
    io::MemorySource source(whole);
    return import_kineto(source).size();
  }();
  std::size_t events_before = 0;
  for (std::size_t cut = 1; cut < whole.size(); cut += 1 + whole.size() / 400) {
    CAPTURE(cut);
    try {
      io::MemorySource source(whole.substr(0, cut));
      const Trace trace = import_kineto(source);
      CHECK(trace.size() >= events_before);
      CHECK(trace.size() <= all_events);
      REQUIRE(trace.partial().has_value());
      CHECK(trace.partial()->offset == cut);
      events_before = trace.size();
    } catch (const Error&) {
      CHECK(events_before == 0);  // refused only while nothing can be used
    }
  }
  CHECK(events_before + 3 >= all_events);
}
}  // namespace kinetoscope
