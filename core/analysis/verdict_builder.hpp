#pragma once

// One question's verdict in the making: it begins as yes, each limit lowers it and says why. The reason is the two
// gravest limits, in one sentence each; of an answer without limits, its own sentence and the first note.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/wide_sum.hpp"
#include "core/analysis/fitness.hpp"

namespace kinetoscope::analysis {

class VerdictBuilder {
 public:
  /// Values that are no finite number are left out.
  void figure(std::string_view name, double value);
  void count(std::string_view name, std::uint64_t value) { figure(name, static_cast<double>(value)); }
  void time(std::string_view name, WideSum value_ns) { figure(name, static_cast<double>(value_ns)); }
  /// The answer is `at_most` this, because of `sentence`; `needs` record what lacks.
  void limit(Verdict at_most, std::string sentence, std::initializer_list<RecordNeed> needs);
  /// Worth saying, but no limit.
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  void need(RecordNeed need) { needs_.push_back(need); }
  [[nodiscard]] Verdict verdict() const noexcept { return verdict_; }
  /// `answer` is the reason when nothing limits.
  [[nodiscard]] Fitness finish(std::string answer) &&;

 private:
  struct Limit {
    Verdict at_most{};
    std::string sentence;
  };
  Verdict verdict_ = Verdict::yes;
  std::vector<Limit> limits_;
  std::vector<std::string> notes_;
  std::vector<RecordNeed> needs_;
  std::vector<FitnessFigure> figures_;
};

/// "1 step", "1,234 steps".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);
/// A share in percent; those that would round to all say "more than 99.9 %", those that would round to nothing "less
/// than 0.1 %".
[[nodiscard]] std::string honest_share(double share);
}  // namespace kinetoscope::analysis
