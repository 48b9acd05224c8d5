"""Products of matrices, batched, scaled, packed and grouped."""
from fractions import Fraction

from .calls import PRECISIONS, SCALAR_TYPES, SIZES, Bytes, Figures, fits, matrix, up


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
    bias = call.find(18) if call.text(14) != "" else None
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
