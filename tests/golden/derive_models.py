#!/usr/bin/env python3
"""Derives what models must say of calls once more, in plain Python with whole numbers and fractions: expectations that
the program did not make. Holds tests/unit/perf_model/model_cases.json to them, row by row, so that a row that was
edited by hand or copied from the program's output does not pass for a check.

usage: derive_models.py [--write] [CASES]

Says for each row whether its flops, bytes_moved, compute_spec, quality and gap are those derived here; exit status 1
where one is not. --write puts the derived ones into the rows instead. Inputs, `reference` and `defect` are never
touched; but without a difference a row may not have them.

One function a family; a row says `derived_as` where its operator is like another one. Each reads its operands by position, as the operators' signatures have them, and returns a
Figures, or raises Missing with the gap. An operand is read by what lies in memory: dimensions of stride 0 count once.
"""
import argparse
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

from derived_models.calls import Call, Missing
from derived_models.convolution import (backward_of_convolution, convolution, convolution_backward,
                                        convolution_backward_by_forward)
from derived_models.elementwise import (binary, gated, padded, quantize_dual, quantize_fp8, reduction, sampler,
                                        unary, upsampled)
from derived_models.experts import expert_routing, expert_transfer, experts
from derived_models.inference_attention import inference_attention
from derived_models.matrix_products import (a4w4, addmm, afp4wfp4, batched_a16wfp4, batched_a8w8, bmm, dynamic_quant,
                                            grouped, hipblaslt, int8_linear, mm, scaled_mm, te_gemm, te_linear,
                                            weights_by_rows)
from derived_models.normalization import (inference_rms, modulated, normalization, normalization_backward, rms,
                                          rms_backward)
from derived_models.others import (backward_of_mamba, causal_convolution, collective, cross_entropy, generated,
                                   group_quant, hyper_connections, mamba, mxfp4_quant, rope, scaled_quant,
                                   store_cache)
from derived_models.training_attention import attention, backward_of_attention

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/unit/perf_model/model_cases.json"

# The first pattern that the whole name fits decides.
FAMILIES = [
    (r"aten::mm", mm),
    (r"aten::b?addb?mm", addmm),
    (r"aten::bmm", bmm),
    (r"aten::_scaled_mm|trtllm::cublas_scaled_mm", scaled_mm),
    (r"bitsandbytes::int8_linear_matmul", int8_linear),
    (r"vllm::gemm_with_dynamic_quant", dynamic_quant),
    (r"tex_ts::te_gemm_ts", te_gemm),
    (r"_(LayerNorm)?Linear(Backward)?_[xyw]\w+_mm", te_linear),
    (r"primus_turbo\w*::hipblaslt_gemm_fp[48]", hipblaslt),
    (r"aiter::_?gemm_a4w4(_asm)?", a4w4),
    (r"aiter::batched_gemm_a16wfp4_", batched_a16wfp4),
    (r"aiter::gemm_afp4wfp4_", afp4wfp4),
    (r"sglang_profiler::batched_gemm_a8w8\w+", batched_a8w8),
    (r"primus_turbo\w*::(ck_)?grouped_gemm\w*", grouped),
    (r"aten::convolution|ConvBias(ReLU)?_", convolution),
    (r"aten::convolution_backward", convolution_backward),
    (r"ConvBias(ReLU)?_Backward", convolution_backward_by_forward),
    (r"aiter::fmha_v3_varlen_fwd|aiter::mha_batch_prefill|aiter::mha_varlen_fwd|aiter::pa_\w+|pseudo_(mla|v4)_\w+"
     r"|vllm::\w*attention_\w+|aiter::linear_attention\w+|sglang_profiler::(attention_paged|tilelang)\w+",
     inference_attention),
    (r"FlashAttnFunc|flash_attn(_3)?::\w+|aiter::_flash_attn\w+|aiter::(wrapper_)?f?mha_\w+|EvoformerAttention"
     r"|aten::_scaled_dot_product_\w+", attention),
    (r"aten::(copy_?|clamp_min_?|clamp_max_?|sigmoid|rsqrt|silu|neg|pow)", unary),
    (r"aten::(div_?|mul_?|add_?|sigmoid_backward|threshold_backward)|LigerSiLUMulFunction", binary),
    (r"aten::replication_pad[123]d", padded),
    (r"aten::upsample_nearest[123]d", upsampled),
    (r"\w+::(silu|gelu|gelu_tanh)_and_mul", gated),
    (r"primus_turbo\w*::quantize_fp8_tensorwise", quantize_fp8),
    (r"primus\w*::quantize_mxfp4_dual", quantize_dual),
    (r"aiter::mixed_sample_outer_exponential", sampler),
    (r"aten::(sum|mean|max|min|norm|linalg_norm|std|var|logsumexp|cumsum|cumprod|amin|amax)", reduction),
    (r"aten::_fused_rms_norm", rms),
    (r"aten::\w*rms_norm_backward", rms_backward),
    (r"aten::\w*_norm_backward", normalization_backward),
    (r"aten::\w*_norm|aiter::_groupnorm_run", normalization),
    (r"primus::fused_ln_modulate\w*", modulated),
    (r"aiter::(rms_?norm\w*|add_rmsnorm|fused_add_rmsnorm_pad_|_fuse_rmsnorm_fp4_quant)|vllm::rocm_aiter_\w*rmsnorm\w*"
     r"|sglang_profiler::fused_mxfp4_quant_fused_rms_mxfp4_quant", inference_rms),
    (r"FusedRoPEFunc|aiter::rope_cached_positions_2c_fwd_impl|sgl_kernel::rotary_embedding|aiter::fused_qk_rope\w+",
     rope),
    (r"sglang::store_cache", store_cache),
    (r"CrossEntropyFunction", cross_entropy),
    (r"aiter::dynamic_per_(token|group|tensor)(_scaled)?_quant", scaled_quant),
    (r"vllm::triton_per_token_group_quant_fp8", group_quant),
    (r"sglang_profiler::(fused_mxfp4_quant_fused_flatten|quant_dynamic)_mxfp4_quant|aiter::fused_dynamic_mx\w+"
     r"|aiter::dynamic_per_group_scaled_quant_fp4", mxfp4_quant),
    (r"aiter::(biased_grouped_topk_hip|moe_sorting_fwd|mxfp4_moe_sort_hip|topk_softplus)|\w+::\w+append_shared_experts",
     expert_routing),
    (r"pseudo_op::moe\w+|aiter::(fmoe|moe_cktile|ck_moe)\w+|sglang_profiler::fused_moe_triton\w+", experts),
    (r"MoE(Dispatch|Combine)", expert_transfer),
    (r"DaoAILab::_causal_conv1d_fwd_cpp", causal_convolution),
    (r"MambaSplitConv1dScanCombinedFn", mamba),
    (r"triton_(poi|red|per)_\w+", generated),
    (r"aiter::fused_allreduce_rmsnorm_?|_C_custom_ar::\w+|sgl_kernel::\w*all_reduce\w*|aiter::reduce_scatter"
     r"|aiter::all_gather_reg|sglang::reg_all_gather_into_tensor", collective),
    (r"aiter::mhc_\w+", hyper_connections),
    (r"(aiter|sglang_profiler|vllm)::\w*(gemm|flatmm)\w*|aiter::gfx950_a8w8_blockscale_asm", weights_by_rows),
]
BACKWARD = {convolution: backward_of_convolution, attention: backward_of_attention, mamba: backward_of_mamba,
            reduction: reduction}


def plain(number):
    number = Fraction(number)
    return int(number) if number.denominator == 1 else float(number)


def derived(row):
    """flops, bytes_moved, compute_spec, quality and gap of a row's call."""
    result = {"flops": None, "bytes_moved": None, "compute_spec": "", "quality": "none", "gap": None}
    row = row | {"operator": row.get("derived_as", row["operator"])}
    family = next((function for pattern, function in FAMILIES if re.fullmatch(pattern, row["operator"])), None)
    if row.get("work") == "backward":
        family = BACKWARD.get(family)
    try:
        if family is None:
            raise Missing("not_modelled")
        figures = family(Call(row))
    except Missing as missing:
        result["gap"] = str(missing)
        return result
    if figures.unit != "none" and figures.precision and (figures.unit, figures.precision) != ("vector", "int8"):
        result["compute_spec"] = f"{figures.unit}_{figures.precision}"
    result["flops"], result["quality"] = plain(figures.flops), figures.quality
    if figures.moved.known:
        result["bytes_moved"] = plain(figures.moved.total)
    else:
        result["gap"] = "element_type_unknown"
    return result


def differences(row, wanted):
    found = [f"{key} {row.get(key)}, derived {value}" for key, value in wanted.items() if row.get(key) != value]
    reference = row.get("reference")
    if ("reference" in row) != ("defect" in row):
        found.append("reference and defect go together")
    if reference is not None and all(reference.get(key) == wanted[key] for key in reference):
        found.append("the reference is no different")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("cases", nargs="?", type=Path, default=CASES)
    options = parser.parse_args()
    document = json.loads(options.cases.read_text())
    failed = 0
    for row in document["cases"]:
        wanted = derived(row)
        if options.write:
            row.update(wanted)
            if row["gap"] is None:
                del row["gap"]
        problems = differences(row, wanted)
        failed += bool(problems)
        for problem in problems:
            print(f"{row['id']} {row['operator']}: {problem}")
    if options.write:
        options.cases.write_text(text_of(document))
    print(f"{len(document['cases']) - failed} passed, {failed} failed")
    return 1 if failed else 0


ORDER = ["id", "about", "operator", "derived_as", "operands", "literals", "context", "work", "flops", "bytes_moved", "compute_spec",
         "quality", "gap", "reference", "defect"]


def text_of(document):
    """One row a line, so that changes show row by row."""
    rows = [json.dumps({key: row[key] for key in ORDER if key in row}) for row in document["cases"]]
    return ('{\n  "about": ' + json.dumps(document["about"]) + ',\n  "cases": [\n    ' + ",\n    ".join(rows)
            + "\n  ]\n}\n")


if __name__ == "__main__":
    sys.exit(main())
