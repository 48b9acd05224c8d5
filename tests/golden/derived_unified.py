"""unified_perf_summary once more, for derive_tables.py: which calls stand in it, their times, and what models say of
them, which derived_models derives from the recorded arguments.

Left out: perf_params, texts whose right form unit tests hold; and backward work by a forward operator's model, which
no trace with tables of the reference has.
"""
import re
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from derive_models import FAMILIES, derived  # noqa: E402
from derived_figures import (busy, deviation, mean, median, printed_details, root, truncated, us)  # noqa: E402
from derived_rooflines import SHARES  # noqa: E402

GENERATED = re.compile("triton_(poi|red|per)_")
TYPES = {"c10::BFloat16": "bf16", "c10::Half": "f16", "float": "f32", "double": "f64", "int": "i32", "long int": "i64",
         "signed char": "i8", "unsigned char": "u8", "bool": "bool", "Scalar": "scalar", "ScalarList": "", "": ""}
ARGUMENTS = ["Input Dims", "Input type", "Input Strides", "Concrete Inputs"]


def operand_texts(arguments):
    """As the rows of model_cases.json write them: type[dims]/[strides], each part where it was recorded."""
    strides = arguments.get("Input Strides", [])
    for at, (dims, kind) in enumerate(zip(arguments.get("Input Dims", []), arguments.get("Input type", []))):
        text = TYPES[kind]
        if dims or (text not in ("", "scalar")):
            text += repr(dims) if dims else "()"
        if dims and at < len(strides) and len(strides[at]) == len(dims):
            text += "/" + repr(strides[at])
        yield text


def figures_of(event, annotation, work="forward"):
    """flops, bytes_moved and compute_spec; None without a model. `annotation` is the step's that the call is in."""
    if not any(re.fullmatch(pattern, event.name) for pattern, _ in FAMILIES):
        return None
    literals = enumerate(event.arguments.get("Concrete Inputs", []))
    found = derived({"operator": event.name, "operands": list(operand_texts(event.arguments)),
                     "literals": {str(at): text for at, text in literals if text},
                     "context": {"annotation": annotation} if annotation else {}, "work": work})
    if found["bytes_moved"] is None and found["flops"] is None:
        return {"flops": None, "bytes_moved": None, "compute_spec": ""}
    return found


class Call:
    """A row's one call; `figures` None where no model knows it."""

    def __init__(self, event, name, category, gpu_events, uid, figures=None):
        self.event, self.name, self.category, self.uid, self.figures = event, name, category, uid, figures
        self.gpu_events = sorted(gpu_events, key=lambda one: one.begin)
        self.time = busy(gpu_events)

    def rate(self, figure):
        """In units of 10^12 a second; None where it is unknown."""
        amount = self.figures and self.figures[figure]
        return None if amount is None or not self.time else Fraction(amount) / self.time / 1000


class UnifiedSummary:
    def __init__(self, tables):
        self.tables, self.trace = tables, tables.trace
        self.children = defaultdict(list)
        for event in sorted((e for e in self.trace.events if e.begin is not None), key=lambda e: (e.begin, -e.end)):
            if event.category == "cpu_op" or event.gpu_events:
                self.children[event.parent and event.parent.uid].append(event)
        self.annotations = [event for event in self.trace.events if "user_annotation" in str(event.category)
                            and event.begin is not None]
        self.annotations.sort(key=lambda event: event.begin)
        self.known = {}
        self.calls = []
        for event in self.children[None]:
            self.collect(event)
        self.collect_single_events()

    def annotation(self, call):
        return next((step.name for step in self.annotations if step.begin <= call.begin and call.end < step.end), None)

    def figures(self, event):
        """Of an operator that a model knows and that has GPU work; generated kernels only where figures come out."""
        if event.uid not in self.known:
            figures = None
            if event.is_operator and event.gpu_events:
                if event.name in self.tables.registered:
                    figures = figures_of(event, self.annotation(event))
                elif GENERATED.match(event.name):
                    figures = figures_of(event, None)
                    figures = figures if figures["flops"] is not None else None
            self.known[event.uid] = figures
        return self.known[event.uid]

    def holds_modelled(self, event):
        return any(self.figures(child) is not None or self.holds_modelled(child) for child in self.children[event.uid])

    def collect(self, event):
        """The outermost operators with a model, and operators that launch work themselves and hold none of those."""
        if not event.is_operator or not event.gpu_events:
            return
        figures = self.figures(event)
        launched = [one for child in self.children[event.uid] if not child.is_operator for one in child.gpu_events]
        if figures is not None or (launched and not self.holds_modelled(event)):
            if figures is None and any(one.is_communication for one in event.gpu_events):
                return
            own = sorted(launched, key=lambda one: one.begin)
            self.calls.append(Call(event, event.name, self.tables.category(event, own), event.gpu_events, event.uid,
                                   figures))
            return
        for child in self.children[event.uid]:
            self.collect(child)

    def collect_single_events(self):
        """What no call took: a row of its own for each, under whoever launched it, those without an operator first."""
        taken = {event.uid for call in self.calls for event in call.gpu_events}
        left = [(self.trace.launcher(event), event) for event in self.trace.gpu
                if event.launch is not None and event.launch.begin is not None and event.uid not in taken
                and not event.is_communication]
        left.sort(key=lambda pair: (pair[0].is_operator, pair[0].begin))
        uid = self.trace.events_count
        for launcher, event in left:
            name = f"{launcher.name}->{event.name} (Synthetic Op)"
            category = self.tables.registered.get(name) or self.tables.category(launcher, [event])
            self.calls.append(Call(launcher, name, category, [event], uid))
            uid += 1

    def sheet(self):
        groups = defaultdict(list)
        for call in self.calls:
            groups[(call.name, call.category, *self.trace.process_columns(call.event),
                    *self.tables.arguments(call.event), *self.tables.recompute_key(call.event))].append(call)
        ranked = sorted(groups.items(), key=lambda group: (-sum(call.time for call in group[1]), group[1][0].uid))
        rows = [[*key, *self.row(calls)] for key, calls in ranked]
        headings = ["name", "op category", "process_name", "process_label", "thread_name", *ARGUMENTS,
                    *self.tables.recompute_column(), "ex_UID", "operation_count", "total_duration_us",
                    "mean_duration_us", "std_duration_us", "GFLOPS", "Data Moved (MB)", "FLOPS/Byte", "Compute Spec",
                    *(["Roofline Bound"] if self.tables.rooflines else [])]
        for column in ("TB/s", "TFLOPS/s", "Kernel Time (µs)"):
            headings += [f"{column}_mean", f"{column}_std"]
        headings.append("Kernel Time (µs)_sum")
        for column in ("duration_us", "TB/s", "TFLOPS/s", "Kernel Time (µs)"):
            if column.startswith("Kernel") and self.tables.rooflines:
                headings += ["Roofline Time (µs)_first", *SHARES]
            headings += [f"{column}_median", f"{column}_min", f"{column}_max"]
        headings += ["kernel_details_summary", "trunc_kernel_details", "has_perf_model", "Percentage (%)",
                     "Cumulative Percentage (%)"]
        return headings, self.tables.with_shares(rows, [sum(call.time for call in calls) for _, calls in ranked])

    def row(self, calls):
        host = [call.event.duration for call in calls]
        times = [call.time for call in calls]
        moved, worked = ([rate for rate in (call.rate(figure) for call in calls) if rate is not None]
                         for figure in ("bytes_moved", "flops"))
        details = self.tables.kernel_details([call.gpu_events for call in calls])
        rooflines = self.tables.rooflines
        least, bound = rooflines.first_cells(calls) if rooflines else (None, None)
        return [calls[0].uid, len(calls), us(sum(host)), us(mean(host)), deviation(host, 1),
                *self.model_cells(calls[0].figures), *([bound] if rooflines else []), *average(moved), *average(worked),
                us(mean(times)), deviation(times, 1), us(sum(times)), us(median(host)), us(min(host)), us(max(host)),
                *bounds(moved), *bounds(worked), *([least, *rooflines.share_cells(calls)] if rooflines else []),
                us(median(times)), us(min(times)), us(max(times)), printed_details(details), truncated(details),
                calls[0].figures is not None]

    @staticmethod
    def model_cells(figures):
        if figures is None:
            return [None] * 4
        flops, moved = figures["flops"], figures["bytes_moved"]
        return [None if flops is None else float(Fraction(flops) / 10 ** 9),
                None if moved is None else float(Fraction(moved) / 2 ** 20),
                None if flops is None or not moved else float(Fraction(flops) / Fraction(moved)),
                figures["compute_spec"] or None]


def average(rates):
    """Mean and deviation of a sample, each None of too few."""
    if not rates:
        return [None, None]
    middle = sum(rates) / len(rates)
    squares = sum((rate - middle) ** 2 for rate in rates)
    return [float(middle), root(squares / (len(rates) - 1)) if len(rates) > 1 else None]


def bounds(rates):
    return [float(figure(rates)) for figure in (median, min, max)] if rates else [None] * 3
