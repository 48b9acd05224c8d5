"""Attention of serving, by the sums that a step annotation has."""
import re
from fractions import Fraction
from math import ceil

from .calls import SIZES, Bytes, Figures, Missing, matrix, size_of


def step_of(call):
    """The sums of a detailed annotation: new tokens and cached ones of prompts (c) and of generation (g)."""
    text = call.context.get("annotation", "")
    sums = dict.fromkeys(["c_sq", "c_sk", "c_sqsq", "c_sqsk", "g_sq", "g_sk", "g_sqsq", "g_sqsk"], 0)
    requests = None
    serving = re.match(r"execute_\d+_context_(\d+)\(sq(\d+)sk(\d+)sqsq(\d+)sqsk(\d+)\)"
                       r"_generation_(\d+)\(sq(\d+)sk(\d+)sqsq(\d+)sqsk(\d+)\)", text)
    if serving:
        numbers = [int(number) for number in serving.groups()]
        requests = numbers[0] + numbers[5]
        sums.update(zip(["c_sq", "c_sk", "c_sqsq", "c_sqsk"], numbers[1:5]))
        sums.update(zip(["g_sq", "g_sk", "g_sqsq", "g_sqsk"], numbers[6:]))
    elif text.startswith("step[") and "sqsq=" in text:
        pairs = dict(re.findall(r"(\w+)=(\d+)", text))
        sums.update({key: int(pairs[key]) for key in sums if key in pairs})
        if "DECODE" in text:
            requests = int(pairs.get("bs", sums["g_sq"]))
    elif re.match(r"(prefill|decode)\[", text) and "sqsq=" in text:
        side = "c" if text.startswith("prefill") else "g"
        pairs = dict(re.findall(r"(\w+)=(\d+)", text))
        for key, source in (("sq", "tok"), ("sk", "sk"), ("sqsq", "sqsq"), ("sqsk", "sqsk")):
            sums[f"{side}_{key}"] = int(pairs.get(source, 0))
        requests = int(pairs["bs"]) if "bs" in pairs else None
    else:
        raise Missing("step_not_annotated")
    return sums, requests


def served_attention(sums, heads, kv_heads, d, v, e, e_kv, window, latent=False):
    keys, products = sums["g_sk"], sums["g_sqsk"]
    if window and window > 0 and sums["g_sq"] > 0:
        keys, products = min(keys, sums["g_sq"] * window), min(products, sums["g_sq"] * window)
    flops = heads * (d + v) * (2 * sums["c_sqsk"] - sums["c_sqsq"]) + 2 * heads * (d + v) * products
    new = sums["c_sq"] + sums["g_sq"]
    if latent:
        return flops, new * heads * (d + v) * e + (sums["c_sk"] + keys) * kv_heads * d * e_kv
    cached = (sums["c_sk"] - sums["c_sq"]) + (keys - sums["g_sq"])
    return flops, new * (heads + kv_heads) * (d + v) * e + cached * kv_heads * (d + v) * e_kv


SERVED_MODELS = {"pro": (1024, 128, 128), "": (512, 128, 64)}  # chosen keys, window, query heads


def inference_attention(call):
    name = call.name
    if name == "aiter::pa_sparse_prefill_opus_fwd":
        q = call.tensor(0, 3)
        (tokens, heads, d), kv = q.dims, call.raw(1)
        pairs = call.tensor(2, 1).dims[0] + call.tensor(5, 1).dims[0]
        e = SIZES.get(q.type, 2)
        return Figures(4 * pairs * heads * d, Bytes(2 * tokens * heads * d * e + pairs * d * SIZES.get(kv.type, e)),
                       *matrix(q.type))
    sums, requests = step_of(call)
    if name in ("vllm::gdn_attention_core", "aiter::linear_attention_with_output_base"):
        return gated_delta(call, sums, requests)
    if name.startswith("pseudo_v4"):
        return v4_attention(call, sums)
    at = (2, 3, 4) if name.endswith("paged_attention_ragged") else (0, 1, 2)
    q, k = call.tensor(at[0], 3), call.tensor(at[1], 3)
    heads, d = q.dims[1:3]
    kv_heads, v = k.dims[-2], k.dims[-1]
    e = SIZES.get(q.type, 2)
    e_kv = SIZES.get(short_type(call.context.get("kv_cache_type")) or k.type, e)
    quality, window, latent = "average_case", None, False
    if name.endswith("ragged"):
        v, e_kv = call.tensor(at[2], 3).dims[-1], e
    elif name in ("aiter::fmha_v3_varlen_fwd", "aiter::mha_batch_prefill"):
        v = call.tensor(at[2], 1).dims[-1]
        if name.endswith("batch_prefill") and call.whole(13) is not None:
            quality = "exact"  # the window stands there: -1 is none
    elif name == "pseudo_mla_prefill_fwd" and call.find(2):
        v = call.find(2).dims[-1]
    elif name in ("pseudo_mla_decode_fwd", "pseudo_mla_prefill_fwd"):
        latent, v = True, d - 64 if d == 576 else v
    elif "tilelang" in name:
        v = call.whole(4, 512)
    elif name == "aiter::pa_decode_gluon":
        kv_heads, v, quality = call.tensor(2, 2).dims[1], d, "exact"
        e_kv = SIZES.get(call.raw(2).type, e)
        window = call.whole(19)
        sums.update(dict.fromkeys(["c_sq", "c_sk", "c_sqsq", "c_sqsk"], 0))
    flops, moved = served_attention(sums, heads, kv_heads, d, v, e, e_kv, window, latent)
    return Figures(flops, Bytes(moved), *matrix(q.type), quality)


def short_type(name):
    return {"c10::Float8_e4m3fnuz": "f8z", "c10::Float8_e4m3fn": "f8n", "c10::BFloat16": "bf16", "c10::Half": "f16",
            "c10::Float8_e5m2": "f8e5", "unsigned char": "u8"}.get(name or "")


def v4_attention(call, sums):
    chosen, window, heads = SERVED_MODELS["pro" if "pro" in call.context.get("served_model", "").lower() else ""]
    heads = call.context.get("query_heads", heads)
    sums.update(dict.fromkeys(["c_sq", "c_sk", "c_sqsq", "c_sqsk"], 0))
    mean = Fraction(sums["g_sk"], sums["g_sq"]) if sums["g_sq"] else 0
    if call.name.endswith("csa"):
        window += min(ceil(mean / 4), chosen) if mean else chosen
    elif call.name.endswith("hca"):
        window += ceil(mean / 128)
    flops, moved = served_attention(sums, heads, 1, 512, 512, 2, 2, window, latent=True)
    # Those that choose keys go by the mean length of the requests, which no trace has one by one.
    return Figures(flops, Bytes(moved), "matrix", "bf16", "exact" if call.name.endswith("swa") else "average_case")


def gated_delta(call, sums, requests):
    """A state of H_V x d x v is read and written once a request."""
    x, v = call.tensor(0, 2), call.tensor(3, 3).dims[2]
    heads = call.tensor(1, 2).dims[1]
    d = ((x.dims[1] - heads * v) // 2) // (heads // 2)
    n, e = sums["c_sq"] + sums["g_sq"], size_of(x.type)
    states = requests if requests is not None else sums["g_sq"]
    return Figures(7 * n * heads * v * d, Bytes(e * n * heads * (d + 2 * v + 2) + 2 * states * heads * d * v * e),
                   *matrix(x.type), "lower_bound" if sums["c_sq"] else "exact")
