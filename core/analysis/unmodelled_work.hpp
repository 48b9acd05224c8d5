#pragma once

// Computation that no model explains, by the operators that it is of, longest first: what to record better, or which
// model is missing. Work that no operator launched goes by its kernels' names. O(log n) an addition.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"

namespace kinetoscope::analysis {

struct UnmodelledOperator {
  std::string_view name;                         ///< valid as long as the trace and its tree
  bool is_kernel = false;                        ///< the name is a kernel's
  WideSum counted_ns = 0;                        ///< each instant of GPU time counted for one event
  Known<double> share = Reason::not_applicable;  ///< of device time
  std::string reason;                            ///< of the first: why there is no roofline, a clause
  friend bool operator==(const UnmodelledOperator&, const UnmodelledOperator&) = default;
};

struct UnmodelledWork {
  std::uint64_t names = 0;                    ///< that work without a model goes by, listed or not
  std::vector<UnmodelledOperator> operators;  ///< the longest, falling, then by name
  friend bool operator==(const UnmodelledWork&, const UnmodelledWork&) = default;
};

inline constexpr std::size_t most_unmodelled_operators = 10;

class UnmodelledSums {
 public:
  /// `number` stands for the name, among operators' or kernels'. Both texts must outlive this.
  void add(std::uint32_t number, bool is_kernel, std::string_view name, WideSum counted_ns, std::string_view reason);
  [[nodiscard]] UnmodelledWork longest(WideSum total_ns) const;

 private:
  struct Sum {
    std::string_view name;
    std::string_view reason;
    WideSum counted_ns = 0;
  };
  std::map<std::pair<bool, std::uint32_t>, Sum> sums_;
};
}  // namespace kinetoscope::analysis
