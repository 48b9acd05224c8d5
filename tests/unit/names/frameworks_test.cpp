#include "core/names/frameworks.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::names {

TEST_CASE("frameworks: operators, frames and annotations prove who recorded a trace") {
  struct Case {
    std::string_view name;
    Framework framework;
  };
  const std::vector<Case> cases = {
      {"vllm::unified_attention_with_output", Framework::vllm},
      {"vllm/v1/worker/gpu_model_runner.py(4712): _dummy_run", Framework::vllm},
      {"/usr/lib/python3/dist-packages/vllm/model_executor/layers/linear.py(10): forward", Framework::vllm},
      {"execute_context_1(5)_generation_2(3)", Framework::vllm},
      {"_C_cache_ops::reshape_and_cache_flash", Framework::vllm},
      {"sglang_profiler::attention_7", Framework::sglang},
      {"sglang/srt/model_executor/cuda_graph_runner.py(925): capture_one_batch_size", Framework::sglang},
      {"step[DECODE bs=64]", Framework::sglang},
      {"trtllm::attention_inplace", Framework::tensorrt_llm},
      {"tensorrt_llm/_torch/pyexecutor/py_executor.py(1): _executor_loop", Framework::tensorrt_llm},
      {"[Executor] _forward_step 12: 1 ctx reqs, 3 gen reqs", Framework::tensorrt_llm},
      {"decode[bs=1 tok=1 d=1]", Framework::atom},
      {"megatron/core/transformer/attention.py(7): forward", Framework::megatron},
      {"deepspeed/runtime/engine.py(1): step", Framework::deepspeed},
      {"torchtitan/train.py(1): train_step", Framework::torchtitan},
      {"xfuser/core/distributed/runtime_state.py(1): set", Framework::xdit},
      {"transformers/models/llama/modeling_llama.py(1): forward", Framework::transformers},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const auto framework = framework_of(c.name);
    REQUIRE(framework.has_value());
    CHECK(spelling_of(*framework) == spelling_of(c.framework));
  }
}

TEST_CASE("frameworks: names that all frameworks share prove nothing") {
  for (const std::string_view name : {"", "aten::mm", "cudaLaunchKernel", "ProfilerStep#1", "aiter::fmoe",
                                      "torch/nn/modules/module.py(1): _call_impl", "my_vllm/v1x.py(1): f"}) {
    CAPTURE(name);
    CHECK_FALSE(framework_of(name).has_value());
  }
}

TEST_CASE("frameworks: captures of graphs are told by annotation and frame") {
  for (const std::string_view name :
       {"capture_32_FULL", "capture_8192_PIECEWISE", "capture_4_draft_FULL", "capture_32_DECODE",
        "vllm/v1/worker/gpu_model_runner.py(4712): _dummy_run",
        "sglang/srt/model_executor/cuda_graph_runner.py(913): _capture_graph", "_capture_graph bs=32"}) {
    CAPTURE(name);
    CHECK(is_capture_annotation(name));
  }
  for (const std::string_view name : {"", "capture_", "capture_32", "capture_32_", "capture_x_FULL", "capture_begin",
                                      "vllm/v1/worker/lora_model_runner_mixin.py(233): maybe_dummy_run_with_lora",
                                      "torch/cuda/graphs.py(98): capture_begin",
                                      "vllm/v1/attention/backends/a.py(92): build_for_cudagraph_capture"}) {
    CAPTURE(name);
    CHECK_FALSE(is_capture_annotation(name));
  }
}
}  // namespace kinetoscope::names
