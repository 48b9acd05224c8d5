#include "core/analysis/verdict_builder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/format.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::size_t most_sentences = 2;
}  // namespace

void VerdictBuilder::figure(std::string_view name, double value) {
  if (std::isfinite(value)) figures_.push_back({std::string(name), value});
}

void VerdictBuilder::limit(Verdict at_most, std::string sentence, std::initializer_list<RecordNeed> needs) {
  verdict_ = std::max(verdict_, at_most);
  limits_.push_back({at_most, std::move(sentence)});
  needs_.insert(needs_.end(), needs.begin(), needs.end());
}

Fitness VerdictBuilder::finish(std::string answer) && {
  std::ranges::stable_sort(limits_, std::ranges::greater{}, &Limit::at_most);
  std::vector<std::string> sentences;
  for (Limit& limit : limits_) sentences.push_back(std::move(limit.sentence));
  if (sentences.empty()) sentences.push_back(std::move(answer));
  sentences.insert(sentences.end(), notes_.begin(), notes_.end());
  sentences.resize(std::min(sentences.size(), most_sentences));
  Fitness fitness;
  fitness.verdict = verdict_;
  fitness.reason = fmt::format("{}", fmt::join(sentences, " "));
  fitness.figures = std::move(figures_);
  if (verdict_ != Verdict::yes) fitness.record = record_advice(needs_);
  return fitness;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  const auto number = static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX));
  return fmt::format("{} {}", with_separators(number), count == 1 ? singular : plural);
}

std::string honest_share(double share) {
  constexpr double rounds_to_all = 0.9995;
  constexpr double rounds_to_nothing = 0.0005;
  if (share < 1 && share >= rounds_to_all) return "more than 99.9 %";
  if (share > 0 && share < rounds_to_nothing) return "less than 0.1 %";
  return share_text(share);
}
}  // namespace kinetoscope::analysis
