// The floor of loading a trace: one warm process with one thread inflates into a window of 8 MB that it reuses, and
// walks every field of every event in the window; both times are added, nothing else is counted. No loader can be
// faster that looks at every byte with these libraries, so the loader is measured beside it.
//
// Not counted: reading the compressed file, finding where windows end (done once, before), moving the cut event to the
// window's front. The walk enters the arguments but not the lists in them, and converts no number: entering the lists
// of dimensions and strides took three times as long on the mi300 Qwen trace (1.0 GB/s beside 3.2), which a loader that
// keeps them as text need not spend.

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <isa-l/igzip_lib.h>
#include <simdjson.h>

#include "core/base/error.hpp"
#include "bench/bench.hpp"
#include "bench/stages.hpp"

namespace kinetoscope::bench {
namespace {

constexpr std::size_t window_bytes = 8 << 20;

Error unsuitable(std::string_view problem) {
  return Error(
      {.code = ErrorCode::input_unsupported, .problem = std::string(problem), .next = "./dev bench makes inputs"});
}

/// From the first event's brace to behind the last one's, in the window; both 0 when it has no event.
struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Finds the whole events of each window, one byte at a time: slow, simple, and not measured.
class EventCutter {
 public:
  /// `window` begins with the `seen` bytes that the last cut left over.
  Cut next(std::string_view window, std::size_t seen) {
    std::size_t position = is_in_array_ ? seen : array_begin(window);
    is_in_array_ = true;
    Cut cut;
    for (; position < window.size() && !is_finished_; ++position) {
      step(window[position]);
      if (is_finished_ || in_string_) continue;
      if (window[position] == '}' && depth_ == 0) cut.end = position + 1;
    }
    if (cut.end != 0) cut.begin = window.find('{', seen_array_begin_);
    seen_array_begin_ = 0;
    return cut;
  }
  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }

 private:
  std::size_t array_begin(std::string_view window) {
    const std::size_t key = window.find("\"traceEvents\"");
    const std::size_t bracket = key == std::string_view::npos ? key : window.find('[', key);
    if (bracket == std::string_view::npos) throw unsuitable("no traceEvents array in the first window");
    seen_array_begin_ = bracket + 1;
    return bracket + 1;
  }

  void step(char c) {
    if (in_string_) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
      return;
    }
    if (c == '"') in_string_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (c == ']' && depth_ == 0) is_finished_ = true;
    if ((c == '}' || c == ']') && depth_ > 0) --depth_;
  }

  std::size_t seen_array_begin_ = 0;
  std::size_t depth_ = 0;
  bool is_in_array_ = false;
  bool is_finished_ = false;
  bool in_string_ = false;
  bool is_escaped_ = false;
};

/// What the walk saw, so that none of it is optimised away and a wrong cut shows.
struct Tally {
  std::uint64_t events = 0;
  std::uint64_t fields = 0;
  std::uint64_t token_bytes = 0;
  [[nodiscard]] std::uint64_t hash() const noexcept {
    return (events * 0x9e3779b97f4a7c15U + fields) * 0x9e3779b97f4a7c15U + token_bytes;
  }
};

/// Every field's key and value: strings are read, numbers taken as text, objects entered, lists passed over.
void walk(simdjson::ondemand::object object, Tally& tally) {
  for (auto field : object) {
    ++tally.fields;
    tally.token_bytes += static_cast<unsigned char>(*field.key().value().raw());
    simdjson::ondemand::value value = field.value().value();
    const std::string_view token = value.raw_json_token();
    tally.token_bytes += token.size();
    if (token.front() == '{') {
      walk(value.get_object().value(), tally);
    } else if (token.front() == '"') {
      tally.token_bytes += value.get_string().value().size();
    }
  }
}

class Stopwatch {
 public:
  template <typename Work>
  void time(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    elapsed_ += std::chrono::steady_clock::now() - begin;
  }
  [[nodiscard]] double seconds() const noexcept { return elapsed_.count(); }

 private:
  std::chrono::duration<double> elapsed_{};
};

/// Everything that stays warm between runs: compressed bytes, window, parser, and where the windows are cut.
class Floor {
 public:
  explicit Floor(const std::string& path)
      : compressed_(content_of(path)), buffer_(window_bytes + simdjson::SIMDJSON_PADDING, '\0') {
    EventCutter cutter;
    pass([&](std::size_t size, std::size_t seen) {
      cuts_.push_back(cutter.is_finished() ? Cut{} : cutter.next({buffer_.data(), size}, seen));
      if (cuts_.back().end == 0 && !cutter.is_finished() && size == window_bytes) {
        throw unsuitable("an event does not fit the window");
      }
      return cuts_.back();
    });
  }

  Run run() {
    Tally tally;
    Stopwatch walking;
    auto cut = cuts_.begin();
    const double inflating_s = pass([&](std::size_t, std::size_t) {
      walking.time([&] { walk_events(*cut, tally); });
      return *cut++;
    });
    return {.result_hash = tally.hash(), .parts = {{"inflate", inflating_s}, {"walk", walking.seconds()}}};
  }

 private:
  /// Inflates the whole input window by window; `on_window(size, bytes left over from before)` returns what it used up.
  /// Returns the seconds spent inflating.
  template <typename OnWindow>
  double pass(OnWindow on_window) {
    isal_inflate_init(inflater_.get());
    inflater_->crc_flag = ISAL_GZIP;
    inflater_->next_in = reinterpret_cast<std::uint8_t*>(compressed_.data());
    inflater_->avail_in = static_cast<std::uint32_t>(compressed_.size());
    Stopwatch inflating;
    for (std::size_t left_over = 0; inflater_->block_state != ISAL_BLOCK_FINISH;) {
      std::size_t size = 0;
      inflating.time([&] { size = inflate(left_over); });
      const Cut used = on_window(size, left_over);
      left_over = used.end == 0 ? 0 : size - used.end;
      std::memmove(buffer_.data(), buffer_.data() + used.end, left_over);
    }
    return inflating.seconds();
  }

  /// Fills the window behind what is left over; returns how much of it is filled.
  std::size_t inflate(std::size_t left_over) {
    inflater_->next_out = reinterpret_cast<std::uint8_t*>(buffer_.data()) + left_over;
    inflater_->avail_out = static_cast<std::uint32_t>(window_bytes - left_over);
    while (inflater_->avail_out != 0 && inflater_->block_state != ISAL_BLOCK_FINISH) {
      const std::uint32_t before = inflater_->avail_out;
      if (isal_inflate(inflater_.get()) != ISAL_DECOMP_OK) throw unsuitable("not the gzip stream that the floor reads");
      if (inflater_->avail_out == before && inflater_->avail_in == 0) throw unsuitable("the gzip stream ends early");
    }
    return window_bytes - inflater_->avail_out;
  }

  /// The events between `cut.begin` and `cut.end` as an array: brackets take the places of the bytes around them.
  void walk_events(const Cut& cut, Tally& tally) {
    if (cut.end == 0) return;
    char* const begin = buffer_.data() + cut.begin - 1;
    const char behind = std::exchange(buffer_[cut.end], ']');
    *begin = '[';
    const std::size_t size = cut.end + 1 - (cut.begin - 1);
    simdjson::ondemand::document document = parser_.iterate(begin, size, size + simdjson::SIMDJSON_PADDING);
    for (auto event : document.get_array()) {
      ++tally.events;
      walk(event.get_object().value(), tally);
    }
    buffer_[cut.end] = behind;
  }

  std::string compressed_;
  std::string buffer_;
  std::unique_ptr<inflate_state> inflater_ = std::make_unique<inflate_state>();
  simdjson::ondemand::parser parser_;
  std::vector<Cut> cuts_;
};
}  // namespace

Stage floor_stage() {
  return {.name = "floor", .prepare = [](const std::string& path) {
            return [floor = std::make_shared<Floor>(path)] { return floor->run(); };
          }};
}
}  // namespace kinetoscope::bench
