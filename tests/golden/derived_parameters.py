"""What category sheets group calls by, once more, for derived_categories.py: the parameters that a model reads from a
call's arguments, by name, as texts of the sheet. Of the operators that traces with tables of the reference have;
another one is refused, not guessed.
"""
import ast
import re
from math import prod

from derived_figures import tuples

TENSILE = re.compile("C[a-z]{3}_A[a-z]{3}_B[a-z]{3}")


class Arguments:
    """By position, as the operators' signatures have them."""

    def __init__(self, event):
        self.all = event.arguments
        self.operator = event.name.removeprefix("aten::")

    def field(self, name, at):
        values = self.all.get(name, [])
        return values[at] if at < len(values) else None

    def dims(self, at):
        return self.field("Input Dims", at) or []

    def kind(self, at):
        return self.field("Input type", at) or ""

    def literal(self, at):
        return self.field("Concrete Inputs", at) or ""

    def is_tensor(self, at):
        return self.kind(at) not in ("", "Scalar", "ScalarList")

    def shape(self, at):
        return repr(tuples(self.dims(at)))

    def strides(self, at):
        strides = self.field("Input Strides", at)
        return "None" if strides is None else repr(tuples(strides))

    def tuple_of(self, at):
        return repr(tuple(ast.literal_eval(self.literal(at))))


def kinds(*values):
    return repr(tuple(value or None for value in values))


def matrix_product(call, kernels):
    at = 1 if call.operator.startswith(("addmm", "baddbmm")) else 0
    a, b = call.dims(at), call.dims(at + 1)
    batch = {"B": str(a[0] if len(a) == 3 else 1)}
    found = {"M": str(a[-2]), "N": str(b[-1]), "K": str(a[-1]), "bias": str(at == 1), "stride_A": call.strides(at),
             "stride_B": call.strides(at + 1), "dtype_A_B": kinds(call.kind(at), call.kind(at + 1))}
    found = {**batch, **found} if "bmm" in call.operator else {**found, **batch}
    order = next(filter(None, map(operand_order, kernels)), None)
    return {**found, "transpose": repr(order)} if order else found


def operand_order(kernel):
    """Whether each operand is transposed, where the library's name for its kernel says so."""
    if TENSILE.search(kernel):
        return "_Alik_" in kernel, "_Bjlk_" in kernel
    if kernel.startswith("nvjet"):
        return tuple(letter == "T" for letter in kernel.rpartition("_")[2][:2])
    return None


def attention(call, _):
    if call.operator != "_scaled_dot_product_flash_attention":
        raise NotImplementedError(f"the parameters of {call.operator} are not derived")
    (batch, heads, queries, width), (_, key_heads, keys, _) = call.dims(0), call.dims(1)
    return {"B": str(batch), "N_Q": str(queries), "H_Q": str(heads), "N_KV": str(keys), "H_KV": str(key_heads),
            "d_h_qk": str(width), "d_h_v": str(call.dims(2)[-1]), "dropout": str(float(call.literal(3))),
            "causal": call.literal(4), "flash_impl": "True", "dtype_A_B": kinds(call.kind(0), call.kind(1))}


def convolution(call, _):
    """Backward the gradient stands before the operand, and sizes of the bias in its place."""
    at = 1 if call.operator.endswith("backward") else 0
    has_bias = bool(call.dims(2)) if at == 0 else call.literal(3) not in ("", "[]", "[0]")
    return {"convNd": f"conv{len(call.dims(at)) - 2}d", "input_shape": call.shape(at),
            "filter_shape": call.shape(at + 1),
            "dtype_input_weight": kinds(call.kind(at), call.kind(at + 1)), "input_stride": call.strides(at),
            "weight_stride": call.strides(at + 1), "bias": str(has_bias), "stride": call.tuple_of(at + 3),
            "padding": call.tuple_of(at + 4), "dilation": call.tuple_of(at + 5),
            "transposed_conv": call.literal(at + 6), "output_padding": call.tuple_of(at + 7),
            "groups": call.literal(at + 8)}


def binary(call, _):
    has_result = call.is_tensor(2)
    return {"shape_in1": call.shape(0), "shape_in2": call.shape(1),
            "dtype_in1_in2_out": kinds(call.kind(0), call.kind(1), call.kind(2) if has_result else None),
            "stride_input1": call.strides(0), "stride_input2": call.strides(1),
            "stride_output": call.strides(2) if has_result else "None"}


def unary(call, _):
    has_two = call.operator == "copy_"
    return {"op_shape": call.shape(0), "dtype_in_out": kinds(call.kind(0), call.kind(1) if has_two else None),
            "stride_input": call.strides(0), "stride_output": call.strides(1) if has_two else "None"}


def upsampled(call, _):
    shape = repr((*call.dims(0)[:2], *ast.literal_eval(call.literal(1))))
    return {"op_shape": shape, "dtype_in_out": kinds(call.kind(0), call.kind(0)), "stride_input": call.strides(0),
            "stride_output": "None", "input_shape": call.shape(0), "output_shape": shape}


def reduction(call, _):
    dims = call.dims(0)
    gone = ast.literal_eval(call.literal(1)) if call.kind(1) == "ScalarList" and call.literal(1) else []
    gone = {at % len(dims) for at in gone} or set(range(len(dims)))
    return {"num_input_elems": str(prod(dims)),
            "num_output_elems": str(prod(size for at, size in enumerate(dims) if at not in gone)),
            "dtype_in_out": kinds(call.kind(0), None), "reduce_type": call.operator}


# operator: positions of what is normalised, the weight, the bias, the literal of training, that of the mask, and that
# of the dimensions where these are the last ones; None where it has no such argument
NORMALIZATIONS = {
    "batch_norm": (0, 1, 2, 5, None, None),
    "native_batch_norm": (0, 1, 2, 5, None, None),
    "miopen_batch_norm": (0, 1, 2, 5, None, None),
    "instance_norm": (0, 1, 2, 5, None, None),
    "layer_norm": (0, 2, 3, None, None, 1),
    "native_layer_norm": (0, 2, 3, None, None, 1),
    "group_norm": (0, 2, 3, None, None, None),
    "native_group_norm": (0, 1, 2, None, None, None),
    "_fused_rms_norm": (0, 2, None, None, None, 1),
    "native_batch_norm_backward": (1, 2, 2, 7, 9, None),
    "miopen_batch_norm_backward": (0, 2, 2, None, None, None),
    "native_layer_norm_backward": (1, 5, 6, None, 7, 2),
    "native_group_norm_backward": (1, 4, 4, None, 9, None),
    "_fused_rms_norm_backward": (1, 4, None, None, 5, 2),
}


def normalization(call, _):
    if call.operator not in NORMALIZATIONS:
        raise NotImplementedError(f"the parameters of {call.operator} are not derived")
    at, weight, bias, training, mask, last = NORMALIZATIONS[call.operator]
    channels = call.dims(at)[1] if last is None else prod(ast.literal_eval(call.literal(last)))
    is_training = call.literal(training) if training is not None else str("rms" not in call.operator)
    found = {"op_shape": call.shape(at), "dtype_in_out": kinds(call.kind(at), None), "stride_input": call.strides(at),
             "stride_output": "None", "num_channels": str(channels),
             "has_bias": str(bias is not None and bool(call.dims(bias))), "is_affine": str(bool(call.dims(weight))),
             "is_training": is_training}
    if call.operator.endswith("_backward"):
        found["output_mask"] = call.literal(mask) if mask is not None else "[True, True, True]"
    return found


FAMILIES = {"GEMM": matrix_product, "SDPA": attention, "CONV": convolution, "BinaryElementwise": binary,
            "UnaryElementwise": unary, "Normalization": normalization, "Reduce": reduction}


def parameters(family, event, kernels):
    """By name, in the model's order; `kernels` are the names of the call's GPU events by start."""
    call = Arguments(event)
    if not event.name.startswith("aten::") or family not in FAMILIES:
        raise NotImplementedError(f"the parameters of {event.name} are not derived")
    return (upsampled if call.operator.startswith("upsample") else FAMILIES[family])(call, kernels)
