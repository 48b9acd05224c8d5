"""Golden cases of tables: the program's sheets, cell by cell, against the reference's and against our own derivation.

Where the reference is wrong, a rule of tests/golden/differences.json excuses the cell; what is right there, and
everywhere else, tests/golden/derive_tables.py says, from which the program may nowhere differ. A case passes when no
cell is wrong in either comparison. Over all cases at most a tenth of the cells may be excused, and every rule must be
needed by some case. Traces without sheets of the reference are held to the derivation alone: cases without `golden`.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from declarations import ROOT
from shared_folder import shared_folder

REQUIRED_KEYS = ("about", "command", "sheets", "trace")
KEYS = {*REQUIRED_KEYS, "flags", "golden"}
DIFFERENCES = ROOT / "tests/golden/differences.json"
SCHEMA = ROOT / "schemas/data/differences.schema.json"
DERIVATION = ROOT / "tests/golden/derive_tables.py"
EXCUSED_SHARE_LIMIT = 0.10
DERIVED_AGREEMENT = "1e-9"
# flags of the program that the derivation knows, and how many of their words it is told, too
DERIVED_FLAGS = {"--kernel-summary": 0, "--short-kernels": 0, "--detect-recompute": 1, "--platform": 2}
DERIVED_SHEETS = {"gpu_timeline", "ops_summary_by_category", "ops_summary", "ops_unique_args", "unified_perf_summary",
                  "kernel_summary", "short_kernel_histogram", "short_kernels_summary", "coll_analysis"}
# derived where a golden folder is: other traces have families whose parameters are not derived
CATEGORY_SHEETS = {"GEMM", "SDPA_fwd", "SDPA_bwd", "CONV_fwd", "CONV_bwd", "BinaryElementwise", "UnaryElementwise",
                   "Normalization", "Reduce_fwd", "Reduce_bwd"}


class Compared(NamedTuple):
    """What compare_tables.py counted; `lines` are its words where something was wrong."""
    cells: int
    wrong: int
    excused: int
    lines: list


class TableOutcome(NamedTuple):
    golden: str  # folder, relative to the shared one; empty without
    problems: list
    cells: int = 0
    excused: int = 0
    used: frozenset = frozenset()  # positions in differences.json


def is_table_case(case):
    return isinstance(case, dict) and "sheets" in case


def derived_words(case):
    """What the derivation is told of the case's flags; None where it does not know one of them."""
    words, left = [], list(case.get("flags", []))
    while left:
        if left[0] not in DERIVED_FLAGS:
            return None
        told = DERIVED_FLAGS[left[0]]
        words += left[:told]
        left = left[max(told, 1):]
    return words


def is_derivable(case):
    return derived_words(case) is not None


def check_form(case):
    for key in REQUIRED_KEYS:
        if not case.get(key):
            yield f'the case has no "{key}"'
    for key in sorted(case.keys() - KEYS):
        yield f'unknown key "{key}"'
    if case.get("command") != "tables":
        yield 'only the command "tables" writes sheets'
    if not isinstance(case.get("trace"), str) and ("golden" in case or not isinstance(case.get("trace"), dict)):
        yield "sheets are of one recorded trace; without a golden folder it may stand in the case"
    if "golden" not in case and not (is_derivable(case) and DERIVED_SHEETS.issuperset(case.get("sheets", []))):
        yield "without a golden folder the sheets must be those that are derived"


def parsed_counts(output):
    """Of the last line of compare_tables.py; None when it did not come to one."""
    found = re.search(r": (\d+) cells compared, (\d+) wrong, (\d+) excused$", output.strip())
    return tuple(map(int, found.groups())) if found else None


def compare(golden, output, sheets, *options):
    tool = shared_folder() / "tools/compare_tables.py"
    command = [sys.executable, "-B", str(tool), str(golden), str(output), "--sheets", ",".join(sheets), *options]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=300, check=False)
    counts = parsed_counts(run.stdout)
    if counts is None or (run.returncode != 0) != (counts[1] > 0):
        return Compared(0, 1, 0, [f"the comparison itself failed: {run.stderr.strip()[-500:]}"])
    lines = [line for line in run.stdout.splitlines()[:-1] if not line.endswith(" 0 wrong, 0 excused")]
    return Compared(*counts, lines if counts[1] else [])


def sheets_of(folder):
    return {path.stem for path in Path(folder).glob("*.csv")}


def run_program(program, case, trace, folder):
    """Problems; none when it wrote its sheets."""
    command = [str(program), case["command"], trace, "-o", str(folder), *case.get("flags", [])]
    run = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                         errors="replace", timeout=300, check=False)
    return [] if run.returncode == 0 else [f"exit status {run.returncode}; stderr: {run.stderr.strip()[:500]}"]


def against_derivation(case, trace, output, folder):
    """Problems of the cells that are derived: all columns of the reference but perf_params, of the sheets we derive."""
    sheets = sorted((DERIVED_SHEETS | CATEGORY_SHEETS) & set(case["sheets"]))
    if not sheets or not is_derivable(case):
        return []
    command = [sys.executable, "-B", str(DERIVATION), trace, str(folder), "--sheets", ",".join(sheets),
               *derived_words(case)]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=False)
    if run.returncode != 0:
        return [f"the derivation failed: {run.stderr.strip()[-500:]}"]
    missing = [f"derivation: nothing of the trace belongs in {sheet}" for sheet in set(sheets) - sheets_of(folder)]
    found = compare(folder, output, sheets, "--rel", DERIVED_AGREEMENT)
    return missing + [f"derivation: {line.strip()}" for line in found.lines]


def surplus_problems(written, expected, known=DERIVED_SHEETS):
    """Sheets that nothing of the trace belongs to, or that nobody asked for, are not written; later ones are ours."""
    return [f"{sheet}: this trace should have no such sheet" for sheet in sorted(known & (written - expected))]


def golden_problems(case, golden):
    """A sheet that is asked for and not there would be compared by nobody."""
    missing = sorted(set(case["sheets"]) - sheets_of(golden))
    return [f"the golden folder has no {', '.join(missing)}"] if missing else []


def against_reference(case, output, used):
    """The outcome without what the derivation says; `used` is a path for the numbers of the rules that were needed."""
    golden = shared_folder() / case["golden"]
    found = compare(golden, output, case["sheets"], "--exceptions", str(DIFFERENCES), "--used", str(used))
    problems = golden_problems(case, golden) + [f"reference: {line.strip()}" for line in found.lines]
    problems += surplus_problems(sheets_of(output), sheets_of(golden), DERIVED_SHEETS | CATEGORY_SHEETS)
    numbers = frozenset(map(int, used.read_text(encoding="utf-8").split())) if used.exists() else frozenset()
    return TableOutcome(case["golden"], problems, found.cells, found.excused, numbers)


def outcome_of(case, program, trace):
    """`trace` is the path of the case's trace."""
    with tempfile.TemporaryDirectory(prefix="tables-") as folder:
        output = Path(folder) / "output"
        problems = run_program(program, case, trace, output)
        if problems:
            return TableOutcome(case.get("golden", ""), problems)
        if "golden" in case:
            outcome = against_reference(case, output, Path(folder) / "used")
        else:
            outcome = TableOutcome("", surplus_problems(sheets_of(output), set(case["sheets"])))
        return outcome._replace(problems=outcome.problems +
                                against_derivation(case, trace, output, Path(folder) / "derived"))


def rule_problems(rules, schema):
    """What is wrong with the rules themselves."""
    known, required = schema["items"]["properties"].keys(), schema["items"]["required"]
    defects = set()
    for number, rule in enumerate(rules):
        place = f"differences.json, rule {number}"
        for key in sorted(set(required) - rule.keys()):
            yield f'{place} has no "{key}"'
        for key in sorted(rule.keys() - known):
            yield f'{place}: unknown key "{key}"'
        for key in ("sheet", "column", "row", "case"):
            try:
                re.compile(rule.get(key, ""))
            except re.error as problem:
                yield f'{place}: "{key}" is no pattern: {problem}'
        if rule.get("defect") not in defects:
            defects.add(rule.get("defect"))
            missing = [key for key in ("title", "example") if not rule.get(key)]
            yield from (f'{place}: the first of a defect has a "{key}"' for key in missing)
        if not (ROOT / rule.get("test", "nowhere")).is_file():
            yield f'{place}: "test" names no file'


def unused_rules(rules, outcomes):
    """Rules that excuse nothing any more; to be called with the outcomes of all cases only."""
    used = frozenset().union(*(outcome.used for outcome in outcomes))
    for number, rule in enumerate(rules):
        if number in used:
            continue
        sheet, column, row = rule["sheet"], rule.get("column", ""), rule.get("row", "")
        text = f"differences.json, rule {number} (sheet {sheet}, column {column}, row {row})"
        if "case" in rule and not any(re.search(rule["case"], outcome.golden) for outcome in outcomes):
            yield f'{text}: no case has "{rule["case"]}" in its golden folder'
        else:
            yield f"{text} excused nothing"


def percent_of(part, whole):
    return f"{100 * part / whole if whole else 0:.1f} %"


def share_problems(outcomes):
    cells, excused = sum(o.cells for o in outcomes), sum(o.excused for o in outcomes)
    if excused > EXCUSED_SHARE_LIMIT * cells:
        limit = percent_of(EXCUSED_SHARE_LIMIT, 1)
        yield f"tables: {percent_of(excused, cells)} of the cells are excused, {limit} at most may be"


def conclude(named_outcomes, is_complete):
    """Prints each case's figures; one list of problems a check: the share and, when all cases were run, the rules."""
    if not named_outcomes:
        return []
    outcomes = [outcome for _, outcome in named_outcomes]
    whole = TableOutcome("", [], sum(o.cells for o in outcomes), sum(o.excused for o in outcomes))
    with_golden = [(name, outcome) for name, outcome in named_outcomes if outcome.golden]
    for name, outcome in [*with_golden, (f"all {len(with_golden)} golden folders", whole)]:
        share = percent_of(outcome.excused, outcome.cells)
        print(f"{name}: {outcome.cells} cells compared, {outcome.excused} excused ({share})")
    rules = json.loads(DIFFERENCES.read_text(encoding="utf-8"))
    about_rules = list(rule_problems(rules, json.loads(SCHEMA.read_text(encoding="utf-8"))))
    if is_complete and not about_rules:
        about_rules = list(unused_rules(rules, outcomes))
    return [list(share_problems(outcomes)), about_rules]
