"""Rooflines once more, for derive_tables.py: how long a call has to take at least, by the ceilings of a platform that
are read from core/perf_model/platforms.json.
"""
import json
from fractions import Fraction
from pathlib import Path

from derived_figures import mean, median, root

PLATFORMS = Path(__file__).resolve().parents[2] / "core/perf_model/platforms.json"
SHARES = ["Pct Roofline_mean", "Pct Roofline_median", "Pct Roofline_std", "Pct Roofline_min", "Pct Roofline_max"]
TF32 = ("tf32", "TF32", "s1688")


class Rooflines:
    """Of one platform; without one there are no columns."""

    def __init__(self, platform_name):
        self.ceilings, self.bandwidth = {}, None
        if platform_name is None:
            return
        document = json.loads(PLATFORMS.read_text(encoding="utf-8"), parse_float=Fraction, parse_int=Fraction)
        platform = next(one for one in document["platforms"] if one["name"] == platform_name)
        self.bandwidth = platform["mem_bw_gbps"]["value"]
        for spec, figures in platform["tflops"].items():
            ranked = sorted(figures, key=lambda figure: figure["kind"] != "measured")
            self.ceilings[spec] = ranked[0]["value"]

    def __bool__(self):
        return self.bandwidth is not None

    def of(self, call):
        """(nanoseconds, bound) of the longer of its two times; None where there is neither."""
        if call.figures is None:
            return None
        times = []
        flops, moved = call.figures["flops"], call.figures["bytes_moved"]
        ceiling = self.ceilings.get(self.spec(call))
        if flops and ceiling:
            times.append((Fraction(flops) / (ceiling * 1000), "COMPUTE_BOUND"))
        if moved:
            times.append((Fraction(moved) / self.bandwidth, "MEMORY_BOUND"))
        return max(times, key=lambda time: time[0], default=None)

    @staticmethod
    def spec(call):
        spec = call.figures["compute_spec"]
        is_tf32 = any(mark in event.name for event in call.gpu_events for mark in TF32)
        return "matrix_tf32" if spec == "matrix_fp32" and is_tf32 else spec

    def first_cells(self, calls):
        """Time in microseconds and bound of the first call."""
        found = self.of(calls[0])
        return [None, None] if found is None else [float(found[0] / 1000), found[1]]

    def share_cells(self, calls):
        """What part of their GPU time the rooflines of calls are, in percent, over those that have both."""
        shares = [100 * self.of(call)[0] / call.time for call in calls if call.time and self.of(call)]
        if not shares:
            return [None] * len(SHARES)
        middle = mean(shares)
        squares = sum((share - middle) ** 2 for share in shares)
        spread = root(squares / (len(shares) - 1)) if len(shares) > 1 else None
        return [float(middle), float(median(shares)), spread, float(min(shares)), float(max(shares))]
