"""The category sheets once more, for derive_tables.py: every call of an operator that a model knows, in the sheet of
its family, by what the model reads from its arguments; which of them count, and for how long.

Left out: families of operators that no trace with tables of the reference has, whose parameters are not derived.
"""
import re
from collections import defaultdict

from derived_figures import busy, deviation, length, mean, median, merged, printed_details, truncated, us
from derived_parameters import parameters
from derived_rooflines import SHARES
from derived_trace import bucket_of
from derived_unified import FAMILIES, Call, average, bounds, figures_of

ARGUMENTS = ["Input Dims", "Input type", "Input Strides", "Concrete Inputs"]
MERGED = {"GEMM", "BinaryElementwise", "UnaryElementwise", "Normalization"}
AUTOGRAD = "autograd::engine::evaluate_function: "
SHEETS = ["GEMM", "SDPA_fwd", "SDPA_bwd", "CONV_fwd", "CONV_bwd", "BinaryElementwise", "UnaryElementwise",
          "Normalization", "Reduce_fwd", "Reduce_bwd"]


def counted_times(events):
    """By event: what it adds to the timeline, computation before communication before copies, each instant once."""
    counted, cover = {}, []
    for bucket in ("computation", "communication", "memcpy"):
        own = sorted((event for event in events if bucket_of(event) == bucket), key=lambda event: event.begin)
        taken_until = None
        for event in own:
            begin = event.begin if taken_until is None else max(event.begin, taken_until)
            counted[event.uid] = length(beyond(begin, event.end, cover))
            taken_until = max(begin, event.end)
        cover = merged([*map(tuple, cover), *((event.begin, event.end) for event in own)])
    return counted


def beyond(begin, end, cover):
    """What of begin to end none of the intervals covers."""
    for covered_begin, covered_end in cover:
        if covered_end <= begin or end <= covered_begin:
            continue
        if begin < covered_begin:
            yield [begin, covered_begin]
        begin = covered_end
    if begin < end:
        yield [begin, end]


class SheetCall(Call):
    """A call in a category sheet; `parameters` by name."""

    def __init__(self, event, gpu_events, figures, family, counted_time):
        super().__init__(event, event.name, None, gpu_events, event.uid, figures)
        self.parameters = parameters(family, event, [one.name for one in self.gpu_events])
        self.counted_time = counted_time  # None where the call does not count


class CategorySheets:
    def __init__(self, tables, summary):
        self.tables, self.summary = tables, summary
        self.counted_ns = counted_times(tables.population)
        self.outermost = {call.event.uid for call in summary.calls if call.figures is not None}
        self.backward_links = self.linked()
        self.by_sheet = defaultdict(list)
        self.known = {}
        self.collect(summary.children[None])
        for calls in list(self.by_sheet.items()):
            self.add_backward(*calls)
        for calls in self.by_sheet.values():
            calls.sort(key=lambda call: call.uid)

    def collect(self, events):
        for event in events:
            sheet = self.sheet_of(event)
            if sheet:
                family, name = sheet
                counted = sum(self.counted_ns[one.uid] for one in event.gpu_events)
                counted = counted if event.uid in self.outermost else None
                self.by_sheet[name].append(SheetCall(event, event.gpu_events, self.figures(event), family, counted))
            self.collect(self.summary.children[event.uid])

    def sheet_of(self, event):
        """Family and sheet; None where no model knows the operator."""
        family = self.tables.families.get(event.name) if event.is_operator else None
        if family is None or not any(re.fullmatch(pattern, event.name) for pattern, _ in FAMILIES):
            return None
        if family in MERGED:
            return family, family
        return family, family + ("_bwd" if self.tables.registered[event.name].endswith("_bwd") else "_fwd")

    def figures(self, event, work="forward"):
        """The same arguments have the same figures: annotations of steps are read by inference attention only."""
        key = (event.name, work, *(repr(event.arguments.get(name)) for name in ARGUMENTS))
        if key not in self.known:
            self.known[key] = figures_of(event, None, work)
        return self.known[key]

    def linked(self):
        """By forward call: the autograd calls that have its number. The last one before them with it is the forward
        call; one on another thread, if there is one."""
        numbered = defaultdict(list)
        for event in self.tables.trace.events:
            if event.is_operator and event.begin is not None and event.arguments.get("Sequence number") is not None:
                numbered[event.arguments["Sequence number"]].append(event)
        links = defaultdict(list)
        for events in numbered.values():
            for backward in (event for event in events if event.name.startswith(AUTOGRAD)):
                others = [event for event in events if event.thread != backward.thread and event.begin < backward.begin]
                if others:
                    links[max(others, key=lambda event: event.begin).uid].append(backward)
        return links

    def below(self, event):
        for child in self.summary.children[event.uid]:
            yield child
            yield from self.below(child)

    def add_backward(self, sheet, forward_calls):
        """Backward work that a forward operator's model knows, where no operator of the family stands for it."""
        if not sheet.endswith("_fwd"):
            return
        for call in forward_calls:
            autograd = [backward for event in (call.event, *self.below(call.event))
                        for backward in self.backward_links.get(event.uid, [])]
            family = sheet.removesuffix("_fwd")
            has_own = any(self.tables.families.get(event.name) == family for backward in autograd
                          for event in self.below(backward))
            if not autograd or has_own:
                continue
            figures = self.figures(call.event, "backward")
            if figures["bytes_moved"] is not None:
                gpu_events = [one for backward in autograd for one in backward.gpu_events]
                self.by_sheet[f"{family}_bwd"].append(SheetCall(call.event, gpu_events, figures, family, None))

    def sheet(self, name):
        groups = defaultdict(list)
        for call in self.by_sheet[name]:
            groups[(call.name, *sorted(call.parameters.items()), *self.tables.recompute_key(call.event))].append(call)
        columns = list(dict.fromkeys(column for calls in groups.values() for column in calls[0].parameters))
        ranked = sorted(groups.values(), key=lambda calls: (-sum(call.time for call in calls), calls[0].uid))
        rooflines = self.tables.rooflines
        headings = ["name", *(f"param: {column}" for column in columns), *self.tables.recompute_column(),
                    "GFLOPS_first", "Data Moved (MB)_first", "FLOPS/Byte_first"]
        figures = ["mean", "median", "std", "min", "max"]
        headings += [f"{rate}_{figure}" for rate in ("TB/s", "TFLOPS/s") for figure in figures]
        headings += ["process_name_first", "process_label_first", "thread_name_first", "Compute Spec"]
        headings += ["Roofline Time (µs)_first", "Roofline Bound_first", *SHARES] if rooflines else []
        headings += ["kernel_details__summarize_kernel_stats", "trunc_kernel_details"]
        headings += [f"{argument}_first" for argument in ARGUMENTS]
        headings += [f"Kernel Time (µs)_{figure}" for figure in (*figures, "sum")]
        headings += ["name_count", "UID_first", "counted", "counted_time_us"]
        return headings, [self.row(calls, columns) for calls in ranked]

    def row(self, calls, columns):
        first, times = calls[0], [call.time for call in calls]
        *amounts, spec = self.summary.model_cells(first.figures)
        rooflines = self.tables.rooflines
        details = self.tables.kernel_details([call.gpu_events for call in calls])
        counted = [call.counted_time for call in calls if call.counted_time is not None]
        return [first.name, *(first.parameters.get(column) for column in columns),
                *self.tables.recompute_key(first.event), *amounts, *rate_cells(calls, "bytes_moved"),
                *rate_cells(calls, "flops"), *self.tables.trace.process_columns(first.event), spec,
                *([*rooflines.first_cells(calls), *rooflines.share_cells(calls)] if rooflines else []),
                printed_details(details), truncated(details), *self.tables.arguments(first.event),
                us(mean(times)), us(median(times)), deviation(times, 1), us(min(times)), us(max(times)), us(sum(times)),
                len(calls), first.uid, len(counted), us(sum(counted))]


def rate_cells(calls, figure):
    rates = [rate for rate in (call.rate(figure) for call in calls) if rate is not None]
    (middle, spread), (half, least, most) = average(rates), bounds(rates)
    return [middle, half, spread, least, most]
