"""Normalisations, forward and backward, of training and of inference."""
import re
from fractions import Fraction
from math import prod

from .calls import Bytes, Figures, Missing, fits, size_of, up, vector


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
