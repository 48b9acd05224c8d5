#include "core/analysis/unmodelled_work.hpp"

#include <algorithm>
#include <tuple>

namespace kinetoscope::analysis {

void UnmodelledSums::add(std::uint32_t number, bool is_kernel, std::string_view name, WideSum counted_ns,
                         std::string_view reason) {
  if (counted_ns == 0) return;
  const auto [found, is_new] = sums_.try_emplace({is_kernel, number}, Sum{name, reason});
  found->second.counted_ns += counted_ns;
}

UnmodelledWork UnmodelledSums::longest(WideSum total_ns) const {
  UnmodelledWork out;
  out.names = sums_.size();
  out.operators.reserve(sums_.size());
  for (const auto& [key, sum] : sums_) {
    UnmodelledOperator& one = out.operators.emplace_back();
    one.name = sum.name;
    one.is_kernel = key.first;
    one.counted_ns = sum.counted_ns;
    if (total_ns > 0) one.share = static_cast<double>(sum.counted_ns) / static_cast<double>(total_ns);
    one.reason = sum.reason;
  }
  std::ranges::sort(out.operators, [](const UnmodelledOperator& left, const UnmodelledOperator& right) {
    return std::tie(right.counted_ns, left.name, left.is_kernel) <
           std::tie(left.counted_ns, right.name, right.is_kernel);
  });
  if (out.operators.size() > most_unmodelled_operators) out.operators.resize(most_unmodelled_operators);
  return out;
}
}  // namespace kinetoscope::analysis
