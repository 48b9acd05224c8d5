#include "core/report/info_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/steps_text.hpp"
#include "core/report/text_parts.hpp"
#include "core/report/text_table.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t longest_sentence = 400;
constexpr std::size_t longest_line = 2000;  ///< of commands, which are of no use when cut

std::string sentence(std::string_view text) { return printable(text, longest_sentence); }

std::string_view kind_text(analysis::TraceKind kind) {
  switch (kind) {
    case analysis::TraceKind::eager: return "kernels launched one by one";
    case analysis::TraceKind::graph_replay: return "graphs replayed: operators inside them are not recorded";
    case analysis::TraceKind::graph_replay_annotated: return "graphs replayed, annotated by the profiler";
    case analysis::TraceKind::capture: return "graphs being captured, not run";
    case analysis::TraceKind::gpu_only: return "GPU work without operators";
    case analysis::TraceKind::cpu_only: return "no GPU work";
  }
  return "";
}

std::string devices_line(const analysis::Overview& overview) {
  std::string line;
  for (const analysis::DeviceOverview& device : overview.devices) {
    if (device.gpu_events == 0) continue;
    const std::string name = device.properties.name.empty() ? "of unknown name" : printable(device.properties.name);
    line += fmt::format("{}device {} {}", line.empty() ? "" : ", ", device.properties.id, name);
  }
  return line.empty() ? "no device in use" : line;
}

std::string recorder_line(const analysis::Overview& overview) {
  std::string line;
  const auto add = [&](std::string_view text) {
    if (!text.empty()) line += (line.empty() ? "" : ", ") + printable(text);
  };
  for (const analysis::FrameworkEvidence& evidence : overview.frameworks) add(spelling_of(evidence.framework));
  if (!overview.torch_version.empty()) add("torch " + overview.torch_version);
  for (const MetadataEntry& version : overview.versions) add(version.key + " " + version.json);
  return line.empty() ? "nothing about who recorded it" : line;
}

std::string rank_line(const analysis::RankOverview& ranks) {
  std::string line = ranks.rank ? fmt::format("rank {}", *ranks.rank) : std::string("rank unknown");
  if (ranks.world_size) line += fmt::format(" of {}", *ranks.world_size);
  if (!ranks.labels.empty())
    line += fmt::format(", {} merged: {}", ranks.labels.size(), printable(ranks.labels.front()));
  if (ranks.labels.size() > 1) line += " to " + printable(ranks.labels.back());
  if (ranks.launching_processes > 1) line += fmt::format(", {} processes launched GPU work", ranks.launching_processes);
  return line;
}

std::string info_head(const Info& info, bool is_coloured) {
  const analysis::Overview& overview = info.overview;
  std::string out = painted(printable(info.file, longest_sentence), Colour::strong, is_coloured);
  out += fmt::format(": {}, {}\n", spelling_of(overview.kind), kind_text(overview.kind));
  out += fmt::format("  {} events, {} of them GPU work; {}\n", number(overview.events), number(info.all.events),
                     devices_line(overview));
  out += fmt::format("  {}; {}\n", rank_line(overview.ranks), recorder_line(overview));
  if (overview.partial) {
    const std::string text = fmt::format("  only a part: used up to byte {} ({})\n", overview.partial->offset,
                                         printable(overview.partial->reason));
    out += painted(text, Colour::bad, is_coloured);
  }
  return out;
}

Colour colour_of(analysis::Verdict verdict) {
  switch (verdict) {
    case analysis::Verdict::yes: return Colour::good;
    case analysis::Verdict::partly: return Colour::doubtful;
    case analysis::Verdict::no: return Colour::bad;
  }
  return Colour::plain;
}

std::string verdicts(const Info& info, bool is_coloured) {
  std::string out = heading("What it can answer", is_coloured);
  if (info.fitness.do_not_analyse) {
    out +=
        painted("  Do not analyse this window: " + sentence(*info.fitness.do_not_analyse), Colour::bad, is_coloured) +
        "\n";
  }
  if (const auto& window = info.fitness.usable_window) {
    out += fmt::format("  Analyse steps {} to {} instead: {}\n", index_of(window->first_step),
                       index_of(window->last_step), sentence(window->reason));
  }
  TextTable table(is_coloured);
  for (std::size_t i = 0; i < analysis::question_count; ++i) {
    const auto question = static_cast<analysis::Question>(i);
    const analysis::Fitness& answer = info.fitness.of(question);
    table.add({{std::string(spelling_of(question))},
               {std::string(spelling_of(answer.verdict)), colour_of(answer.verdict)},
               {sentence(answer.reason)}});
  }
  return out + table.render();
}

/// The advice for the framework that recorded the trace, PyTorch's own where there is none for it.
const analysis::RecordAdvice* advice_of(const analysis::Fitness& answer, const analysis::Overview& overview) {
  for (const analysis::FrameworkEvidence& evidence : overview.frameworks) {
    const auto found =
        std::ranges::find(answer.record, spelling_of(evidence.framework), &analysis::RecordAdvice::framework);
    if (found != answer.record.end()) return &*found;
  }
  return answer.record.empty() ? nullptr : &answer.record.front();
}

/// How to record what is denied, or what is answered in part only when nothing is denied; the same lines once.
std::string advice(const Info& info, bool is_coloured) {
  using Lines = std::vector<std::string>;
  for (const analysis::Verdict verdict : {analysis::Verdict::no, analysis::Verdict::partly}) {
    std::vector<std::pair<std::string, const Lines*>> groups;
    for (std::size_t i = 0; i < analysis::question_count; ++i) {
      const auto question = static_cast<analysis::Question>(i);
      const analysis::Fitness& answer = info.fitness.of(question);
      const analysis::RecordAdvice* const found = advice_of(answer, info.overview);
      if (answer.verdict != verdict || found == nullptr) continue;
      const auto same = std::ranges::find_if(groups, [&](const auto& group) { return *group.second == found->lines; });
      if (same == groups.end()) {
        groups.emplace_back(std::string(spelling_of(question)) + ", " + found->framework, &found->lines);
      } else {
        same->first = std::string(spelling_of(question)) + ", " + same->first;
      }
    }
    std::string out;
    for (const auto& [title, lines] : groups) {
      out += "  " + painted("# for " + title, Colour::faint, is_coloured) + "\n";
      for (const std::string& line : *lines) out += "  " + printable(line, longest_line) + "\n";
    }
    if (!out.empty()) return heading("To record a better one (other frameworks: --json)", is_coloured) + out;
  }
  return "";
}

std::string of_span(std::int64_t part_ns, std::int64_t span_ns) {
  return span_ns > 0 ? share_text(static_cast<double>(part_ns) / static_cast<double>(span_ns)) : "";
}

std::string where_time_went(const Info& info, bool is_coloured) {
  if (info.all.events == 0) return "";
  struct Row {
    std::string_view name;
    std::int64_t analysis::GpuPopulation::*figure;
  };
  using analysis::GpuPopulation;
  constexpr std::array rows = {Row{"first start to last end", &GpuPopulation::span_ns},
                               Row{"busy", &GpuPopulation::busy_ns},
                               Row{"idle", &GpuPopulation::idle_ns},
                               Row{"computation", &GpuPopulation::computation_ns},
                               Row{"communication", &GpuPopulation::communication_ns},
                               Row{"  exposed", &GpuPopulation::exposed_communication_ns},
                               Row{"copies", &GpuPopulation::memcpy_ns}};
  TextTable table(is_coloured);
  table.add({{""}, {"all GPU work", Colour::faint, true}, {""}, {"with a launch", Colour::faint, true}});
  for (const Row& row : rows) {
    table.add({{std::string(row.name)},
               {duration_text(info.all.*row.figure), Colour::plain, true},
               {of_span(info.all.*row.figure, info.all.span_ns), Colour::faint, true},
               {duration_text(info.linked.*row.figure), Colour::plain, true}});
  }
  std::string out = heading("Where the GPU's time went", is_coloured) + table.render();
  if (!info.suspects.empty()) {
    out += fmt::format("  estimate with {} suspect durations cut at the next start: busy {}, idle {}\n",
                       info.suspects.size(), duration_text(info.clipped.busy_ns), duration_text(info.clipped.idle_ns));
  }
  const analysis::Unlinked& unlinked = info.overview.unlinked;
  for (const analysis::UnlinkedShare& cause : unlinked.causes) {
    out += fmt::format("  {} GPU events without a launch, {}: {}\n", number(cause.events), duration_text(cause.time_ns),
                       spelling_of(cause.cause));
  }
  return out;
}

std::string launches_line(const LaunchCounts& launches) {
  if (launches.total == 0) return "";
  std::string out =
      fmt::format("  {} launches, {} of them of graphs", number(launches.total), number(launches.graph_launches));
  if (launches.without_kernel > 0)
    out += fmt::format("; {} without recorded GPU work", number(launches.without_kernel));
  if (launches.captured > 0) out += fmt::format("; {} captured, not run", number(launches.captured));
  return out + "\n";
}

/// Of the trace, and of its place among others.
Diagnostics diagnostics_of(const Info& info) {
  Diagnostics diagnostics = info.diagnostics;
  if (info.clock != nullptr) diagnostics.merge(info.clock->places[info.clock_place].diagnostics);
  return diagnostics;
}
}  // namespace

std::string info_text(const Info& info, bool is_coloured) {
  return info_head(info, is_coloured) + verdicts(info, is_coloured) + where_time_went(info, is_coloured) +
         launches_line(info.overview.launches) + steps_text(info.overview, is_coloured) +
         diagnostics_text(diagnostics_of(info), is_coloured) + advice(info, is_coloured);
}

std::string clock_text(const analysis::CommonClock& clock, bool is_coloured) {
  std::string out = heading("Common clock", is_coloured);
  if (!clock.is_aligned) return out + "  none, times of different files cannot be compared: " + clock.reason + "\n";
  for (std::size_t i = 0; i < clock.places.size(); ++i) {
    const analysis::ClockPlace& place = clock.places[i];
    out +=
        fmt::format("  file {}: clock starts {} after the earliest", i + 1, duration_text(place.offset_ns.value_or(0)));
    if (place.first_gpu_event_ns) out += fmt::format(", first GPU work at {} ns", *place.first_gpu_event_ns);
    out += "\n";
  }
  return out;
}
}  // namespace kinetoscope::report
