#include "core/analysis/kernel_details.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "core/base/cell.hpp"
#include "core/base/python_literal.hpp"
#include "core/base/radix_sort.hpp"
#include "core/base/unicode.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::size_t shortened_characters = 64;
/// Below, counting digits costs more than comparing.
constexpr std::size_t least_radix_sorted = 512;

std::string number(WideSum duration_ns) { return python_number(microseconds(duration_ns)); }
std::string number(double duration_ns) { return python_number(duration_ns / 1e3); }
std::string rounded_us(double duration_ns) { return python_number(rounded_to_hundredths(duration_ns / 1e3)); }
std::string stream_text(const KernelDetail& detail) {
  return detail.stream ? fmt::to_string(*detail.stream) : std::string("None");
}
std::string share_text(const KernelDetail& detail) {
  if (!detail.overlap_share) return {};
  return fmt::format("'overlap_pct': {}, ", python_number(rounded_to_hundredths(*detail.overlap_share)));
}
}  // namespace

/// By position and name; of one of these in the order of the launchers, whose first gives the stream.
void KernelDetailList::collect(std::span<const std::uint32_t> places) {
  ran_.clear();
  for (const std::uint32_t place : places) {
    std::uint32_t position = 0;
    for (const EventId event : launchers_->events_of(launchers_->launchers[place])) {
      ran_.push_back({position++, trace_->name(event), event});
    }
  }
  const auto key = [](const Ran& ran) { return (std::uint64_t{ran.position} << 32) | index_of(ran.name); };
  if (ran_.size() >= least_radix_sorted) {
    radix_sort(ran_.begin(), ran_.end(), scratch_, key);
  } else {
    std::stable_sort(ran_.begin(), ran_.end(),
                     [&](const Ran& left, const Ran& right) { return key(left) < key(right); });
  }
}

std::vector<KernelDetail> KernelDetailList::of(std::span<const std::uint32_t> places) {
  collect(places);
  std::vector<KernelDetail> out;
  for (std::size_t begin = 0, end = 0; begin < ran_.size(); begin = end) {
    const Ran& first = ran_[begin];
    times_ns_.clear();
    for (; end < ran_.size() && ran_[end].position == first.position && ran_[end].name == first.name; ++end) {
      times_ns_.push_back(timed_ns(*trace_, ran_[end].event));
    }
    out.push_back(
        {trace_->text(first.name), stream_number(*trace_, first.event), first.position, {}, statistics_of(times_ns_)});
  }
  std::ranges::sort(out, [](const KernelDetail& left, const KernelDetail& right) {
    return std::tie(left.time.sum, left.name, left.stream, left.position) <
           std::tie(right.time.sum, right.name, right.stream, right.position);
  });
  return out;
}

std::string details_text(std::span<const KernelDetail> details) {
  std::string out = "[";
  for (const KernelDetail& detail : details) {
    if (out.size() > 1) out += ", ";
    out += fmt::format(
        "{{'name': {}, 'stream': {}, {}'count': {}, 'total_duration_us': {}, 'mean_duration_us': {}, "
        "'median_duration_us': {}, 'std_dev_duration_us': {}, 'min_duration_us': {}, 'max_duration_us': {}}}",
        python_string(detail.name), stream_text(detail), share_text(detail), detail.time.count, number(detail.time.sum),
        number(detail.time.mean), number(detail.time.median), number(detail.time.population_deviation),
        number(WideSum{detail.time.min}), number(WideSum{detail.time.max}));
  }
  return out + "]";
}

std::string short_details_text(std::span<const KernelDetail> details) {
  if (details.empty()) return {};
  std::string out = "[";
  for (const KernelDetail& detail : details) {
    if (out.size() > 1) out += ", ";
    out += fmt::format("{{'name': {}, 'stream': {}, 'mean_duration_us': {}}}",
                       python_string(shortened_name(detail.name)), stream_text(detail), rounded_us(detail.time.mean));
  }
  return out + "]";
}

std::string shortened_name(std::string_view name) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < shortened_characters && end < name.size(); ++i) {
    static_cast<void>(next_character(name, end));
  }
  return end == name.size() ? std::string(name) : std::string(name.substr(0, end)) + "...";
}

double rounded_to_hundredths(double value) { return std::rint(value * 100) / 100; }
}  // namespace kinetoscope::analysis
