"""Elementwise operators and reductions."""
from fractions import Fraction
from math import floor, prod

from .calls import INTEGERS, SCALAR_TYPES, SIZES, Bytes, Figures, Missing, fits, up, vector


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
