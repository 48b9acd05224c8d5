#!/usr/bin/env python3
"""Derives what models must say of calls once more, in plain Python with whole numbers and fractions: expectations that
the program did not make. Holds tests/unit/perf_model/model_cases.json to them, row by row, so that a row that was
edited by hand or copied from the program's output does not pass for a check.

usage: derive_models.py [--write] [CASES]

Says for each row whether its flops, bytes_moved, compute_spec, quality and gap are those derived here; exit status 1
where one is not. --write puts the derived ones into the rows instead. Inputs, `reference` and `defect` are never
touched; but without a difference a row may not have them.

One function a family. Each reads its operands by position, as the operators' signatures have them, and returns a
Figures, or raises Missing with the gap. An operand is read by what lies in memory: dimensions of stride 0 count once.
"""
import argparse
import json
import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, prod
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/unit/perf_model/model_cases.json"

SIZES = {"bf16": 2, "f16": 2, "f32": 4, "f64": 8, "i32": 4, "i64": 8, "i8": 1, "u8": 1, "u32": 4, "bool": 1,
         "f8z": 1, "f8n": 1, "f8e5": 1, "e8": 1, "f4x2": 1, "scalar": 4}
PRECISIONS = {"bf16": "bf16", "f16": "fp16", "f32": "fp32", "f64": "fp64", "i8": "int8", "u8": "int8",
              "f8z": "fp8", "f8n": "fp8", "f8e5": "fp8", "f4x2": "fp4"}
SCALAR_TYPES = {0: "u8", 1: "i8", 3: "i32", 4: "i64", 5: "f16", 6: "f32", 7: "f64", 11: "bool", 15: "bf16",
                23: "f8e5", 24: "f8n", 26: "f8z"}
INTEGERS = {"i32", "i64", "i8", "u8", "u32", "bool"}


class Missing(Exception):
    """A figure that cannot be given; the text is the gap."""


@dataclass
class Operand:
    type: str = ""
    dims: list = field(default_factory=list)
    strides: list | None = None
    items: list = field(default_factory=list)

    def is_tensor(self):
        return bool(self.dims) or (self.type not in ("", "scalar") and not self.items)

    def elements(self):
        return prod(self.dims)

    def stored(self):
        if self.strides is None:
            return self.elements()
        return prod(n for n, stride in zip(self.dims, self.strides) if stride != 0 or n == 0)


def operand_in(text):
    found = re.fullmatch(r"([a-z0-9]*)((?:\(.*\)|\[.*\])?)(?:/(\[.*\]))?", text)
    kind, shape, strides = found.groups()
    dims = json.loads(shape.replace("(", "[").replace(")", "]")) if shape else []
    if dims and isinstance(dims[0], list):
        return Operand(kind, [], None, dims)
    return Operand(kind, dims, json.loads(strides) if strides else None)


class Call:
    def __init__(self, row):
        self.name = row["operator"]
        self.operands = [operand_in(text) for text in row["operands"]]
        self.literals = row.get("literals", {})
        self.context = row.get("context", {})

    def raw(self, at):
        return self.operands[at] if at < len(self.operands) else Operand()

    def find(self, *positions):
        """The first that is a tensor; None without."""
        return next((self.raw(at) for at in positions if self.raw(at).is_tensor()), None)

    def tensor(self, at, rank=0):
        found = self.find(at)
        if found is None:
            raise Missing("argument_not_recorded")
        if len(found.dims) < rank or any(size < 0 for size in found.dims):
            raise Missing("shape_not_fitting")
        return found

    def text(self, at):
        return self.literals.get(str(at), "").strip()

    def truth(self, at, otherwise=None):
        return {"true": True, "1": True, "false": False, "0": False}.get(self.text(at).lower(), otherwise)

    def whole(self, at, otherwise=None):
        return int(self.text(at)) if re.fullmatch(r"-?\d+", self.text(at)) else otherwise

    def needed_whole(self, at):
        if self.text(at) == "":
            raise Missing("argument_not_recorded")
        if self.whole(at) is None:
            raise Missing("literal_not_fitting")
        return self.whole(at)

    def number(self, at):
        try:
            return Fraction(self.text(at).rstrip(".") or "x")
        except ValueError:
            return None

    def is_list(self, at):
        return self.text(at)[:1] in "[(" and self.text(at) != ""

    def items(self, at):
        return [item.strip() for item in self.text(at).strip("[]()").split(",") if item.strip()]

    def wholes(self, at):
        if self.text(at) == "":
            return None
        if not all(re.fullmatch(r"-?\d+", item) for item in self.items(at)):
            raise Missing("literal_not_fitting")
        return [int(item) for item in self.items(at)]

    def mask(self, at, length):
        if not self.is_list(at):
            return [True] * length
        return [item.lower() == "true" for item in self.items(at)] + [True] * (length - len(self.items(at)))


@dataclass
class Figures:
    flops: object
    moved: "Bytes"
    unit: str
    precision: str | None
    quality: str = "exact"


class Bytes:
    """A sum that an unknown element size makes unknown."""

    def __init__(self, *parts):
        self.total, self.known = Fraction(0), True
        for part in parts:
            self.add(part)

    def add(self, part):
        """An operand, None, a pair of elements and type, or a number of bytes."""
        if part is None:
            return
        if isinstance(part, Operand):
            part = (part.stored(), part.type)
        if isinstance(part, tuple):
            elements, kind = part
            if elements and kind not in SIZES:
                self.known = False
                return
            part = elements * SIZES.get(kind, 0)
        self.total += part


def fits(condition):
    if not condition:
        raise Missing("shape_not_fitting")


def size_of(kind):
    if kind not in SIZES:
        raise Missing("element_type_unknown")
    return SIZES[kind]


def matrix(kind):
    return "matrix", PRECISIONS.get(kind)


def vector(kind):
    return "vector", PRECISIONS.get(kind)


def up(numerator, denominator):
    return -(-numerator // denominator)


# --- matrix products --------------------------------------------------------------------------------------------------

def narrow_result(kind):
    """Products of one-byte types are written in two bytes unless something says otherwise."""
    return "bf16" if SIZES.get(kind) == 1 else kind


def product(m, n, k, parts, precision, quality="exact", batch=1, extra=0):
    return Figures(batch * (2 * m * n * k) + extra, Bytes(*parts), "matrix", precision, quality)


def scales_quality(call, *positions):
    """Scale tensors of more than one element without a stated block are not counted."""
    return "lower_bound" if any(call.raw(at).elements() > 1 for at in positions if call.find(at)) else "exact"


def mm(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    fits(len(a.dims) == 2 and len(b.dims) == 2 and a.dims[1] == b.dims[0])
    m, k, n = *a.dims, b.dims[1]
    out = call.find(2)
    return product(m, n, k, [a, b, out or (m * n, a.type)], PRECISIONS.get(a.type))


def addmm(call):
    addend, a, b = call.find(0), call.tensor(1, 2), call.tensor(2, 2)
    batch = a.dims[0] if call.name == "aten::baddbmm" else 1
    m, k, n = a.dims[-2], a.dims[-1], b.dims[-1]
    fits(b.dims[-2] == k)
    reads = addend is not None and call.number(3) != 0
    return product(m, n, k, [a, b, (batch * m * n, a.type), addend if reads else None], PRECISIONS.get(a.type),
                   batch=batch, extra=batch * m * n if reads else 0)


def bmm(call):
    a, b = call.tensor(0, 3), call.tensor(1, 3)
    batch, m, k = a.dims
    n = b.dims[2]
    fits(b.dims[:2] == [batch, k])
    return product(m, n, k, [a, b, (batch * m * n, a.type)], PRECISIONS.get(a.type), batch=batch)


def scaled_mm(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, k, n = *a.dims, b.dims[1]
    fits(b.dims[0] == k)
    places = (4, 2) if call.name == "aten::_scaled_mm" else (4,)
    bias = next((call.find(at) for at in places if call.find(at) and call.find(at).dims == [n]), None)
    out_type = SCALAR_TYPES.get(call.whole(6 if call.name == "aten::_scaled_mm" else 5), narrow_result(a.type))
    scales = [at for at in (2, 3) if call.raw(at) is not bias]
    return product(m, n, k, [a, b, (m * n, out_type), bias], PRECISIONS.get(a.type), scales_quality(call, *scales),
                   extra=m * n if bias else 0)


def int8_linear(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, k = a.dims
    fits(k in b.dims)
    n = b.dims[0] if b.dims[1] == k else b.dims[1]
    return product(m, n, k, [a, b, (m * n, "i32")], "int8")


def dynamic_quant(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, k, n = *a.dims, b.dims[0]
    return product(m, n, k, [a, b, (m * n, a.type)], "fp4", "lower_bound")


def te_gemm(call):
    a, b = call.tensor(0, 2), call.tensor(5, 2)
    m, k = a.dims if call.text(4) == "1" else a.dims[::-1]
    n = b.dims[1] if call.text(9) == "1" else b.dims[0]
    bias = call.find(18) if call.text(14) not in ("",) else None
    out = call.raw(10)
    return product(m, n, k, [a, b, (m * n, out.type or a.type), (n, bias.type) if bias else None],
                   PRECISIONS.get(a.type), extra=m * n if bias else 0)


def te_linear(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, k, n = *a.dims, b.dims[1]
    fits(b.dims[0] == k)
    return product(m, n, k, [a, b, (m * n, "bf16")], PRECISIONS.get(a.type))


def hipblaslt(call):
    """transC: the product is (B^T A^T)^T, so the operands change places and turn."""
    a, b = call.tensor(0, 2), call.tensor(2, 2)
    turn_a, turn_b, turn_c = (call.truth(at, False) for at in (5, 6, 7))
    left, right = a, b
    if turn_c:
        left, right, turn_a, turn_b = b, a, not turn_b, not turn_a
    m, k = left.dims[::-1] if turn_a else left.dims
    n = right.dims[0] if turn_b else right.dims[1]
    fits(k == (right.dims[1] if turn_b else right.dims[0]))
    out_type = SCALAR_TYPES.get(call.whole(4))
    if call.name.endswith("fp8"):
        return product(m, n, k, [a, b, (m * n, out_type or narrow_result(a.type))], PRECISIONS.get(a.type),
                       scales_quality(call, 1, 3))
    k *= 2
    scale_bytes = [SIZES.get(call.raw(at).type, 1) for at in (1, 3)]
    blocks = m * up(k, 32) * scale_bytes[0] + n * up(k, 32) * scale_bytes[1]
    return product(m, n, k, [a, b, blocks, (m * n, out_type or "bf16")], PRECISIONS.get(a.type))


def a4w4(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, k, n = a.dims[0], 2 * a.dims[1], b.dims[0]
    scale_bytes = [SIZES.get(call.raw(at).type, 1) for at in (2, 3)]
    blocks = m * up(k, 32) * scale_bytes[0] + n * up(k, 32) * scale_bytes[1]
    return product(m, n, k, [a, b, blocks, (m * n, "bf16")], "fp4")


def weights_by_rows(call):
    """A [M,K] and a weight [N,K]; they differ in bias, and in where the result stands."""
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, k, n = *a.dims, b.dims[0]
    fits(b.dims[1] == k)
    bias, out, quality = None, None, "exact"
    if call.name in ("aiter::gemm_a16w16", "vllm::rocm_unquantized_gemm"):
        bias = call.find(2)
        out_type = a.type if call.name == "aiter::gemm_a16w16" else (bias or b).type
    elif call.name == "aiter::_gemm_a16w16_asm":
        out, out_type = call.find(2), a.type
    elif "a16w16_atomic" in call.name or "hgemm" in call.name:
        out, out_type = call.find(3), "bf16"
    else:
        out, out_type, quality = call.find(4), "bf16", scales_quality(call, 2, 3)
    return product(m, n, k, [a, b, (m * n, out.type if out else out_type), (n, bias.type) if bias else None],
                   PRECISIONS.get(a.type), quality, extra=m * n if bias else 0)


def batched_a16wfp4(call):
    a, b = call.tensor(0, 3), call.tensor(1, 3)
    batch, m, k = a.dims
    n = b.dims[1]
    return product(m, n, k, [a, Fraction(batch * n * k, 2), (batch * m * n, "bf16")], "fp4", batch=batch)


def batched_a8w8(call):
    a, b = call.tensor(0, 3), call.tensor(1, 3)
    batch, n, k = b.dims[0], b.dims[1], a.dims[2]
    m = a.dims[1] if a.dims[0] == batch else a.dims[0]
    return product(m, n, k, [a, b, (batch * m * n, "bf16")], PRECISIONS.get(b.type), batch=batch)


def afp4wfp4(call):
    a, b = call.tensor(0, 2), call.tensor(1, 2)
    m, n, k = a.dims[0], b.dims[0], 2 * a.dims[1]
    out = call.find(5)
    return product(m, n, k, [Fraction(m * k, 2), Fraction(n * k, 2), (m * n, out.type if out else "bf16")], "fp4")


def grouped(call):
    a, b = call.raw(0), call.raw(1)
    if a.items:
        pairs = [(rows, inner, b_cols) for (rows, inner), (b_rows, b_cols) in zip(a.items, b.items)]
        if "variable_k" in call.name:
            fits(all(left[1] == right[0] for left, right in zip(a.items, b.items)))
            return grouped_pairs(pairs, a.type)
        m, k, n = sum(pair[0] for pair in pairs), pairs[0][1], pairs[0][2]
        fits({pair[1:] for pair in pairs} == {(k, n)})
        groups = len(pairs)
        weights = (groups * k * n, b.type)
    else:
        a, b = call.tensor(0, 2), call.tensor(1, 2)
        if "variable_k" in call.name:
            fits(a.dims[0] == b.dims[0])
            return grouped_pairs([(a.dims[0], a.dims[1], b.dims[1])], a.type)
        m, k = a.dims
        b = call.tensor(1, 3)
        fits(k in b.dims[1:])
        n = b.dims[2] if b.dims[1] == k else b.dims[1]
        weights = b
    operand = a if a.dims else (m * k, a.type)
    return product(m, n, k, [operand, weights, (m * n, narrow_result(a.type))], PRECISIONS.get(a.type))


def grouped_pairs(pairs, kind):
    moved = Bytes()
    for m, k, n in pairs:
        moved.add((m * k + k * n, kind))
        moved.add((m * n, narrow_result(kind)))
    return Figures(sum(2 * m * k * n for m, k, n in pairs), moved, *matrix(kind))


# --- convolution ------------------------------------------------------------------------------------------------------

def per_dimension(call, at, count, otherwise):
    found = call.wholes(at) or [otherwise]
    if len(found) == 1:
        found = found * count
    if len(found) != count:
        raise Missing("literal_not_fitting")
    return found


@dataclass
class Convolution:
    x: Operand
    w: Operand
    out: list
    transposed: bool

    def work(self):
        """Multiplications and additions of the forward pass; each half of the backward pass has as many."""
        base = self.x.elements() if self.transposed else prod(self.out)
        return 2 * prod(self.w.dims[1:]) * base


def convolution_shape(call, x, w, first):
    fits(3 <= len(x.dims) <= 5 and len(w.dims) == len(x.dims))
    spatial = len(x.dims) - 2
    stride, padding = per_dimension(call, first, spatial, 1), per_dimension(call, first + 1, spatial, 0)
    if call.name.startswith("ConvBias"):
        dilation, transposed, more, groups = [1] * spatial, False, [0] * spatial, 1
    else:
        dilation = per_dimension(call, first + 2, spatial, 1)
        transposed = call.truth(first + 3, False)
        more, groups = per_dimension(call, first + 4, spatial, 0), call.whole(first + 5, 1)
    sizes = []
    for size, kernel, s, p, d, o in zip(x.dims[2:], w.dims[2:], stride, padding, dilation, more):
        if transposed:
            sizes.append((size - 1) * s - 2 * p + d * (kernel - 1) + o + 1)
        else:
            if s == 0:
                raise Missing("literal_not_fitting")
            sizes.append((size + 2 * p - d * (kernel - 1) - 1) // s + 1)
    fits(all(size >= 0 for size in sizes))
    channels = w.dims[1] * groups if transposed else w.dims[0]
    return Convolution(x, w, [x.dims[0], channels, *sizes], transposed)


def convolution(call):
    x, w = call.tensor(0, 3), call.tensor(1, 3)
    shape = convolution_shape(call, x, w, 3)
    bias = call.find(2)
    has_bias = bias is not None or call.name.startswith("ConvBias")
    bias_type = bias.type if bias else x.type
    return Figures(shape.work() + (prod(shape.out) if has_bias else 0),
                   Bytes(x, w, (prod(shape.out), x.type), (shape.out[1], bias_type) if has_bias else None),
                   *matrix(x.type))


def convolution_gradients(shape, gradient, mask, has_bias):
    """Each of the three results reads the gradient anew."""
    flops, moved = 0, Bytes()
    for wanted in mask[:2]:
        if wanted:
            flops += shape.work()
            for part in (shape.x, shape.w, gradient):
                moved.add(part)
    if has_bias and mask[2]:
        flops += prod(shape.out)
        moved.add(gradient)
        moved.add((shape.out[1], shape.x.type))
    return Figures(flops, moved, *matrix(shape.x.type))


def convolution_backward(call):
    gradient, x, w = call.tensor(0, 3), call.tensor(1, 3), call.tensor(2, 3)
    shape = convolution_shape(call, x, w, 4)
    return convolution_gradients(shape, gradient, call.mask(10, 3), call.wholes(3) not in (None, [], [0]))


def backward_of_convolution(call):
    x, w = call.tensor(0, 3), call.tensor(1, 3)
    shape = convolution_shape(call, x, w, 3)
    has_bias = call.find(2) is not None or call.name.startswith("ConvBias")
    return convolution_gradients(shape, (prod(shape.out), x.type), [True] * 3, has_bias)


def convolution_backward_by_forward(call):
    if "forward" not in call.context:
        raise Missing("forward_call_not_found")
    return backward_of_convolution(Call(call.context["forward"]))


# --- attention of training --------------------------------------------------------------------------------------------

def reach(row, queries, keys, causal, left, right, top_left):
    """The first key that a query works on, and the one behind the last."""
    position = row if top_left else row + keys - queries
    begin = 0 if left < 0 else position - left
    end = position + 1 if causal else keys if right < 0 else position + right + 1
    begin, end = max(0, begin), min(keys, end)
    return begin, max(begin, end)


def pairs_of(queries, keys, causal=False, left=-1, right=-1, top_left=False):
    ranges = (reach(row, queries, keys, causal, left, right, top_left) for row in range(queries))
    return sum(end - begin for begin, end in ranges)


def keys_read(queries, keys, causal, left, right):
    if left < 0 and right < 0:
        return keys
    seen = set()
    for row in range(queries):
        seen.update(range(*reach(row, queries, keys, causal, left, right, False)))
    return len(seen)


@dataclass
class Attention:
    q: Operand
    k: Operand
    v: Operand
    order: str  # of the dimensions: bnhd, bhnd, nhd
    flash: bool = True
    causal: bool = False
    window: tuple = (-1, -1)
    top_left: bool = False
    masks: tuple = ()
    lengths: tuple = ()  # of packed sequences: how many of q and kv, longest of q and kv

    def sizes(self, operand):
        found = dict(zip(self.order, operand.dims))
        return found.get("b", 1), found["n"], found["h"], found["d"]

    def read(self):
        (b, nq, hq, d), (bk, nk, hk, dk), (bv, nv, hv, v) = map(self.sizes, (self.q, self.k, self.v))
        fits(b == bk == bv and nk == nv and hk == hv and d == dk)
        return b, nq, hq, nk, hk, d, v

    def split(self, nq, nk):
        """(times, queries, keys) of the calls that it is taken for."""
        if not self.lengths:
            return [(1, nq, nk)]
        count, count_kv, most_q, most_kv = self.lengths
        if count <= 1:
            return [(1, most_q, most_kv)]
        return [(1, most_q, most_kv),
                (count - 1, (nq - most_q) // (count - 1), (nk - most_kv) // max(1, count_kv - 1))]

    def pairs(self, queries, keys):
        return pairs_of(queries, keys, self.causal, *self.window, self.top_left)

    def quality(self):
        return "lower_bound" if self.lengths else "exact"

    def forward(self):
        b, nq, hq, nk, hk, d, v = self.read()
        flops = sum(times * 2 * b * hq * self.pairs(m, n) * (d + v) for times, m, n in self.split(nq, nk))
        moved = Bytes(self.q, (b * nq * hq * v, self.q.type), *self.masks)
        read = nk if self.lengths else keys_read(nq, nk, self.causal, *self.window)
        for operand in (self.k, self.v):
            moved.add((Fraction(operand.stored() * read, nk), operand.type))
        return Figures(flops, moved, *matrix(self.q.type), self.quality())

    def backward(self):
        b, nq, hq, nk, hk, d, v = self.read()
        flops = 0
        for times, m, n in self.split(nq, nk):
            pairs = self.pairs(m, n)
            flops += times * (b * hq * pairs * ((2 * d if self.flash else 0) + 4 * v + 4 * d)
                              + b * n * (d + v) * (hq - hk))
        twice = [part for part in (self.q, self.k, self.v) for _ in range(2)]
        return Figures(flops, Bytes(*twice, (b * nq * hq * v, self.q.type), *self.masks), *matrix(self.q.type),
                       self.quality())


def attention_in(call):
    """The call as Attention, and whether it is backward work."""
    name = call.name
    packed, first, causal, window = "varlen" in name, 0, False, ()
    options = {}
    if name in ("FlashAttnFunc", "flash_attn::_flash_attn_forward", "aiter::_flash_attn_forward", "aiter::mha_fwd",
                "aiter::fmha_v3_fwd"):
        causal, window = call.truth(5, False), (6, 7)
    elif name == "flash_attn::_flash_attn_backward":
        first = 1
        at = next((at for at in (10, 11) if call.truth(at) is not None), 11)
        causal, window = call.truth(at, True), (at + 1, at + 2)
    elif name == "flash_attn::_flash_attn_varlen_forward":
        causal, window, lengths = call.truth(9, False), (10, 11), (3, 4, 5, 6)
    elif name == "flash_attn::_flash_attn_varlen_backward":
        first, causal, window, lengths = 1, call.truth(15, False), (16, 17), (9, 10, 11, 12)
    elif name == "aiter::_flash_attn_backward":
        first, causal = 1, call.truth(12, False)
    elif name == "aiter::mha_bwd":
        first, causal = 1, call.truth(8, False)
    elif name == "aiter::wrapper_fmha_v3_fwd":
        first, causal = 1, call.truth(6, False)
    elif name == "aiter::wrapper_fmha_v3_bwd":
        first, causal = 1, call.truth(9, False)
    elif name == "flash_attn_3::fwd":
        causal, window = call.truth(24, False), (25, 26)
    elif name == "aten::_scaled_dot_product_flash_attention":
        causal, options = call.truth(4, False), {"order": "bhnd"}
    elif name.startswith("aten::_scaled_dot_product"):
        causal = call.truth(6, False)
        options = {"order": "bhnd", "flash": False, "top_left": True, "masks": (call.find(3),)}
    elif name == "EvoformerAttention":
        q, k, v = (call.tensor(at, 5) for at in range(3))
        joined = [Operand(part.type, [part.dims[0] * part.dims[1], *part.dims[2:]]) for part in (q, k, v)]
        return Attention(*joined, "bnhd", False, masks=(call.find(3), call.find(4)))
    rank = 3 if packed else 4
    q, k, v = (call.tensor(first + at, rank) for at in range(3))
    if packed:
        count_q, count_kv = (call.tensor(at, 1).dims[0] - 1 for at in lengths[:2])
        options["lengths"] = (count_q, count_kv, *(call.needed_whole(at) for at in lengths[2:]))
    sides = tuple(call.whole(at, -1) for at in window) or (-1, -1)
    return Attention(q, k, v, options.pop("order", "nhd" if packed else "bnhd"), causal=causal, window=sides, **options)


def attention(call):
    found = attention_in(call)
    return found.backward() if "backward" in call.name or call.name.endswith("_bwd") else found.forward()


def backward_of_attention(call):
    return attention_in(call).backward()


# --- elementwise ------------------------------------------------------------------------------------------------------

def broadcast(left, right):
    length = max(len(left), len(right))
    left, right = ([1] * (length - len(dims)) + dims for dims in (left, right))
    fits(all(a == b or 1 in (a, b) for a, b in zip(left, right)))
    return [b if a == 1 else a for a, b in zip(left, right)]


def unary(call):
    x = call.tensor(0)
    short = call.name.removeprefix("aten::").rstrip("_")
    if short == "copy":
        source = call.tensor(1)
        return Figures(0, Bytes(source, (x.elements(), x.type)), *vector(source.type))
    other = call.find(1) if short in ("pow", "clamp_min", "clamp_max") else None
    out = call.find(2 if short in ("pow", "clamp_min", "clamp_max") else 1)
    n = prod(broadcast(x.dims, other.dims) if other else x.dims)
    return Figures(n, Bytes(x, other, (n, out.type if out else x.type)), *vector(x.type))


def binary(call):
    x, y = call.raw(0), call.raw(1)
    if len(call.operands) < 2:
        raise Missing("argument_not_recorded")
    shape = broadcast(x.dims, y.dims)
    out = call.find(2) if call.name not in ("aten::sigmoid_backward", "LigerSiLUMulFunction") else None
    if call.name.endswith("_"):
        kind = x.type
    elif out:
        kind = out.type
    elif call.name == "aten::div" and {x.type, y.type} <= INTEGERS:
        kind = "f32"
    elif bool(x.dims) == bool(y.dims):
        kind = max((x.type, y.type), key=lambda kind: SIZES.get(kind, 0))
    else:
        kind = (x if x.dims else y).type
    return Figures(prod(shape), Bytes(x, y, (prod(shape), kind)), *vector(x.type))


def padded(call):
    x, padding = call.tensor(0), call.wholes(1)
    if padding is None:
        raise Missing("argument_not_recorded")
    out = list(x.dims)
    fits(len(padding) <= 2 * len(out))
    for at in range(len(padding) // 2):
        out[-1 - at] += padding[2 * at] + padding[2 * at + 1]
    return Figures(prod(out), Bytes(x, (prod(out), x.type)), *vector(x.type))


def upsampled(call):
    x = call.tensor(0, 3)
    sizes = call.wholes(1)
    if not sizes:
        if not call.is_list(2):
            raise Missing("argument_not_recorded")
        sizes = [floor(size * Fraction(item.rstrip("."))) for size, item in zip(x.dims[2:], call.items(2))]
    fits(len(sizes) == len(x.dims) - 2)
    n = prod(x.dims[:2]) * prod(sizes)
    return Figures(n, Bytes(x, (n, x.type)), *vector(x.type))


def gated(call):
    out, x = call.tensor(0), call.tensor(1)
    cost = {"silu_and_mul": 5, "gelu_and_mul": 8, "gelu_tanh_and_mul": 10}[call.name.split("::")[1]]
    n = out.elements()
    return Figures(cost * n, Bytes((2 * n, x.type), (n, out.type)), *vector(x.type))


def quantize_fp8(call):
    x = call.tensor(0)
    return Figures(x.elements(), Bytes(x, x.elements()), *vector(x.type))


def quantize_dual(call):
    x = call.tensor(0, 2)
    m, n = x.dims
    return Figures(m * n, Bytes(x, 2 * up(m * n, 2) + m * up(n, 32) + n * up(m, 32)), *vector(x.type))


def sampler(call):
    logits, noise = call.tensor(1, 2), call.tensor(2)
    rows, words = logits.dims
    return Figures(2 * rows * words, Bytes((rows * words, logits.type), (rows * words, noise.type), 4 * rows),
                   *vector(logits.type))


# --- reductions -------------------------------------------------------------------------------------------------------

def reduction(call):
    x = call.tensor(0)
    short = call.name.removeprefix("aten::")
    n, kind = x.elements(), x.type
    if short in ("sum", "cumsum", "cumprod") and kind in INTEGERS:
        kind = "i64"
    if short in ("cumsum", "cumprod"):
        kind = SCALAR_TYPES.get(call.whole(2), kind)
        return Figures(n, Bytes(x, (n, kind)), *vector(x.type))
    if short in ("max", "min"):
        other = call.find(1)
        if other:
            m = prod(broadcast(x.dims, other.dims))
            wider = max((x.type, other.type), key=lambda kind: SIZES.get(kind, 0))
            return Figures(m, Bytes(x, other, (m, wider)), *vector(x.type))
        dims = None if call.text(1) == "" else [call.needed_whole(1)]
    else:
        at = 2 if "norm" in short else 1
        dims = call.wholes(at) if call.is_list(at) else None
        if short in ("sum", "mean"):
            overload = call.whole(1) if not call.is_list(1) else None
            kind = SCALAR_TYPES.get(call.whole(3), SCALAR_TYPES.get(overload, kind))
    if not dims:
        kept = 1
    else:
        rank = len(x.dims)
        if any(not -rank <= dim < rank for dim in dims) or len({dim % rank for dim in dims}) < len(dims):
            raise Missing("literal_not_fitting")
        kept = prod(size for at, size in enumerate(x.dims) if at not in {dim % rank for dim in dims})
    moved = Bytes(x, (kept, kind))
    if short in ("max", "min") and dims:
        moved.add(8 * kept)
    return Figures(n, moved, *vector(x.type))


# --- normalisation ----------------------------------------------------------------------------------------------------

def whole_part(elements, parts):
    fits(parts > 0 and elements % parts == 0)
    return elements // parts


def normalization(call):
    x = call.tensor(0, 2)
    short = re.sub("^(native_|miopen_|cudnn_)", "", call.name.removeprefix("aten::"))
    n, bi, training = x.elements(), size_of(x.type), True
    weight_at, bias_at, running = 2, 3, False
    channels = x.dims[1]
    if short in ("batch_norm", "instance_norm"):
        weight_at, bias_at = 1, 2
        training = call.truth(5, False)
        running = training and call.find(3) is not None and call.find(4) is not None
        statistics = channels if short == "batch_norm" else x.dims[0] * channels
    elif short == "layer_norm":
        channels = prod(call.wholes(1) or [])
        statistics = whole_part(n, channels)
    else:
        groups_at = 1
        if call.name == "aten::native_group_norm":
            weight_at, bias_at, groups_at = 1, 2, 6
        statistics = x.dims[0] * call.needed_whole(groups_at)
    vectors = sum(call.find(at) is not None for at in (weight_at, bias_at)) + (2 if running else 0)
    return Figures(6 * statistics + 2 * n + (3 * n if training else 0),
                   Bytes(2 * n * bi + 2 * statistics * bi + vectors * channels * bi), *vector(x.type))


def normalization_backward(call):
    vendor = "miopen" in call.name or "cudnn" in call.name
    short = re.sub("^(native_|miopen_|cudnn_)", "", call.name.removeprefix("aten::"))
    if short == "instance_norm_backward":
        raise Missing("not_modelled")
    gradient, x = call.tensor(0, 2), call.tensor(1, 2)
    if vendor and short == "batch_norm_backward":
        gradient, x = x, gradient
    n, bi, bo, training = x.elements(), size_of(x.type), size_of(gradient.type), True
    if short == "batch_norm_backward":
        weight, mask = call.find(2), call.mask(9, 3)
        training = vendor or call.truth(7, False)
        channels = statistics = x.dims[1]
        if vendor:
            mask = [True] * 3
    elif short == "layer_norm_backward":
        weight, mask, channels = call.find(5), call.mask(7, 3), prod(call.wholes(2) or [])
        statistics = whole_part(n, channels)
    else:
        weight, mask, channels = call.find(4), call.mask(9, 3), x.dims[1]
        statistics = x.dims[0] * call.needed_whole(8)
    flops = 4 * n + ((5 * n if training else 0) if mask[0] else 2 * n) + (0 if training else 3 * channels)
    moved = n * bo + n * bi * (2 if mask[0] and training else 1) + (statistics * bi if training else 0)
    if weight:
        moved += channels * bi * (1 + (mask[1] + mask[2] if training else 0))
    return Figures(flops, Bytes(moved), *vector(x.type))


def rms(call):
    x, weight = call.tensor(0), call.find(2)
    n, c, bi = x.elements(), prod(call.wholes(1) or []), size_of(x.type)
    s = whole_part(n, c)
    return Figures(s * (2 * c + 2) + n * (2 if weight else 1),
                   Bytes(2 * n * bi + s * bi + (c * bi if weight else 0)), *vector(x.type))


def rms_backward(call):
    gradient, x, weight = call.tensor(0), call.tensor(1), call.find(4)
    n, c, bi, bo = x.elements(), prod(call.wholes(2) or []), size_of(x.type), size_of(gradient.type)
    s, mask = whole_part(n, c), call.mask(5, 2)
    flops = (n if weight else 0) + n + (6 * n if mask[0] else 0)
    if mask[1] and weight:
        flops += n + (n if s > 1 else 0)
    moved = n * bo + 2 * n * bi + s * bi + (c * bi * (2 if mask[1] else 1) if weight else 0)
    return Figures(flops, Bytes(moved), *vector(x.type))


def modulated(call):
    is_backward = call.name.endswith("backward")
    x = call.tensor(0, 3)
    t, b, h = x.dims
    n, bi, k = x.elements(), size_of(x.type), 3 if is_backward else 2
    return Figures((15 if is_backward else 12) * n, Bytes(k * n * bi + k * b * h * bi + 8 * t * b), *vector(x.type))


def inference_rms(call):
    short = call.name.split("::")[1]
    at = {"rms_norm": (0, 1), "rmsnorm2d_fwd_ck": (0, 1), "rmsnorm": (1, 2), "rmsnorm2d_fwd_with_add_ck": (1, 4),
          "add_rmsnorm": (1, 4), "rmsnorm2d_fwd_with_dynamicquant_ck": (1, 3), "rmsnorm_quant": (1, 3),
          "rocm_aiter_rmsnorm_fp8_group_quant": (0, 1), "rocm_aiter_rmsnorm_with_add_fp8_group_quant": (0, 2)}
    x_at, weight_at = at.get(short, (0, 1))
    x, c = call.tensor(x_at), call.tensor(weight_at, 1).dims[0]
    e, bi = x.elements(), size_of(x.type)
    rows = e // c
    base = Fraction(e, c) * (2 * c + 2) + 2 * e
    if short in ("rms_norm", "rmsnorm2d_fwd_ck", "rmsnorm"):
        flops, moved = base, 2 * e * bi + c * bi
    elif short in ("rmsnorm2d_fwd_with_add_ck", "add_rmsnorm"):
        flops, moved = base + e, 4 * e * bi + c * bi
    elif short == "rmsnorm2d_fwd_with_dynamicquant_ck":
        flops, moved = base + 2 * e, e * bi + c * bi + e + 4 * rows
    elif short in ("rmsnorm_quant", "rocm_aiter_rmsnorm_fp8_group_quant"):
        group = call.whole(5, 0) if short == "rmsnorm_quant" else call.needed_whole(3)
        group = group if group > 0 else c
        flops, moved = base + 2 * e, e * bi + c * bi + e + 4 * rows * up(c, group)
    elif short == "rocm_aiter_rmsnorm_with_add_fp8_group_quant":
        group = call.needed_whole(4)
        flops, moved = base + 3 * e, 3 * e * bi + c * bi + e + 4 * rows * up(c, group if group > 0 else c)
    elif "pad" in short:
        multiple = call.whole(4, 0)
        padded_to = up(c, multiple) * multiple if multiple > 0 else c
        flops, moved = base + e, 2 * e * bi + c * bi + rows * padded_to * bi + rows * c * bi
    else:
        second, residual = call.raw(3), call.raw(6)
        flops, moved = base + 2 * e, e * bi + c * bi + Fraction(e, 2) + e // 32
        if len(residual.dims) == 2:
            flops, moved = flops + rows * c, moved + 2 * e * bi
        if len(second.dims) == 2:
            width = second.dims[1]
            flops, moved = flops + int(base * rows * width / e), moved + 2 * rows * width * bi + width * bi
    return Figures(flops, Bytes(moved), *vector(x.type))


# --- rotary embedding, caches, losses, quantisation -------------------------------------------------------------------

def rope(call):
    size = lambda at, otherwise=2: SIZES.get(call.raw(at).type, otherwise)
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


# --- mixtures of experts ----------------------------------------------------------------------------------------------

EXPERT_SIZES = {"f8n": 1, "f8z": 1, "f4x2": Fraction(1, 2), "bf16": 2, "f16": 2}


def expert_size(call, at, otherwise):
    return EXPERT_SIZES.get(call.raw(at).type, otherwise)


def active(experts, chosen, tokens):
    return experts * (1 - Fraction(experts - chosen, experts) ** tokens)


def expert_figures(flops, moved, kind, precision=None):
    return Figures(flops, Bytes(moved), "matrix", precision or PRECISIONS.get(kind), "average_case")


def up_projection(m, k, n, e, chosen, gates, xi, w, xo):
    return 2 * m * k * n * chosen * gates, m * k * xi + active(e, chosen, m) * gates * k * n * w + m * n * chosen * xo


def down_projection(m, k, n, e, chosen, xi, w, xo):
    return 2 * m * n * k * chosen, m * n * chosen * xi + active(e, chosen, m) * n * k * w + m * k * xo


def fused_experts(m, k, n, e, chosen, gates, xi, w, xo):
    return (2 * m * k * n * chosen * gates + 2 * m * k * n * chosen + m * k * (2 * chosen - 1),
            m * k * xi + active(e, chosen, m) * n * k * w * (gates + 1) + m * k * xo)


def unpacked(first, second):
    """E, K, N of two weights [E, gates N, K / u] and [E, K, N / u], and the gates."""
    e, k, n0 = second.dims
    n = n0 * (k // first.dims[-1])
    return e, k, n, 2 if first.dims[1] == 2 * n else 1


def experts(call):
    name = call.name.split("::")[1]
    if name in ("moe_aiter_fused_1stage", "moe_flydsl_stage1", "moe_flydsl_stage2"):
        m = call.tensor(0, 1).dims[0]
        e, k, n, gates = unpacked(call.tensor(1, 3), call.tensor(2, 3))
        chosen = call.tensor(3, 2).dims[1]
        xi, w = expert_size(call, 0, 2), expert_size(call, 1, 1)
        if name == "moe_aiter_fused_1stage":
            return expert_figures(*fused_experts(m, k, n, e, chosen, gates, xi, w, xi), call.raw(0).type)
        if name.endswith("1"):
            return expert_figures(*up_projection(m, k, n, e, chosen, gates, xi, w, xi), call.raw(1).type)
        return expert_figures(*down_projection(m, k, n, e, chosen, xi, w, xi), call.raw(1).type)
    if name.startswith("fmoe"):
        m = call.tensor(0, 1).dims[0]
        e, k, n, gates = unpacked(call.tensor(2, 3), call.tensor(3, 3))
        sizes = expert_size(call, 1, 2), expert_size(call, 2, 1), expert_size(call, 0, 2)
        # the input's default is the weight's: it is quantised as well
        sizes = (EXPERT_SIZES.get(call.raw(1).type, 1), *sizes[1:])
        return expert_figures(*fused_experts(m, k, n, e, call.needed_whole(8), gates, *sizes), call.raw(1).type)
    if name == "moe_cktile2stages_gemm1_ck":
        (m, k), (_, chosen, n) = call.tensor(0, 2).dims, call.tensor(2, 3).dims
        weights = call.tensor(1, 3).dims
        sizes = expert_size(call, 0, 2), expert_size(call, 1, 1), expert_size(call, 2, 2)
        gates = 2 if weights[1] == 2 * n else 1
        return expert_figures(*up_projection(m, k, n, weights[0], chosen, gates, *sizes), call.raw(0).type)
    if name == "moe_cktile2stages_gemm2_ck":
        (m, chosen, n), (e, k) = call.tensor(0, 3).dims, call.tensor(1, 3).dims[:2]
        sizes = expert_size(call, 0, 2), expert_size(call, 1, 1), expert_size(call, 2, 2)
        return expert_figures(*down_projection(m, k, n, e, chosen, *sizes), call.raw(0).type)
    if name == "ck_moe_stage1":
        m, chosen = call.tensor(0, 1).dims[0], call.tensor(6, 2).dims[1]
        e, k, n, gates = unpacked(call.tensor(1, 3), call.tensor(2, 3))
        xi, w = expert_size(call, 0, 2), expert_size(call, 1, 1)
        return expert_figures(*up_projection(m, k, n, e, chosen, gates, xi, w, xi), call.raw(0).type)
    if name == "ck_moe_stage2":
        (m, chosen, n0), (e, k) = call.tensor(0, 3).dims, call.tensor(2, 3).dims[:2]
        n = n0 * (k // call.tensor(1, 3).dims[-1])
        xi, w = expert_size(call, 0, 2), expert_size(call, 2, 1)
        return expert_figures(*down_projection(m, k, n, e, chosen, xi, w, xi), call.raw(0).type)
    if name.startswith("fused_moe_triton"):
        e, n, k = call.tensor(1, 3).dims
        tokens, chosen = call.tensor(8, 2).dims
        rows = tokens * chosen
        xi, w, xo = expert_size(call, 0, 2), expert_size(call, 1, 1), expert_size(call, 3, expert_size(call, 0, 2))
        return expert_figures(2 * rows * n * k,
                              rows * k * xi + active(e, chosen, tokens) * n * k * w + rows * n * xo, call.raw(1).type)
    m, k = call.tensor(0, 2).dims
    chosen = call.context.get("experts_per_token")
    if chosen is None:
        raise Missing("argument_not_recorded")
    xi = expert_size(call, 0, 2)
    if name.startswith("moe_triton"):
        e, n = call.tensor(1, 2).dims[1], k
        w, precision = kernel_weights(call.context.get("first_kernel", "").lower())
        gates = 2 if call.context.get("is_gated", True) else 1
    else:
        w, precision, gates = Fraction(1, 2), PRECISIONS.get(call.raw(0).type), 1
        if name.endswith("up"):
            gates = 2 if call.context.get("is_gated", True) else 1
            e, n = call.tensor(1, 3).dims[0], call.tensor(1, 3).dims[1] // gates
        else:
            e, n = call.tensor(2, 3).dims[0], 2 * call.tensor(2, 3).dims[2]
    if name.endswith("up"):
        return expert_figures(*up_projection(m, k, n, e, chosen, gates, xi, w, xi), "", precision)
    return expert_figures(*down_projection(m, k, n, e, chosen, xi, w, xi), "", precision)


def kernel_weights(kernel):
    if "fp4" in kernel:
        return Fraction(1, 2), "fp4"
    if "fp8" in kernel or "e4m3" in kernel:
        return 1, "fp8"
    if "bf16" in kernel:
        return 2, "bf16"
    if "f16" in kernel or "fp16" in kernel:
        return 2, "fp16"
    raise Missing("element_type_unknown")


def expert_routing(call):
    if call.name.endswith("append_shared_experts"):
        x, y = call.tensor(0), call.tensor(1)
        sizes = [SIZES.get(part.type, 4) for part in (x, y)]
        return Figures(x.elements(), Bytes(2 * (x.elements() * sizes[0] + y.elements() * sizes[1])), *vector(y.type))
    if call.name == "aiter::topk_softplus":
        scores, chosen = call.tensor(2, 2), call.tensor(0, 2).dims[1]
        m, e = scores.dims
        return Figures(6 * m * e, Bytes((m * e, scores.type), 4 * e + 8 * m * chosen), *vector(scores.type))
    tensors = [part for part in call.operands if part.dims]
    if not tensors:
        raise Missing("argument_not_recorded")
    largest = max(tensors, key=Operand.elements)
    known = [part for part in tensors if part.type in SIZES]
    return Figures(largest.elements(), Bytes(*known), *vector(largest.type))


def expert_transfer(call):
    x = call.tensor(0, 2)
    return Figures(0, Bytes((x.dims[0] * x.dims[1], x.type)), "none", None)


# --- attention of inference -------------------------------------------------------------------------------------------

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
    return Figures(flops, Bytes(moved), "matrix", "bf16")


def gated_delta(call, sums, requests):
    """A state of H_V x d x v is read and written once a request."""
    x, v = call.tensor(0, 2), call.tensor(3, 3).dims[2]
    heads = call.tensor(1, 2).dims[1]
    d = ((x.dims[1] - heads * v) // 2) // (heads // 2)
    n, e = sums["c_sq"] + sums["g_sq"], size_of(x.type)
    states = requests if requests is not None else sums["g_sq"]
    return Figures(7 * n * heads * v * d, Bytes(e * n * heads * (d + 2 * v + 2) + 2 * states * heads * d * v * e),
                   *matrix(x.type), "lower_bound" if sums["c_sq"] else "exact")


# --- state spaces, generated kernels, collectives, hyper-connections --------------------------------------------------

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
    name, dims = call.name.split("::")[1], lambda at, rank: call.tensor(at, rank).dims
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


# --- which function derives which operator ----------------------------------------------------------------------------

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


ORDER = ["id", "about", "operator", "operands", "literals", "context", "work", "flops", "bytes_moved", "compute_spec",
         "quality", "gap", "reference", "defect"]


def text_of(document):
    """One row a line, so that changes show row by row."""
    rows = [json.dumps({key: row[key] for key in ORDER if key in row}) for row in document["cases"]]
    return ('{\n  "about": ' + json.dumps(document["about"]) + ',\n  "cases": [\n    ' + ",\n    ".join(rows)
            + "\n  ]\n}\n")


if __name__ == "__main__":
    sys.exit(main())
