"""Convolutions, their transposed kind, and the three gradients."""
from dataclasses import dataclass
from math import prod

from .calls import Bytes, Call, Figures, Missing, Operand, fits, matrix


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
