#!/usr/bin/env python3
"""Prints for each trace of the shared folder how much of its operators' GPU time a model has figures for, and holds the
reference's own share against it: ours is never lower, and higher wherever the reference leaves out time of an operator
that the registry has a model for.

usage: model_shares.py

Time is the kernel time of unified_perf_summary. A row has a model where it has FLOPs or bytes. Exit status 1 where a
share is lower than the reference's, or no higher where it has to be. Traces that replay captured graphs are printed and
not compared: the reference's figures for them come from the traces of the capture, which are not read here.
"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from shared_folder import shared_folder  # noqa: E402

PROGRAM = ROOT / "build/release/kinetoscope"
SHEET = "unified_perf_summary.csv"
TIME = "Kernel Time (µs)_sum"
ROUNDING = 1e-9
# flags with which the goldens of a folder were made
FLAGS = {"default": [], "recompute": ["--detect-recompute"]}

csv.field_size_limit(1 << 30)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def has_figures(row):
    return row["GFLOPS"] != "" or row["Data Moved (MB)"] != ""


def share_of(rows):
    """None where no GPU work has an operator."""
    total = sum(float(row[TIME]) for row in rows)
    return sum(float(row[TIME]) for row in rows if has_figures(row)) / total if total > 0 else None


def modelled_names():
    """Exact names only: what a prefix names is not an operator of the registry."""
    registry = json.loads((ROOT / "core/perf_model/operators.json").read_text(encoding="utf-8"))
    return {name for entry in registry["families"] if "model" in entry for name in entry["operators"]}


def goldens_of(shared, trace):
    """Sheets of the reference for this trace, with the flags that they were made with."""
    folder = shared / "goldens/perf_report"
    for kind, flags in FLAGS.items():
        for sheet in sorted((folder / kind).rglob(SHEET)):
            place = sheet.parent.relative_to(folder / kind)
            base = trace.relative_to(shared / "traces")
            stem = base.name.removesuffix(".gz").removesuffix(".json")
            if base.parts[0] == place.parts[0] and stem == place.name:
                yield kind, flags, sheet


def made(trace, flags, folder):
    run = subprocess.run([PROGRAM, "tables", trace, "-o", folder, *flags], capture_output=True, encoding="utf-8")
    if run.returncode != 0:
        sys.exit(f"{trace}: {run.stderr}")
    path = Path(folder) / SHEET
    return rows_of(path) if path.exists() else []


def problem_of(ours, reference, rows, names):
    if ours < reference - ROUNDING:
        return f"lower than the reference's {reference:.4%}"
    left_out = {row["name"] for row in rows if not has_figures(row) and row["name"] in names and float(row[TIME]) > 0}
    if left_out and ours <= reference + ROUNDING:
        return f"no higher than the reference's, which leaves out {', '.join(sorted(left_out))}"
    return None


def percent(share):
    return "no operators" if share is None else f"{share:.2%} of GPU time has a model"


def main():
    shared = shared_folder()
    names = modelled_names()
    passed = failed = 0
    for trace in sorted((shared / "traces").rglob("*.json.gz")):
        name = str(trace.relative_to(shared / "traces"))
        goldens = list(goldens_of(shared, trace)) or [("no golden", [], None)]
        for kind, flags, sheet in goldens:
            with tempfile.TemporaryDirectory() as folder:
                ours = share_of(made(trace, flags, folder))
            reference_rows = rows_of(sheet) if sheet else []
            reference = share_of(reference_rows) if sheet else None
            problem = problem_of(ours or 0, reference, reference_rows, names) if reference is not None else None
            beside = f", in the reference {reference:.2%}" if sheet else ""
            print(f"{name} ({kind}): {percent(ours)}{beside}{f': {problem}' if problem else ''}")
            passed, failed = (passed, failed + 1) if problem else (passed + 1, failed)
    print(f"model shares: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
