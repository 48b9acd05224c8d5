#!/usr/bin/env python3
"""Runs the declarative cases tests/golden/<command>/<case>.json against the program.

usage: run_golden.py [CASE.json...]

A case: `about`, `command`, `flags`, `derivation` (where the expected values come from: required), one of `trace` (a path
relative to the repository or to the shared folder, or a trace as an object, or a list of these) and `trace_text` (the
input's exact text), and `expect`: `status` (0), `values` (JSON pointer -> value), `contains` (JSON pointer of an array ->
what one of its elements holds, or a list of such), `diagnostics` (code -> count; another one that harms figures fails),
`stderr_contains` (a text or a list). Each failure names its pointer, what was wanted and what came.

A case of tables has `about`, `trace`, `command`, `flags`, `golden` (a folder of the reference's sheets, relative to the
shared folder) and `sheets` (those to compare) instead: golden_tables.py. Without `golden` the derivation alone decides.
"""
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import golden_tables
from declarations import ROOT, diagnostic_kinds
from shared_folder import shared_folder

PROGRAM = ROOT / "build/release/kinetoscope"
KEYS = {"about", "trace", "trace_text", "command", "flags", "expect", "derivation"}
EXPECT_KEYS = {"status", "values", "contains", "diagnostics", "stderr_contains"}
NOTHING = object()


def at_pointer(document, pointer):
    """RFC 6901; NOTHING where there is no such value."""
    if pointer == "":
        return document
    if not pointer.startswith("/"):
        raise ValueError(f'"{pointer}" is no JSON pointer')
    for token in pointer[1:].split("/"):
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and token in document:
            document = document[token]
        elif isinstance(document, list) and token.isdecimal() and (token == "0" or token[0] != "0") and int(token) < len(document):
            document = document[int(token)]
        else:
            return NOTHING
    return document


def is_same(wanted, got):
    """Equal in value and kind; numbers with a fraction agree to the last few digits of a double."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, float) or isinstance(got, float):
        return isinstance(wanted, (int, float)) and isinstance(got, (int, float)) and abs(wanted - got) <= 1e-12 * abs(wanted)
    if isinstance(wanted, list):
        return isinstance(got, list) and len(wanted) == len(got) and all(map(is_same, wanted, got))
    if isinstance(wanted, dict):
        return isinstance(got, dict) and wanted.keys() == got.keys() and all(is_same(wanted[k], got[k]) for k in wanted)
    return type(wanted) is type(got) and wanted == got


def holds(subset, element):
    """Every key of `subset` is in `element` with the same value; objects inside objects likewise."""
    if isinstance(subset, dict):
        return isinstance(element, dict) and all(key in element and holds(subset[key], element[key]) for key in subset)
    return is_same(subset, element)


def shown(value):
    return "nothing" if value is NOTHING else json.dumps(value, ensure_ascii=False)[:300]


def check_values(expect, document):
    for pointer, wanted in expect.get("values", {}).items():
        got = at_pointer(document, pointer)
        if not is_same(wanted, got):
            yield f"{pointer}: wanted {shown(wanted)}, got {shown(got)}"


def check_contains(expect, document):
    for pointer, subsets in expect.get("contains", {}).items():
        elements = at_pointer(document, pointer)
        for subset in subsets if isinstance(subsets, list) else [subsets]:
            if not isinstance(elements, list) or not any(holds(subset, element) for element in elements):
                yield f"{pointer}: wanted an element with {shown(subset)}, got {shown(elements)}"


def check_diagnostics(expect, document, severities):
    counts = {}
    for trace in document if isinstance(document, list) else [document]:
        for found in trace.get("diagnostics", []):
            counts[found["code"]] = counts.get(found["code"], 0) + found["count"]
    wanted = expect.get("diagnostics", {})
    for code, count in wanted.items():
        if counts.get(code, 0) != count:
            yield f"/diagnostics {code}: wanted {count}, got {counts.get(code, 0)}"
    for code, count in counts.items():
        if code not in severities:
            yield f"/diagnostics {code}: no such kind is declared"
        elif code not in wanted and severities[code] != "note":
            yield f"/diagnostics {code}: wanted none, got {count} ({severities[code]})"


def wants_json(expect, flags):
    return "--json" in flags or any(key in expect for key in ("values", "contains", "diagnostics"))


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def check_output(case, run, severities):
    expect = case["expect"]
    status = expect.get("status", 0)
    if run.returncode != status:
        yield f"exit status: wanted {status}, got {run.returncode}; stderr: {run.stderr.strip()[:500]}"
        return
    texts = expect.get("stderr_contains", [])
    for text in [texts] if isinstance(texts, str) else texts:
        if text not in run.stderr:
            yield f'stderr: wanted "{text}", got "{run.stderr.strip()[:500]}"'
    if status == 0 and wants_json(expect, case.get("flags", [])):
        document = parsed(run.stdout)
        if not isinstance(document, (dict, list)):
            yield f"stdout: wanted JSON, got {run.stdout[:200]!r}"
            return
        yield from check_values(expect, document)
        yield from check_contains(expect, document)
        yield from check_diagnostics(expect, document, severities)


def check_form(case):
    for key in ("about", "command", "expect", "derivation"):
        if not case.get(key):
            yield f'the case has no "{key}"'
    for key in sorted(case.keys() - KEYS) + sorted(case.get("expect", {}).keys() - EXPECT_KEYS):
        yield f'unknown key "{key}"'
    if ("trace" in case) == ("trace_text" in case):
        yield 'the case has one of "trace" and "trace_text"'


def input_paths(case, name, folder):
    """The traces as files; inline ones are written into `folder`."""
    if "trace_text" in case:
        path = Path(folder) / f"{name}.json"
        path.write_text(case["trace_text"], encoding="utf-8", newline="")
        return [str(path)]
    traces = case["trace"] if isinstance(case["trace"], list) else [case["trace"]]
    paths = []
    for number, trace in enumerate(traces):
        if isinstance(trace, str):
            found = [root / trace for root in (ROOT, shared_folder()) if (root / trace).exists()]
            if not found:
                raise FileNotFoundError(f"{trace}: neither in the repository nor in {shared_folder()}")
            paths.append(str(found[0]))
        else:
            path = Path(folder) / f"{name}{number or ''}.json"
            path.write_text(json.dumps(trace), encoding="utf-8")
            paths.append(str(path))
    return paths


def failures_of(path, severities):
    """What is wrong with one case, as lines, empty when it holds; and, of a case of tables, its figures."""
    try:
        case = json.loads(path.read_text(encoding="utf-8"))
        has_tables = golden_tables.is_table_case(case)
        problems = list(golden_tables.check_form(case) if has_tables else check_form(case))
        if problems:
            return problems, None
        if has_tables:
            with tempfile.TemporaryDirectory(prefix="golden-") as folder:
                outcome = golden_tables.outcome_of(case, PROGRAM, input_paths(case, path.stem, folder)[0])
            return outcome.problems, outcome
        with tempfile.TemporaryDirectory(prefix="golden-") as folder:
            command = [str(PROGRAM), case["command"], *input_paths(case, path.stem, folder), *case.get("flags", [])]
            run = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                                 errors="replace", timeout=120, check=False)
        return list(check_output(case, run, severities)), None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, subprocess.TimeoutExpired) as problem:
        return [f"{type(problem).__name__}: {problem}"], None


def main():
    if not PROGRAM.exists():
        sys.exit(f"golden: {PROGRAM} is not built: ./dev build")
    shared_folder()  # loud when absent, whatever the cases need
    paths = [Path(name) for name in sys.argv[1:]] or sorted((ROOT / "tests/golden").glob("*/*.json"))
    severities = {kind.code: kind.severity for kind in diagnostic_kinds()}
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda path: failures_of(path, severities), paths))
    names = [path.resolve().relative_to(ROOT).as_posix() for path in paths]
    for name, (problems, _) in zip(names, results):
        for problem in problems:
            print(f"{name}: {problem}")
    checks = [problems for problems, _ in results]
    tables = [(name, outcome) for name, (_, outcome) in zip(names, results) if outcome is not None]
    for problems in golden_tables.conclude(tables, is_complete=not sys.argv[1:]):
        checks.append(problems)
        for problem in problems:
            print(problem)
    failed = sum(1 for problems in checks if problems)
    print(f"golden: {len(checks) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
