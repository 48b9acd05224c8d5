"""Mixtures of experts: every expert is taken to be chosen equally often."""
from fractions import Fraction

from .calls import PRECISIONS, SIZES, Bytes, Figures, Missing, Operand, vector

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
        sizes = expert_size(call, 1, 1), expert_size(call, 2, 1), expert_size(call, 0, 2)
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
