#pragma once

// Where fitness verdicts turn: every limit once, with its reason. Shares are from 0 to 1.

#include <cstddef>
#include <cstdint>

namespace kinetoscope::analysis::fitness_limits {

/// What lacks beyond this harms a figure that is printed with two digits, and is more than runs differ among
/// themselves.
inline constexpr double harmful_share = 0.05;
/// Less than this answers nothing: it would be read as the whole.
inline constexpr double answering_share = 0.05;
/// Coverage by Python frames that counts as all: optimizers' and gradient accumulators' kernels have no forward call
/// whose frames they could borrow, and take 10 to 20 % of a training step.
inline constexpr double covering_frames_share = 0.75;
/// Coverage by operators with shapes that counts as all: kernels over lists of tensors, an optimizer's above all, have
/// none, and need none to be bound by memory.
inline constexpr double covering_shapes_share = 0.8;
/// Lost records are random, so a percent of them means that any kernel may be missing.
inline constexpr double lost_launches_share = 0.01;
/// Where most of the work was lost, what is left does not show when the GPU worked.
inline constexpr double mostly_lost_share = 0.5;

/// One event with this share of all GPU time makes every other share an illusion.
inline constexpr double dominating_share = 0.9;
/// No kernel of a model takes half a second: a flush or a wait was recorded as work. Microbenchmarks stay below.
inline constexpr std::int64_t implausible_duration_ns = 500'000'000;

/// The span without stray early work is less than a tenth of the span with it (field report 29).
inline constexpr double stray_gap_share = 0.9;
/// At most this share of the events, and at least one, is stray: more is a part of the program.
inline constexpr double stray_events_share = 0.01;
inline constexpr std::size_t fewest_events_for_strays = 10;

/// Fewer steps than this show no spread.
inline constexpr std::size_t fewest_steady_steps = 3;
/// Lengths of steady steps differ by less: growing key-value caches stay below it over a hundred steps, a change of the
/// batch does not.
inline constexpr double steady_length_ratio = 1.25;
/// A first step that is so much longer than the median of its kind was warming up: compiling, tuning, capturing.
inline constexpr double warm_up_length_ratio = 1.5;

/// A window of at least so many steps of which at most this share has GPU work shows something else than the workload.
inline constexpr std::size_t fewest_steps_to_judge_emptiness = 8;
inline constexpr double too_few_busy_steps_share = 0.25;
}  // namespace kinetoscope::analysis::fitness_limits
