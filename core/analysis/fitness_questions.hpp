#pragma once

// The nine questions, a function each. What they share: a trace without GPU work answers none of the questions about
// GPU time, and a file that was read in part answers none wholly.

#include "core/analysis/fitness.hpp"
#include "core/analysis/fitness_facts.hpp"
#include "core/analysis/verdict_builder.hpp"

namespace kinetoscope::analysis {

// fitness_attribution.cpp
[[nodiscard]] Fitness operators_fitness(const FitnessFacts& facts);
[[nodiscard]] Fitness roofline_fitness(const FitnessFacts& facts);
[[nodiscard]] Fitness graph_attribution_fitness(const FitnessFacts& facts);
// fitness_sources.cpp
[[nodiscard]] Fitness modules_fitness(const FitnessFacts& facts);
[[nodiscard]] Fitness stacks_fitness(const FitnessFacts& facts);
[[nodiscard]] Fitness collectives_fitness(const FitnessFacts& facts);
[[nodiscard]] Fitness memory_fitness(const FitnessFacts& facts);
// fitness_times.cpp
[[nodiscard]] Fitness idle_fitness(const FitnessFacts& facts);
[[nodiscard]] Fitness comparison_fitness(const FitnessFacts& facts);

// fitness_limitations.cpp: what limits several questions alike.
/// False, and the answer is no, for captures and for traces without GPU work.
[[nodiscard]] bool limit_to_gpu_work(const FitnessFacts& facts, VerdictBuilder& verdict);
/// The file was read in part, or its exporter may have stopped at its limit.
void limit_to_whole_files(const FitnessFacts& facts, VerdictBuilder& verdict);
/// One event has most of the time, which leaves `of_dominated`, durations are suspect, or times are missing.
void limit_to_sound_times(const FitnessFacts& facts, VerdictBuilder& verdict, Verdict of_dominated = Verdict::partly);
/// Launches without recorded work: totals are too low.
void limit_to_recorded_work(const FitnessFacts& facts, VerdictBuilder& verdict);
}  // namespace kinetoscope::analysis
