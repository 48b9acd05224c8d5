// F24, F25, F28, F29, F35: what names and metadata mean. Collectives by any name, ranks that are not said, lists
// written in part, lists of tensors, transposed convolutions.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "examples/generator/defect_case.hpp"
#include "examples/generator/json_text.hpp"
#include "examples/generator/small_trace.hpp"

namespace kinetoscope::examples {
namespace {

using nlohmann::json;

/// A GEMM at 150-250 us and four collectives at 200-300, 320-380, 400-440 and 460-480: communication 220, of which 170
/// exposed (50 are under the GEMM), busy 270, span 330 us.
void add_collective_names(std::vector<DefectCase>& cases) {
  const auto named = [&](std::string variant, const std::vector<std::string_view>& names, std::string_view more_args) {
    constexpr std::array<std::pair<std::int64_t, std::int64_t>, 4> times = {
        {{200, 100}, {320, 60}, {400, 40}, {460, 20}}};
    SmallTrace trace;
    trace.mm(100 * us, 1001, {.name = "Cijk_Alik_Bljk_BBS_BH_MT64x64", .start_ns = 150 * us, .duration_ns = 100 * us});
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i);
      trace.mm((121 + 21 * place) * us, 1100 + place,
               {.name = std::string(names[i % names.size()]),
                .start_ns = times[i].first * us,
                .duration_ns = times[i].second * us,
                .work = Work::communication,
                .stream = 13,
                .more_args = std::string(more_args)});
    }
    cases.push_back({"F24", std::move(variant), trace.text(), "", trace.expected(json::object())});
  };
  named("NCCL of old and new, and a custom reduce",
        {"ncclKernel_AllReduce_RING_LL_Sum_float",
         "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
         "ncclDevKernel_Generic(ncclDevComm*, channelMasks, ncclWork*)",
         "void vllm::cross_device_reduce_1stage<__hip_bfloat16, 8>(vllm::RankData*)"},
        "");
  named("NCCL's other collectives",
        {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL",
         "ncclDevKernel_AllGather_RING_LL", "ncclDevKernel_Broadcast_RING_LL"},
        "");
  named("RCCL by its own name", {"rcclKernel_AllReduce", "rccl_main_kernel_4"}, "");
  named("custom reduces of several libraries",
        {"void sglang::cross_device_reduce_2stage<__nv_bfloat16, 8>(sglang::RankData*)",
         "void aiter::cross_device_reduce_2stage<__hip_bfloat16, 4>()"},
        "");
  named(
      "by metadata, whatever the name", {"kernel_17", "allreduce_impl"},
      R"(, "Collective name": "allreduce", "dtype": "Float", "Group size": 2, "In msg nelems": 64, "Process Group Name": "0")");
}

void add_unknown_ranks(std::vector<DefectCase>& cases) {
  const auto ranked = [&](std::string variant, std::string_view metadata, std::string_view behind, json rank) {
    SmallTrace trace = SmallTrace::core();
    trace.header = fmt::format(R"("schemaVersion": 1{})", metadata);
    trace.trailer = behind;
    json diagnostics = json::object();
    if (rank.is_null()) diagnostics["rank_unknown"] = 1;
    json expected = trace.expected(std::move(diagnostics));
    expected["rank"] = std::move(rank);
    cases.push_back({"F25", std::move(variant), trace.text(), "", std::move(expected)});
  };
  ranked("no distributedInfo", "", "", nullptr);
  ranked("an empty one", R"(, "distributedInfo": {})", "", nullptr);
  ranked("null", R"(, "distributedInfo": null)", "", nullptr);
  ranked("a size and no rank", R"(, "distributedInfo": {"backend": "nccl", "world_size": 8})", "", nullptr);
  ranked("a rank of null", R"(, "distributedInfo": {"rank": null, "world_size": 8})", "", nullptr);
  ranked("a list", R"(, "distributedInfo": [0, 8])", "", nullptr);
  ranked("behind the events", "", R"(, "distributedInfo": {"rank": 5, "world_size": 8})", 5);
}

/// The core and an all-to-all at 300-380 us on stream 13. Lists of more than 30 are written in part.
void add_elided_lists(std::vector<DefectCase>& cases) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < 64; ++rank) ranks.push_back(rank);
  const std::string elided_ranks = elided_list_of(ranks);
  std::string sizes = "[256";
  for (int i = 1; i < 30; ++i) sizes += ", 256";
  sizes += ", ...]";
  const auto listed = [&](std::string variant, int group_size, const std::string& rank_list, std::string_view more_args,
                          bool is_elided) {
    SmallTrace trace = SmallTrace::core();
    const std::string args = fmt::format(
        R"(, "Collective name": "all_to_allv", "In msg nelems": 16384, "Out msg nelems": 16384, "Group size": {}, "dtype": "BFloat16", )"
        R"("Process Group Name": "ep", "Process Group Ranks": {}{})",
        group_size, rank_list, more_args);
    trace.mm(280 * us, 1003,
             {.name = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
              .start_ns = 300 * us,
              .duration_ns = 80 * us,
              .work = Work::communication,
              .stream = 13,
              .more_args = args});
    json diagnostics = json::object();
    diagnostics["elided_metadata"] = is_elided ? json("present") : json(0);
    json expected = trace.expected(std::move(diagnostics));
    expected["kernels"] = {
        {trace.slices.back().name, {{"method", "correlation"}, {"Group size", fmt::format("{}", group_size)}}}};
    cases.push_back({"F28", std::move(variant), trace.text(), "", std::move(expected)});
  };
  listed("ranks and both split sizes", 64, json_string(elided_ranks),
         fmt::format(R"(, "Process Group Description": "N/A", "In split size": "{0}", "Out split size": "{0}")", sizes),
         true);
  listed("ranks", 64, json_string(elided_ranks), "", true);
  listed("one split size", 8, R"("[0, 1, 2, 3, 4, 5, 6, 7]")", fmt::format(R"(, "In split size": "{}")", sizes), true);
  listed("quotes inside the quotes", 64, json_string("\"" + elided_ranks + "\""), "", true);
  listed("30 ranks are written whole", 30, json_string(list_of({ranks.begin(), ranks.begin() + 30})), "", false);
  listed("31 ranks, the last behind the dots", 31, json_string(elided_list_of({ranks.begin(), ranks.begin() + 31})), "",
         true);
}

/// One operator a kernel. A TensorList whose dims are empty has unknown shapes; an empty Scalar is a scalar.
void add_tensor_lists(std::vector<DefectCase>& cases) {
  struct Inputs {
    std::string_view name;
    std::string_view dims;
    std::string_view types;
    bool is_unknown;
  };
  const auto put = [&](std::string variant, const std::vector<Inputs>& ops) {
    SmallTrace trace;
    int unknown = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i);
      trace.op(ops[i].name, (100 + 100 * place) * us, 20 * us,
               fmt::format(R"(, "Input Dims": {}, "Input type": {})", ops[i].dims, ops[i].types));
      trace.launch("hipLaunchKernel", (105 + 100 * place) * us, 1001 + place);
      trace.gpu({.name = "multi_tensor_apply_kernel",
                 .start_ns = (150 + 100 * place) * us,
                 .duration_ns = 10 * us,
                 .correlation = 1001 + place});
      trace.arrow_start(1001 + place, (105 + 100 * place) * us).arrow_end(1001 + place, (150 + 100 * place) * us);
      if (ops[i].is_unknown) ++unknown;
    }
    cases.push_back({"F29", std::move(variant), trace.text(), "", trace.expected({{"shapes_unavailable", unknown}})});
  };
  const Inputs foreach_op{"aten::_foreach_add_", "[[[64, 32], [32], []], [[64, 32], [32], []], []]",
                          R"(["TensorList", "TensorList", "Scalar"])", false};
  const Inputs cat{"aten::cat", "[[[8, 4], [8, 4]], []]", R"(["TensorList", "Scalar"])", false};
  const Inputs stack{"aten::stack", "[[], []]", R"(["TensorList", "Scalar"])", true};
  put("lists of shapes, and one unknown", {foreach_op, cat, stack});
  put("all known", {foreach_op, cat});
  put("all unknown", {stack, stack});
  put("a list of one", {{"aten::cat", "[[[8, 4]], []]", R"(["TensorList", "Scalar"])", false}});
  put("a tensor of no dimension is no list", {{"aten::add_", "[[], []]", R"(["float", "Scalar"])", false}});
  put("an unknown list behind a known tensor", {{"aten::index", "[[16, 8], []]", R"(["float", "TensorList"])", true}});
}

/// FLOPs of these are asked of the models, not of the importer: here the inputs load, and the kernel is 100 us.
void add_convolutions(std::vector<DefectCase>& cases) {
  struct Convolution {
    std::string_view variant;
    std::string_view dims;
    std::string_view concrete;
  };
  const std::vector<Convolution> convolutions = {
      {"transposed, stride 2", "[[6, 192, 30, 96], [192, 384, 2, 2], [384], [], [], [], [], [], []]",
       R"(["", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "True", "[0, 0]", "1"])"},
      {"not transposed", "[[6, 192, 30, 96], [384, 192, 2, 2], [384], [], [], [], [], [], []]",
       R"(["", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "1"])"},
      {"transposed, of one dimension", "[[4, 64, 100], [64, 32, 4], [32], [], [], [], [], [], []]",
       R"(["", "", "", "[2]", "[1]", "[1]", "True", "[0]", "1"])"},
      {"transposed, of three dimensions", "[[1, 32, 8, 8, 8], [32, 16, 2, 2, 2], [], [], [], [], [], [], []]",
       R"(["", "", "", "[2, 2, 2]", "[0, 0, 0]", "[1, 1, 1]", "True", "[0, 0, 0]", "1"])"},
      {"transposed, grouped, output padding", "[[2, 64, 16, 16], [64, 8, 3, 3], [32], [], [], [], [], [], []]",
       R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[1, 1]", "4"])"},
  };
  for (const Convolution& convolution : convolutions) {
    SmallTrace trace;
    trace.op("aten::convolution", 100 * us, 20 * us,
             fmt::format(R"(, "Input Dims": {}, "Input type": ["float", "float", "float", "ScalarList", )"
                         R"("ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"], "Concrete Inputs": {})",
                         convolution.dims, convolution.concrete));
    trace.launch("hipLaunchKernel", 105 * us, 1001);
    trace.gpu({.name = "miopen_deconv_kernel", .start_ns = 150 * us, .duration_ns = 100 * us, .correlation = 1001});
    trace.arrow_start(1001, 105 * us).arrow_end(1001, 150 * us);
    cases.push_back({"F35", std::string(convolution.variant), trace.text(), "", trace.expected(json::object())});
  }
}
}  // namespace

std::vector<DefectCase> metadata_defects() {
  std::vector<DefectCase> cases;
  add_collective_names(cases);
  add_unknown_ranks(cases);
  add_elided_lists(cases);
  add_tensor_lists(cases);
  add_convolutions(cases);
  return cases;
}
}  // namespace kinetoscope::examples
