#pragma once

// What questions a trace can answer (product decision 16): for each question a verdict, the reason with its figures,
// and the exact lines that record a trace which answers it. Tools refuse what the verdict denies, and no finding is
// made on it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/names/frameworks.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/gpu_population.hpp"
#include "core/analysis/record_advice.hpp"
#include "core/analysis/trace_kind.hpp"

namespace kinetoscope::analysis {

enum class Verdict : std::uint8_t { yes, partly, no };
[[nodiscard]] std::string_view spelling_of(Verdict verdict) noexcept;

enum class Question : std::uint8_t {
  operators,          ///< which operator the GPU time belongs to
  roofline,           ///< what operators should have cost: shapes and types
  modules,            ///< which nn.Module
  stacks,             ///< which Python code
  idle,               ///< when and why the GPU waited
  collectives,        ///< who communicated how much with whom
  memory,             ///< when device memory peaked
  graph_attribution,  ///< which operator a graph-replayed kernel is
  comparison,         ///< whether a window of this trace may be held against another trace's
};
inline constexpr std::size_t question_count = static_cast<std::size_t>(Question::comparison) + 1;
[[nodiscard]] std::string_view spelling_of(Question question) noexcept;

/// A figure of a verdict, by a stable name: {"graph_launches", 40}.
struct FitnessFigure {
  std::string name;
  double value = 0;
  friend bool operator==(const FitnessFigure&, const FitnessFigure&) = default;
};

struct Fitness {
  Verdict verdict = Verdict::no;
  std::string reason;  ///< a sentence with the figures in it
  std::vector<FitnessFigure> figures;
  std::vector<RecordAdvice> record;  ///< empty when the verdict is yes
  friend bool operator==(const Fitness&, const Fitness&) = default;
};

/// A window worth analysing instead, when the whole is not.
struct UsableWindow {
  StepId first_step{};
  StepId last_step{};
  std::string reason;
};

struct FitnessReport {
  std::array<Fitness, question_count> questions;
  /// "Do not analyse this window": the whole trace would mislead; the reason names the event or the steps at fault.
  std::optional<std::string> do_not_analyse;
  std::optional<UsableWindow> usable_window;
  [[nodiscard]] const Fitness& of(Question question) const noexcept {
    return questions[static_cast<std::size_t>(question)];
  }
};

[[nodiscard]] FitnessReport assess_fitness(const CallTree& tree, const Steps& steps, const GpuBuckets& buckets);
}  // namespace kinetoscope::analysis
