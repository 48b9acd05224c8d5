"""Rotary embeddings, caches, losses, quantisation, state spaces, generated kernels, collectives, hyper-connections."""
import json
import re
from fractions import Fraction
from math import prod
from pathlib import Path

from .calls import SIZES, Bytes, Figures, Missing, Operand, fits, matrix, up, vector
from .normalization import whole_part


def rope(call):
    def size(at, otherwise=2):
        return SIZES.get(call.raw(at).type, otherwise)

    if call.name == "FusedRoPEFunc":
        n, kind = call.tensor(0, 4).elements(), 0
    elif call.name.endswith("2c_fwd_impl"):
        n, kind = call.tensor(2).elements() + call.tensor(3).elements(), 0
    elif call.name.endswith("rotary_embedding"):
        q, k = call.tensor(1, 2), call.tensor(2, 2)
        head = call.whole(3, q.dims[-1])
        turned = call.find(4).dims[1] if call.find(4) else head
        n, kind = q.dims[0] * (q.dims[1] // head + k.dims[1] // head) * turned, 1
    else:
        (t, heads, latent), turned = call.tensor(0, 3).dims, call.tensor(1, 3).dims[2]
        fp8 = "concat" in call.name
        kv_heads = 1 if fp8 else call.tensor(2, 3).dims[1]
        read = size(0)
        written, cached = size(5, read) if fp8 else read, size(4, read)
        width = latent + turned
        moved = t * heads * width * read + t * kv_heads * width * (read + cached) + t * heads * width * written
        return Figures(3 * t * turned * (heads + kv_heads), Bytes(moved), *vector(call.raw(0).type))
    return Figures(3 * n, Bytes(2 * n * size(kind)), *vector(call.raw(kind).type))


def store_cache(call):
    x = call.tensor(0)
    return Figures(0, Bytes(4 * x.elements() * SIZES.get(x.type, 2)), *vector(x.type))


def cross_entropy(call):
    x = call.tensor(0, 1)
    words = x.dims[-1]
    rows = whole_part(x.elements(), words)
    return Figures(5 * rows * words, Bytes(x.elements() * SIZES.get(x.type, 2) + 12 * rows), *vector(x.type))


def scaled_quant(call):
    out, x, scales = call.tensor(0), call.tensor(1), call.tensor(2)
    return Figures(Fraction(259375, 100000) * out.elements(), Bytes(out, x, scales), *vector(x.type))


def group_quant(call):
    x = call.tensor(0, 1)
    m, n = x.dims if len(x.dims) == 2 else (1, x.dims[0])
    return Figures(6 * m * n, Bytes(x, m * n + 4 * m * max(1, up(n, call.whole(1, 128)))), *vector(x.type))


def mxfp4_quant(call):
    at = 2 if "moe_sort" in call.name else 1 if "per_group" in call.name else 0
    x = call.tensor(at)
    n = x.elements()
    return Figures(2 * n, Bytes(x, Fraction(n, 2) + n // 32), *vector(x.type))


def causal_convolution(call):
    x, w = call.tensor(0, 3), call.tensor(1, 2)
    (b, c, length), k, e = x.dims, w.dims[1], SIZES.get(x.type, 2)
    return Figures(2 * b * c * length * k, Bytes((2 * b * c * length + c * k + (c if call.find(2) else 0)) * e),
                   *vector(x.type))


def mamba(call, times=1):
    x = call.tensor(0, 3)
    (b, t, width), (cc, dc), heads = x.dims, call.tensor(1, 2).dims, call.tensor(3, 1).dims[0]
    chunk, p, groups = call.whole(6, 128), call.whole(15, 64), call.whole(16, 1)
    inner = heads * p
    rest = width - 2 * inner - heads
    fits(rest > 0 and rest % (2 * groups) == 0)
    state, e = rest // (2 * groups), SIZES.get(x.type, 2)
    flops = (2 * b * cc * t * dc + 2 * b * groups * t * chunk * state + 2 * b * heads * t * chunk * p
             + 4 * b * heads * t * state * p)
    per_head = [SIZES.get(call.raw(at).type, otherwise) for at, otherwise in ((3, 4), (4, 4), (5, e))]
    moved = b * t * width * e + cc * dc * e + cc * e + heads * sum(per_head) + b * t * inner * e
    return Figures(times * flops, Bytes(times * moved), *matrix(x.type), "exact" if times == 1 else "average_case")


def backward_of_mamba(call):
    return mamba(call, 2)


ROOT = Path(__file__).resolve().parents[3]
INDUCTOR = json.loads((ROOT / "core/perf_model/inductor_operators.json").read_text())


def fused_names(kernel):
    """Of several ways to cut the name, the one whose last names are longest."""
    found = re.fullmatch(r"triton_(?:poi|red|per)_fused_(.*)_\d+", kernel)
    parts, known = (found.group(1).split("_") if found else []), set(INDUCTOR["names"])
    ways = {0: []}
    for end in range(1, len(parts) + 1):
        for begin in range(end):
            name = "_".join(parts[begin:end])
            if begin in ways and name in known and end not in ways:
                ways[end] = ways[begin] + [name]
    return ways.get(len(parts), []) if parts else []


def generated(call):
    pointers = [part for part in call.operands if part.dims and part.type != "scalar"]
    if not pointers:
        raise Missing("argument_not_recorded")
    scalars = [int(text) for _, text in sorted(call.literals.items(), key=lambda item: int(item[0]))
               if re.fullmatch(r"\d+", text)]
    counts = [part.elements() for part in pointers]
    candidates = [prod(scalars[-2:])] if len(scalars) >= 2 else []
    pointwise = call.name.startswith("triton_poi_")
    if pointwise:
        candidates = scalars[-1:] + candidates
    elements = next((count for count in candidates if count in counts), max(counts))
    names = fused_names(call.name)
    flops = elements * sum(INDUCTOR["operations_per_element"].get(name, 0) for name in names)
    moved = Bytes(*((min(part.stored(), elements) if pointwise else part.stored(), part.type) for part in pointers))
    quality = "exact"
    inputs = 1 + sum(name in ("add", "sub", "mul", "div") for name in names)
    if pointwise and len(pointers) > 1 and len(pointers) == inputs:
        largest = max(pointers, key=Operand.elements)
        moved.add((min(largest.stored(), elements), largest.type))
        quality = "lower_bound"
    return Figures(flops, moved, *vector(pointers[0].type), quality)


def collective(call):
    name, flops, moved = call.name.split("::")[1], 0, Bytes()
    if name.startswith("fused_allreduce_rmsnorm"):
        at, weight = (0, 2) if name.endswith("_") else (2, 6)
        x, c = call.tensor(at), call.tensor(weight, 1).dims[0]
        n = x.elements()
        flops = n + n // c * (2 * c + 2) + 2 * n
        moved = Bytes((4 * n + c, x.type))
    elif "all_reduce" in name:
        x = call.tensor(1)
        moved = Bytes((2 * x.elements(), x.type))
    else:
        first = 0 if name == "reg_all_gather_into_tensor" else 1
        kind = call.raw(first).type
        moved = Bytes(*((call.tensor(at).elements(), kind) for at in (first, first + 1)))
    return Figures(flops, moved, "none", None)


def hyper_connections(call):
    def dims(at, rank):
        return call.tensor(at, rank).dims

    name = call.name.split("::")[1]
    if name == "mhc_post":
        (m, c), n, kind = dims(1, 2), dims(0, 2)[1], call.raw(1).type
        e = SIZES.get(kind, 2)
        return Figures(2 * m * n * c * (n + 1), Bytes(m * c * e + 2 * m * n * c * e + 4 * m * n + 4 * m * n * n),
                       *vector(kind))
    if name == "mhc_pre_gemm_sqrsum":
        (m, n, c), (h, k), s, kind = dims(2, 3), dims(3, 2), dims(0, 1)[0], call.raw(2).type
        e = SIZES.get(kind, 2)
        return Figures(2 * m * h * k, Bytes(m * n * c * e + 4 * h * k + 4 * s * m * h + 4 * s * m), *matrix(kind))
    if name == "mhc_pre_big_fuse_rmsnorm":
        (m, c), n, h, s, kind = dims(2, 2), dims(0, 2)[1], dims(6, 1)[0], dims(3, 1)[0], call.raw(7).type
        e = SIZES.get(kind, 2)
        moved = m * n * c * e + 4 * s * m * h + c * e + m * c * e + 4 * m * n + 4 * m * n * n
        return Figures(2 * m * c * n + 5 * m * c, Bytes(moved), *vector(kind))
    (m, c), n, (h, k), s, kind = dims(3, 2), dims(2, 2)[1], dims(7, 2), dims(0, 1)[0], call.raw(3).type
    e = SIZES.get(kind, 2)
    moved = m * c * e + 3 * m * n * c * e + 4 * m * n + 4 * m * n * n + 4 * h * k + 4 * s * m * h + 4 * s * m
    return Figures(2 * m * n * c * (n + 1) + 2 * m * h * k, Bytes(moved), *matrix(kind))
