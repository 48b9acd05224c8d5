#!/usr/bin/env python3
"""Measures loading and the tables beside the floor: makes the inputs, runs the benchmark program, counts instructions.

usage: run_bench.py [--quick] [--record]

Inputs are one real trace repeated in time, in a compact layout and in the profiler's own, of 20 MB, 200 MB and 1 GB of
JSON; they are made once, under build/bench/. Results go to build/bench/results.json and, as a table, to stdout. --quick
takes the 20 MB inputs only and counts no instructions; --record writes docs/performance.md.

The reference is what Python tools begin with, gzip and json.load of the standard library, on inputs up to 200 MB.
"""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import time

from declarations import ROOT
from shared_folder import shared_folder

FOLDER = ROOT / "build/bench"
PROGRAM = ROOT / "build/release/kinetoscope-bench"
SOURCE = "traces/mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"
MEGABYTES = {"20mb": 20, "200mb": 200, "1gb": 1000}
LAYOUTS = ("compact", "kineto")
COUNTED_LAYOUT = "kineto"
# Stage `load` is the trace and its call tree, `tables` the whole command; below 200 MB the start of threads and first use
# of memory would decide.
LIMITS_TO_FLOOR = {"load": 2.0, "tables": 3.0}
LIMITED_INPUTS = ("200mb", "1gb")
LIMIT_OF_TABLES_MEMORY = 0.5  # of the document's size
LIMIT_OF_TABLES_GROWTH = 5.5  # from 200 MB to 1 GB
LIMIT_OF_INSTRUCTIONS = 11  # ten times the input, and a tenth for what is not linear: sorting, growing tables


def path_of(layout, size):
    return FOLDER / f"qwen_{layout}_{size}.json.gz"


def make_input(layout, size):
    path = path_of(layout, size)
    if path.exists():
        return
    partial = path.with_name(f"making_{path.name}")
    tool = shared_folder() / "tools/scale_trace.py"
    subprocess.run([sys.executable, tool, shared_folder() / SOURCE, partial, "--megabytes", str(MEGABYTES[size]),
                    "--layout", layout], check=True)
    partial.rename(path)


def json_bytes(path):
    with gzip.open(path) as stream:
        return sum(len(piece) for piece in iter(lambda: stream.read(1 << 20), b""))


def python_seconds(path):
    """In a process of its own: json.load of a large trace leaves gigabytes behind."""
    code = "import gzip,json,sys,time; b=time.perf_counter(); json.load(gzip.open(sys.argv[1])); print(time.perf_counter()-b)"
    return float(subprocess.run([sys.executable, "-c", code, path], check=True, capture_output=True, text=True).stdout)


def reference_seconds(sizes):
    """Measured once and kept beside the inputs: it does not change with our sources."""
    kept = FOLDER / "references.json"
    seconds = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for path in (path_of(layout, size) for size in sizes if size != "1gb" for layout in LAYOUTS):
        if path.name not in seconds:
            seconds[path.name] = python_seconds(path)
            kept.write_text(json.dumps(seconds, indent=1), encoding="utf-8")
    return kept


def measured_rows(sizes):
    rows = FOLDER / "rows.json"
    command = [PROGRAM, "--json", rows, "--references", reference_seconds(sizes)]
    for size in sizes:
        for layout in LAYOUTS:
            command += ["--input", path_of(layout, size)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(rows.read_text(encoding="utf-8")), done.stdout


def count_with_perf(command):
    """Hardware counters, in user mode; None where there are none, as on most virtual machines."""
    try:
        done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", "--", *command], capture_output=True,
                              text=True, check=False)
    except FileNotFoundError:
        return None
    found = re.search(r"^(\d+),[^,]*,instructions", done.stderr, re.MULTILINE)
    return int(found.group(1)) if done.returncode == 0 and found else None


def count_with_callgrind(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--", *command], check=True,
                          capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def instructions_of(count, stage, path):
    """Of one run, without its preparation."""
    command = [str(PROGRAM), "--stage", stage, "--input", str(path)]
    return count([*command, "--once"]) - count([*command, "--prepare-only"])


def counted_stages():
    has_counters = count_with_perf(["true"]) is not None
    count, method = (count_with_perf, "perf") if has_counters else (count_with_callgrind, "callgrind")
    stages = subprocess.run([PROGRAM, "--list"], check=True, capture_output=True, text=True).stdout.split()
    small, large = path_of(COUNTED_LAYOUT, "20mb"), path_of(COUNTED_LAYOUT, "200mb")
    size_ratio = json_bytes(large) / json_bytes(small)
    rows = []
    for stage in stages:
        at_small, at_large = instructions_of(count, stage, small), instructions_of(count, stage, large)
        rows.append({"stage": stage, "method": method, "at_20_mb": at_small, "at_200_mb": at_large,
                     "ratio": at_large / at_small, "size_ratio": size_ratio, "limit": LIMIT_OF_INSTRUCTIONS})
    return rows


def instructions_table(rows):
    lines = [f"{'stage':<8} {'at 20 MB':>16} {'at 200 MB':>16} {'ratio':>7} {'limit':>6}  counted by"]
    lines += [f"{row['stage']:<8} {row['at_20_mb']:>16,} {row['at_200_mb']:>16,} {row['ratio']:>7.2f} {row['limit']:>6}  "
              f"{row['method']}, input {row['size_ratio']:.2f} times as large" for row in rows]
    return "\n".join(lines) + "\n"


def gzip_seconds(path):
    """Least of five runs of `gzip -dc`, which a user waits for who only wants to look into the file."""
    def once():
        begin = time.perf_counter()
        subprocess.run(["gzip", "-dc", path], stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - begin
    return min(once() for _ in range(5))


def measured_tables(rows):
    """Rows of `tables` beside gzip and the document's size."""
    return [{"input": row["input"], "seconds": row["ours_s"], "gzip_seconds": gzip_seconds(FOLDER / row["input"]),
             "peak_memory_bytes": row["peak_memory_bytes"], "json_bytes": json_bytes(FOLDER / row["input"])}
            for row in rows if row["stage"] == "tables"]


def tables_table(tables):
    lines = [f"{'input':<24} {'tables s':>9} {'gzip -dc s':>11} {'peak memory':>12} {'document':>10}"]
    lines += [f"{row['input']:<24} {row['seconds']:>9.3f} {row['gzip_seconds']:>11.3f} "
              f"{row['peak_memory_bytes'] / 1e6:>9.1f} MB {row['json_bytes'] / 1e6:>7.0f} MB" for row in tables]
    return "\n".join(lines) + "\n"


def is_limited(row):
    return any(size in row["input"] for size in LIMITED_INPUTS)


def broken_limits(rows, counted, tables):
    """What the house promises of its speed and this run does not keep."""
    broken = [f"{row['stage']} of {row['input']} takes {row['ratio_to_floor']:.2f} times the floor, above {limit}"
              for row in rows for limit in [LIMITS_TO_FLOOR.get(row["stage"])]
              if limit and is_limited(row) and row["ratio_to_floor"] > limit]
    broken += [f"instructions of {row['stage']} grow {row['ratio']:.2f} times, above {row['limit']}"
               for row in counted if row["ratio"] > row["limit"]]
    for row in filter(is_limited, tables):
        if row["seconds"] > row["gzip_seconds"]:
            broken.append(f"tables of {row['input']} take {row['seconds']:.2f} s, gzip -dc {row['gzip_seconds']:.2f} s")
        if row["peak_memory_bytes"] > LIMIT_OF_TABLES_MEMORY * row["json_bytes"]:
            broken.append(f"tables of {row['input']} hold {row['peak_memory_bytes'] / 1e6:.0f} MB, more than half of "
                          f"{row['json_bytes'] / 1e6:.0f} MB")
    seconds = {row["input"]: row["seconds"] for row in tables}
    for layout in LAYOUTS:
        small, large = (seconds.get(path_of(layout, size).name) for size in ("200mb", "1gb"))
        if small and large and large > LIMIT_OF_TABLES_GROWTH * small:
            broken.append(f"tables of 1 GB ({layout}) take {large / small:.2f} times those of 200 MB")
    return broken


def machine():
    def first(path, pattern):
        with open(path, encoding="utf-8") as stream:
            found = re.search(pattern, stream.read(), re.MULTILINE)
        return found.group(1) if found else "unknown"

    return {"model": first("/proc/cpuinfo", r"^model name\s*: (.*)$"), "cores": os.cpu_count(),
            "memory_gb": round(int(first("/proc/meminfo", r"^MemTotal:\s*(\d+)")) / 1e6)}


PAGE = """# Performance

Written by `./dev bench --record`, on {cores} cores of {model} with {memory_gb} GB.

The floor of loading is one warm process with one thread that inflates into a window of 8 MB and walks every field of every
event in it, both times added (`bench/floor_bench.cpp`). The reference is what Python tools begin with: `gzip` and
`json.load` of the standard library. Inputs are one real trace repeated in time; least of five runs, the slowest beside it.

```
{table}```

The command `tables`, from the file to a folder of CSV files, beside what `gzip -dc` takes for the same file, and the most
memory it held beside the document's size. The limits: three times the floor, the time of gzip, half the document, and 1 GB
in 5.5 times the time of 200 MB. The reference implementation takes 51.7 s and 2.37 GB for 200 MB on two cores.

```
{tables}```

Instructions of one run, without what it starts from: ten times the input may cost eleven times the instructions.

```
{instructions}```
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="20 MB inputs only, no instructions")
    parser.add_argument("--record", action="store_true", help="write docs/performance.md")
    options = parser.parse_args()
    sizes = ["20mb"] if options.quick else list(MEGABYTES)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        for layout in LAYOUTS:
            make_input(layout, size)
    rows, table = measured_rows(sizes)
    print(table, flush=True)
    counted = [] if options.quick else counted_stages()
    print(instructions_table(counted) if counted else "", end="")
    tables = measured_tables(rows)
    print(tables_table(tables), end="")
    results = {"machine": machine(), "rows": rows, "instructions": counted, "tables": tables}
    (FOLDER / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if options.record:
        page = PAGE.format(table=table, instructions=instructions_table(counted), tables=tables_table(tables),
                           **results["machine"])
        (ROOT / "docs/performance.md").write_text(page, encoding="utf-8")
    broken = broken_limits(rows, counted, tables)
    print("".join(f"limit broken: {line}\n" for line in broken), end="")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
