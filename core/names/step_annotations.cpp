#include "core/names/step_annotations.hpp"

#include <algorithm>
#include <limits>

#include "core/names/step_grammar.hpp"

namespace kinetoscope::names {
namespace {

// Both are not negative.
std::int64_t saturating_sum(std::int64_t left, std::int64_t right) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return left > most - right ? most : left + right;
}

StepPhase phase_of_requests(std::int64_t context, std::int64_t generation) noexcept {
  if (context > 0 && generation > 0) return StepPhase::prefilldecode;
  if (context > 0) return StepPhase::prefill_only;
  return generation > 0 ? StepPhase::decode_only : StepPhase::idle;
}

void set_requests(StepAnnotation& step, std::int64_t context, std::int64_t generation) {
  step.context_requests = context;
  step.generation_requests = generation;
  step.num_requests = saturating_sum(context, generation);
  step.phase = phase_of_requests(context, generation);
}

void set_aggregates(StepAnnotation& step, const StepValues& values) {
  const auto number = [&](std::string_view key) { return values.number(key).value_or(0); };
  step.c_sq = number("c_sq");
  step.c_sk = number("c_sk");
  step.c_sqsq = number("c_sqsq");
  step.c_sqsk = number("c_sqsk");
  step.g_sq = number("g_sq");
  step.g_sk = number("g_sk");
  step.g_sqsq = number("g_sqsq");
  step.g_sqsk = number("g_sqsk");
}

void finish_sums(StepAnnotation& step, std::int64_t batch_without_tokens) {
  step.context_sum = step.c_sq;
  step.generation_sum = step.g_sq;
  const std::int64_t tokens = saturating_sum(step.c_sq, step.g_sq);
  step.batch_size = tokens > 0 ? tokens : batch_without_tokens;
}

// Kinds with a shape: the fields have the names of the members they fill.
void read_shape_values(StepAnnotation& step, const StepValues& values) {
  step.step_number = values.number("step");
  step.width = values.number("width");
  step.height = values.number("height");
  if (step.kind == StepKind::profiler_step) return;
  if (step.kind == StepKind::diffusion_native) {
    step.num_requests = 1;  // one prompt; nothing is read and generated in turns
    step.batch_size = values.number("batch_size").value_or(1);
    return;
  }
  set_aggregates(step, values);
  set_requests(step, values.number("context_requests").value_or(0), values.number("generation_requests").value_or(0));
  finish_sums(step, values.has("c_sq") ? 0 : step.num_requests);
  step.has_sqsk = values.has("c_sqsk");
}

void read_sglang_native(StepAnnotation& step, const Bracket& bracket) {
  const StepValues& values = bracket.values;
  const std::int64_t requests = values.number("bs").value_or(0);
  const std::int64_t tokens = values.number("toks").value_or(0);
  switch (bracket.mode) {
    case StepMode::prefill:
      step.c_sq = tokens;
      set_requests(step, requests, 0);
      break;
    case StepMode::decode:
      step.g_sq = requests;
      set_requests(step, 0, requests);
      break;
    case StepMode::mixed:
      // Without ext= and dec= the annotation gives the sum of both sorts of requests only.
      step.phase = StepPhase::prefilldecode;
      step.num_requests = requests;
      if (const auto decoding = values.number("dec")) {
        step.c_sq = values.number("ext").value_or(0);
        step.g_sq = *decoding;
        step.generation_requests = *decoding;
        step.context_requests = std::max<std::int64_t>(requests - *decoding, 0);
      }
      break;
    case StepMode::idle: set_requests(step, 0, 0); break;
  }
  finish_sums(step, tokens > 0 ? tokens : requests);
}

// Aggregates without prefix belong to the side that the mode names.
void add_plain_aggregates(StepAnnotation& step, const StepValues& values, StepMode mode) {
  const bool is_context = mode == StepMode::prefill;
  const auto take = [&](std::string_view key, std::int64_t& context, std::int64_t& generation) {
    if (const auto number = values.number(key)) (is_context ? context : generation) = *number;
  };
  take("sq", step.c_sq, step.g_sq);
  take("sk", step.c_sk, step.g_sk);
  take("sqsq", step.c_sqsq, step.g_sqsq);
  take("sqsk", step.c_sqsk, step.g_sqsk);
}

void read_sglang_detailed(StepAnnotation& step, const Bracket& bracket) {
  const StepValues& values = bracket.values;
  const std::int64_t requests = values.number("bs").value_or(0);
  set_aggregates(step, values);
  if (bracket.mode != StepMode::mixed) add_plain_aggregates(step, values, bracket.mode);
  if (bracket.mode == StepMode::prefill) set_requests(step, requests, 0);
  if (bracket.mode == StepMode::decode) set_requests(step, 0, requests);
  if (bracket.mode == StepMode::mixed)
    set_requests(step, values.number("c").value_or(0), values.number("g").value_or(0));
  finish_sums(step, values.number("toks").value_or(requests));
  step.has_sqsk = true;
}

void read_atom(StepAnnotation& step, const Bracket& bracket) {
  const StepValues& values = bracket.values;
  const std::int64_t tokens = values.number("tok").value_or(0);
  const std::int64_t requests = values.number("bs").value_or(0);
  add_plain_aggregates(step, values, bracket.mode);
  if (bracket.mode == StepMode::prefill) {
    step.c_sq = tokens;
    set_requests(step, requests, 0);
    step.context_text = std::string(values.text("ctx"));
  } else {
    step.g_sq = tokens;
    set_requests(step, values.number("p").value_or(0), values.number("d").value_or(requests));
    step.speculative_tokens = values.number("spec");
  }
  step.two_batch_overlap = values.has("tbo");
  step.has_sqsk = values.number("sqsq").has_value() && values.number("sqsk").has_value();
  finish_sums(step, 0);
  step.batch_size = tokens;
}

void read_bracket(StepAnnotation& step, const Bracket& bracket) {
  switch (step.kind) {
    case StepKind::sglang_detailed: return read_sglang_detailed(step, bracket);
    case StepKind::sglang_native: return read_sglang_native(step, bracket);
    case StepKind::atom_detailed:
    case StepKind::atom_native: return read_atom(step, bracket);
    case StepKind::profiler_step:
    case StepKind::vllm_detailed:
    case StepKind::vllm_native:
    case StepKind::vllm_requests:
    case StepKind::diffusion_native:
    case StepKind::tensorrt_llm_native: return;  // these have a shape
  }
}

std::optional<StepAnnotation> parse_by(const StepGrammar& grammar, std::string_view name) {
  StepAnnotation step;
  step.kind = grammar.kind;
  step.tier = grammar.tier;
  if (grammar.shape) {
    const auto values = match_shape(*grammar.shape, name);
    if (!values) return std::nullopt;
    read_shape_values(step, *values);
    return step;
  }
  const auto bracket = match_bracket(grammar, name);
  if (!bracket) return std::nullopt;
  const std::string& ending = grammar.requires_key_ending;
  if (!ending.empty() && !bracket->values.has_key_ending(ending)) return std::nullopt;
  const std::string& key = grammar.requires_key_unless_idle;
  if (!key.empty() && bracket->mode != StepMode::idle && !bracket->values.has(key)) return std::nullopt;
  if (!grammar.only_keys.empty() && bracket->values.has_other_keys_than(grammar.only_keys)) return std::nullopt;
  read_bracket(step, *bracket);
  return step;
}
}  // namespace

std::optional<StepAnnotation> parse_step_annotation(std::string_view name) {
  for (const StepGrammar& grammar : step_grammars().grammars) {
    if (auto step = parse_by(grammar, name)) return step;
  }
  return std::nullopt;
}

bool looks_like_step(std::string_view name) {
  const auto& families = step_grammars().families;
  return std::any_of(families.begin(), families.end(),
                     [&](const StepShape& family) { return match_shape(family, name).has_value(); });
}
}  // namespace kinetoscope::names
