"""Calls as the rows write them, and what is added up for them."""
import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

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
    text, _, strides = text.partition("/")
    kind, shape = re.fullmatch(r"([a-z0-9]*)(.*)", text).groups()
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
