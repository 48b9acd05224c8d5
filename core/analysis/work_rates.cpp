#include "core/analysis/work_rates.hpp"

namespace kinetoscope::analysis {
namespace {

/// One rate of a group: `figure` over time, in the unit that a factor of 1e-12 gives.
class RateSum {
 public:
  void add(const std::optional<double>& figure, std::int64_t kernel_ns) {
    if (!figure || kernel_ns <= 0) return;
    const double seconds = static_cast<double>(kernel_ns) / 1e9;
    rates_.push_back(*figure / 1e12 / seconds);
    figures_ += *figure;
    seconds_ += seconds;
  }
  [[nodiscard]] RealStatistics statistics() { return statistics_of(rates_); }
  [[nodiscard]] Known<double> of_totals() const {
    return rates_.empty() ? Known<double>(Reason::not_applicable) : Known<double>(figures_ / 1e12 / seconds_);
  }

 private:
  std::vector<double> rates_;
  double figures_ = 0;
  double seconds_ = 0;
};
}  // namespace

WorkRates rates_of(std::span<const RatedCall> calls) {
  RateSum flops;
  RateSum bytes;
  for (const RatedCall& call : calls) {
    if (call.estimate == nullptr) continue;
    flops.add(call.estimate->flops, call.kernel_ns);
    bytes.add(call.estimate->bytes_moved, call.kernel_ns);
  }
  return {flops.statistics(), bytes.statistics(), flops.of_totals(), bytes.of_totals()};
}
}  // namespace kinetoscope::analysis
