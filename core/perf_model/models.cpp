#include "core/perf_model/models.hpp"

namespace kinetoscope::perf_model {

Estimate estimate_call(const OperatorRegistry& registry, const Call& call, const CallContext& context) {
  const OperatorModel* const model = registry.model_of(call.name);
  if (model == nullptr) return run_model(nullptr, ModelInput(call, {}, context));
  return run_model(model->family->forward, ModelInput(call, model->layout, context));
}

Estimate estimate_backward_of(const OperatorRegistry& registry, const Call& forward, const CallContext& context) {
  const OperatorModel* const model = registry.model_of(forward.name);
  if (model == nullptr) return run_model(nullptr, ModelInput(forward, {}, context));
  return run_model(model->family->backward, ModelInput(forward, model->layout, context));
}
}  // namespace kinetoscope::perf_model
