"""Attention over whole sequences: pairs of query and key counted one row at a time."""
from dataclasses import dataclass
from fractions import Fraction

from .calls import Bytes, Figures, Operand, fits, matrix


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


def keys_read(queries, keys, causal, left, right, top_left):
    if left < 0 and right < 0 and not (causal and top_left):
        return keys
    seen = set()
    for row in range(queries):
        seen.update(range(*reach(row, queries, keys, causal, left, right, top_left)))
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
        read = nk if self.lengths else keys_read(nq, nk, self.causal, *self.window, self.top_left)
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
