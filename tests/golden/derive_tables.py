#!/usr/bin/env python3
"""Derives the tables of a trace once more, in plain Python from exact decimal times: the right values where the
reference's are not, to hold the program's own to (tests/golden/differences.json names the differences).

usage: derive_tables.py TRACE OUTPUT_FOLDER [--detect-recompute] [--platform NAME] [--sheets a,b]

Columns are the reference's; of those that the program adds, what counts in the category sheets. What is no whole number
of nanoseconds is computed in fractions and rounded once.
"""
import argparse
import bisect
import csv
import sys
from collections import defaultdict
from fractions import Fraction
from functools import cached_property
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from derived_figures import (busy, deviation, length, mean, median, merged, ms, ordering, percent, printed,  # noqa: E402
                             printed_details, truncated, us, without)
from derived_categories import SHEETS as CATEGORY_SHEETS, CategorySheets  # noqa: E402
from derived_rooflines import Rooflines  # noqa: E402
from derived_trace import DerivedTrace, bucket_of, registered_categories, sheet_families  # noqa: E402
from derived_unified import UnifiedSummary  # noqa: E402
from shared_folder import shared_folder  # noqa: E402

SHORT_NS = 10_000
BINS = 100
ARGUMENTS = ["Input Dims", "Input type", "Input Strides", "Concrete Inputs"]
DTYPE_BYTES = {"Float": 4, "Int": 4, "Long": 8, "BFloat16": 2, "Bool": 1, "Byte": 1, "Double": 8, "Half": 2, "Short": 2}


class Tables:
    def __init__(self, trace, categories, by_recompute, families=None, platform=None):
        """`categories` by operator, and `families` of sheets; the platform by name, without one no rooflines."""
        self.trace = trace
        self.registered = categories
        self.families = families or {}
        self.by_recompute = by_recompute
        self.rooflines = Rooflines(platform)
        self.population = [event for event in trace.gpu if trace.is_linked(event)]
        self.total_ns = self.span(self.population)
        self.launchers = trace.launchers() if trace.has_operators else []
        self.details = {launcher.uid: events for launcher, events in self.launchers}

    @staticmethod
    def span(events):
        return max(e.end for e in events) - min(e.begin for e in events) if events else 0

    def category(self, event, kernels=None):
        """An operator that nobody registered is part of the nearest one around it that is. `kernels` are its own."""
        if event.name in self.registered:
            return self.registered[event.name]
        for prefix in ("triton", "record_param_comms"):
            if event.name.startswith(prefix):
                return prefix
        kernels = kernels or self.details.get(event.uid, [])
        if kernels and kernels[0].name.startswith("void at::native"):
            for kind in ("elementwise", "reduce", "multi_tensor_apply"):
                if kind in kernels[0].name:
                    return kind
        for around in event.ancestors():
            if around.is_operator and around.name in self.registered:
                return self.registered[around.name]
        return "other"

    def recompute_key(self, event):
        return (event.is_recompute,) if self.by_recompute else ()

    def recompute_column(self):
        return ["is_recompute"] if self.by_recompute else []

    def gpu_timeline(self):
        rows = []
        for flag in (False, True) if self.by_recompute else (None,):
            events = [e for e in self.population if flag is None or e.is_recompute == flag]
            if events:
                rows += [[*row, *([] if flag is None else [flag])] for row in self.timeline_block(events)]
        # who launched it, again or not, is unknown
        rows.append(["unlinked_time", *self.unlinked_figures(), *([None] if self.by_recompute else [])])
        return ["type", "time ms", "percent", *self.recompute_column()], rows

    def unlinked_figures(self):
        """Its time, and its share of the total, of which it is a part only where none of it ran outside that span."""
        unlinked = [event for event in self.trace.gpu if not self.trace.is_linked(event)]
        first, last = (min((e.begin for e in self.population), default=0), max((e.end for e in self.population), default=0))
        is_inside = all(first <= event.begin and event.end <= last for event in unlinked)
        time = busy(unlinked)
        return ms(time), percent(time, self.total_ns) if is_inside else None

    def timeline_block(self, events):
        computation, communication, copies = (merged([e for e in events if bucket_of(e) == bucket])
                                              for bucket in ("computation", "communication", "memcpy"))
        both = merged([*map(tuple, computation), *map(tuple, communication)])
        total = self.span(events)
        times = {"computation_time": length(computation), "exposed_comm_time": without(communication, computation),
                 "exposed_memcpy_time": without(copies, both), "busy_time": busy(events),
                 "idle_time": total - busy(events), "total_time": total, "total_comm_time": length(communication),
                 "total_memcpy_time": length(copies)}
        parts = ("computation_time", "exposed_comm_time", "exposed_memcpy_time")
        assert sum(times[part] for part in parts) == times["busy_time"]
        return [[name, ms(time), percent(time, total)] for name, time in times.items()]

    def ops_summary_by_category(self):
        groups = defaultdict(list)
        for launcher, events in self.launchers:
            groups[(self.category(launcher), *self.recompute_key(launcher))].append(busy(events))
        ranked = sorted(groups.items(), key=lambda group: (-sum(group[1]), ordering(group[0])))
        rows = [[*key, len(times), ms(sum(times))] for key, times in ranked]
        return (["op category", *self.recompute_column(), "Count", "total_direct_kernel_time_ms", "Percentage (%)",
                 "Cumulative Percentage (%)"], self.with_shares(rows, [sum(times) for _, times in ranked]))

    @staticmethod
    def with_shares(rows, times):
        running, whole = 0, sum(times)
        for row, time in zip(rows, times):
            running += time
            row += [percent(time, whole), percent(running, whole)]
        return rows

    def ops_summary(self):
        groups = defaultdict(list)
        for launcher, events in self.launchers:
            times = busy(events), busy(launcher.gpu_events)
            groups[(launcher.name, *self.recompute_key(launcher))].append((launcher, *times))
        ranked = sorted(groups.items(), key=lambda group: (-sum(m[1] for m in group[1]), ordering(group[0])))
        rows, times = [], []
        for key, members in ranked:
            direct, subtree = sum(m[1] for m in members), sum(m[2] for m in members)
            categories = sorted({self.category(launcher) for launcher, _, _ in members})
            rows.append([*key, us(direct), us(subtree), ms(direct), ms(subtree), len(members), repr(categories)])
            times.append(direct)
        return (["name", *self.recompute_column(), "total_direct_kernel_time_sum", "total_subtree_kernel_time_sum",
                 "total_direct_kernel_time_ms", "total_subtree_kernel_time_ms", "Count", "Categories", "Percentage (%)",
                 "Cumulative Percentage (%)"], self.with_shares(rows, times))

    def arguments(self, event):
        return [printed(event.arguments[name]) if name in event.arguments else None for name in ARGUMENTS]

    def ops_unique_args(self):
        groups = defaultdict(list)
        for launcher, events in self.launchers:
            key = (launcher.name, self.category(launcher), *self.trace.process_columns(launcher),
                   *self.arguments(launcher), *self.recompute_key(launcher))
            groups[key].append((launcher, events, busy(events), busy(launcher.gpu_events)))
        ranked = sorted(groups.items(), key=lambda group: (-sum(m[2] for m in group[1]), group[1][0][0].uid))
        rows = []
        for key, members in ranked:
            details = self.kernel_details([events for _, events, _, _ in members])
            pairs = []
            for figure in (lambda v: us(mean(v)), lambda v: us(median(v)), lambda v: deviation(v, 1),
                           lambda v: us(min(v)), lambda v: us(max(v)), lambda v: us(sum(v))):
                pairs += [figure([m[2] for m in members]), figure([m[3] for m in members])]
            rows.append([*key, len(members), *pairs, members[0][0].uid, printed_details(details), truncated(details)])
        times = [f"total_{reach}_kernel_time_{figure}" for figure in ("mean", "median", "std", "min", "max", "sum")
                 for reach in ("direct", "subtree")]
        return (["name", "op category", "process_name", "process_label", "thread_name", *ARGUMENTS,
                 *self.recompute_column(), "operation_count", *times, "ex_UID", "kernel_details_summary",
                 "trunc_kernel_details", "Percentage (%)", "Cumulative Percentage (%)"],
                self.with_shares(rows, [sum(m[2] for m in members) for _, members in ranked]))

    @cached_property
    def unified(self):
        return UnifiedSummary(self)

    @cached_property
    def categories(self):
        return CategorySheets(self, self.unified)

    def unified_perf_summary(self):
        return self.unified.sheet()

    @staticmethod
    def kernel_details(lists):
        """Kernels of one name at one position of the rows' lists: (name, stream, durations), by total and name."""
        groups = {}
        for events in lists:
            for position, event in enumerate(events):
                first = event.name, event.stream, []
                groups.setdefault((position, event.name), first)[2].append(event.duration)
        return sorted(groups.values(), key=lambda group: (sum(group[2]), group[0]))

    def kernels(self):
        return [event for event in self.trace.gpu if event.category == "kernel"]

    def operator_around(self, kernel):
        return next((node for node in kernel.launch.ancestors() if node.is_operator), None) if kernel.launch else None

    def kernel_summary(self):
        groups = defaultdict(list)
        for kernel in self.kernels():
            groups[(*self.kernel_parent(kernel), kernel.name, kernel.stream)].append(kernel.duration)
        if not self.trace.has_operators:
            groups = {(key[0], *key[2:]): durations for key, durations in groups.items()}
        whole = sum(map(sum, groups.values()))
        rows = [[*key, us(sum(d)), len(d), us(mean(d)), us(min(d)), us(max(d)), percent(sum(d), whole),
                 None if key[0] == "unlinked" else percent(sum(d), self.total_ns)]
                for key, d in sorted(groups.items(), key=lambda group: (-sum(group[1]), ordering(group[0])))]
        headings = ["Parent op category", *(["Parent cpu_op"] if self.trace.has_operators else []), "Kernel name",
                    "Kernel stream", *(f"Kernel duration (µs)_{f}" for f in ("sum", "count", "mean", "min", "max")),
                    "Percent of kernels time (%)", "Percent of total time (%)"]
        return headings, rows

    def kernel_parent(self, kernel):
        """(category, name); without an operator the launching call's name, and what kind of launch it was."""
        if kernel.launch is None:
            return ("unlinked", None) if self.trace.has_launches else (None, None)
        operator = self.operator_around(kernel)
        if operator is not None:
            return self.category(operator), operator.name
        launch = kernel.launch.name
        if not self.trace.has_operators:
            return ("graph" if is_graph(launch) else "runtime"), None
        return ("graph" if is_graph(launch) else "runtime"), launch

    def short_kernels(self):
        return [kernel for kernel in self.kernels() if kernel.duration < SHORT_NS and self.trace.is_linked(kernel)]

    def short_kernel_histogram(self):
        """Which bin a duration is in, the edges decide as they are written: as double."""
        durations = [us(kernel.duration) for kernel in self.short_kernels()]
        headings = ["bin_start", "bin_end", "count"]
        if not durations:
            return headings, []
        low, high = min(durations), max(durations)
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = [low + i * ((high - low) / BINS) for i in range(BINS)] + [high]
        counts = defaultdict(int)
        for duration in durations:
            counts[min(bisect.bisect_right(edges, duration) - 1, BINS - 1)] += 1
        return headings, [[edges[i], edges[i + 1], counts[i]] for i in range(BINS)]

    def short_kernels_summary(self):
        groups = defaultdict(list)
        for kernel in self.short_kernels():
            operator = self.operator_around(kernel)
            values = self.arguments(operator) if operator else [None] * 4
            where = [operator.name if operator else None, values[0], values[2], values[3]]
            groups[(*(where if self.trace.has_operators else []), kernel.name)].append(kernel)
        where = ["Parent cpu_op", "Input dims", "Input strides", "Concrete Inputs"]
        headings = [*(where if self.trace.has_operators else []), "Kernel name",
                    *(f"Short Kernel {figure}" for figure in ("duration (µs) sum", "count", "duration (µs) mean",
                                                              "duration (µs) percent of total time"))]
        rows = []
        by_time = sorted(groups.items(), key=lambda g: (-sum(k.duration for k in g[1]), len(g[1]), ordering(g[0])))
        for key, kernels in by_time:
            durations = [kernel.duration for kernel in kernels]
            rows.append([*key, us(sum(durations)), len(durations), us(mean(durations)),
                         percent(sum(durations), self.total_ns)])
        return headings if rows else [], rows

    def coll_analysis(self):
        kernels = [e for e in self.population if e.category == "kernel" and bucket_of(e) == "communication"]
        rank = (self.trace.metadata.get("distributedInfo") or {}).get("rank", 0)
        has_groups = any("Process Group Name" in kernel.arguments for kernel in kernels)
        is_one_stream = len({kernel.stream for kernel in kernels}) == 1
        no_group = "all" if is_one_stream and not has_groups else "Unknown_Group"
        groups = defaultdict(list)
        for kernel in kernels:
            a = kernel.arguments
            says_all_reduce = "AllReduce" in kernel.name or "cross_device_reduce" in kernel.name
            collective = a.get("Collective name", "allreduce" if says_all_reduce else None)
            sizes = [a.get("In split size"), a.get("Out split size")]
            key = (rank, a.get("Process Group Name", no_group), a.get("Process Group Ranks"), collective,
                   a.get("Group size"), a.get("dtype"), a.get("In msg nelems"), a.get("Out msg nelems"), *sizes,
                   kernel.stream)
            groups[tuple(str(item) if isinstance(item, list) else item for item in key)].append(kernel.duration)
        rows = []
        for key, durations in sorted(groups.items(), key=lambda group: (-sum(group[1]), ordering(group[0]))):
            element = DTYPE_BYTES.get(key[5])
            megabytes = [None if element is None or count is None else float(Fraction(count * element, 2 ** 20))
                         for count in key[6:8]]
            rows.append([*key, *megabytes, us(sum(durations)), us(mean(durations)), deviation(durations, 1),
                         us(min(durations)), us(max(durations)), len(durations)])
        return ["rank", "Process Group Name", "Process Group Ranks", "Collective name", "Group size", "dtype",
                "In msg nelems", "Out msg nelems", "In split size", "Out split size", "stream",
                "In msg size (MB)_first", "Out msg size (MB)_first", "dur_sum", "dur_mean", "dur_std", "dur_min",
                "dur_max", "operation_count"], rows


def is_graph(launch):
    return "cudagraph" in launch.lower() or "graphlaunch" in launch.lower()


SHEETS = ["gpu_timeline", "ops_summary_by_category", "ops_summary", "ops_unique_args", "unified_perf_summary",
          "kernel_summary", "short_kernel_histogram", "short_kernels_summary", "coll_analysis"]
OPERATOR_SHEETS = {"ops_summary_by_category", "ops_summary", "ops_unique_args", "unified_perf_summary",
                   *CATEGORY_SHEETS}


def write_sheet(path, headings, rows):
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows([["" if cell is None else cell for cell in row] for row in rows])


def derive(trace_path, folder, by_recompute=False, sheets=None, platform=None):
    trace = DerivedTrace(Path(trace_path))
    specification = shared_folder() / "specs/perf_report.md"
    tables = Tables(trace, registered_categories(specification), by_recompute, sheet_families(specification), platform)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for sheet in sheets or SHEETS:
        if sheet in OPERATOR_SHEETS and not trace.has_operators:
            continue
        is_category = sheet in CATEGORY_SHEETS
        headings, rows = tables.categories.sheet(sheet) if is_category else getattr(tables, sheet)()
        if rows or sheet.startswith("short_"):
            write_sheet(Path(folder) / f"{sheet}.csv", headings, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("output")
    parser.add_argument("--detect-recompute", action="store_true")
    parser.add_argument("--platform")
    parser.add_argument("--sheets")
    options = parser.parse_args()
    sheets = options.sheets.split(",") if options.sheets else None
    derive(options.trace, options.output, options.detect_recompute, sheets, options.platform)


if __name__ == "__main__":
    main()
