#pragma once

// The sizes of a mixture of experts' matrix products, and how many experts' weights they read: each token is sent to a
// few of the experts, so a small batch leaves some unread. Which ones no trace says; all are taken to be chosen equally
// often and independently for each token, so the number is an expectation.
// Cost: O(1).

#include <cstdint>

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

/// In values, however they are packed. Of local experts only, where they are spread over devices.
struct ExpertSizes {
  double tokens = 0;             ///< M
  double hidden = 0;             ///< K, the width of a token
  double intermediate = 0;       ///< N, the width between the two products
  double experts = 0;            ///< E
  double experts_per_token = 0;  ///< k
  bool is_gated = false;         ///< the first product has a second one beside it, of the same size
  friend bool operator==(const ExpertSizes&, const ExpertSizes&) = default;
};

/// E, K, N and the gate from the weights of both products, [E, N or 2N, K / packed] and [E, K, N / packed], where
/// `packed` values stand in an element of either. Throws NoEstimate for shapes that do not fit.
void read_both_weights(const Operand& first, const Operand& second, ExpertSizes& sizes);

/// k: the second dimension of `routed`, else what the literal says, else what the context says. Throws NoEstimate
/// without any of them.
[[nodiscard]] double experts_per_token(const ModelInput& input, const Field& routed, const Field& literal);

/// E (1 - ((E - k) / E)^M). Throws NoEstimate unless 1 <= k <= E.
[[nodiscard]] double active_experts(const ExpertSizes& sizes);

/// What every such estimate says beside its figures: matrix unit, average case, and the scales of quantised weights.
void describe_expert_product(const ExpertSizes& sizes, double weight_bytes, Estimate& out);
}  // namespace kinetoscope::perf_model
