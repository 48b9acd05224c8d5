"""Tests of the checking scripts themselves: a checker that lets everything pass would show nothing."""
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/golden")]
import check_readme  # noqa: E402
import derive_tables  # noqa: E402
import derived_categories  # noqa: E402
import derived_parameters  # noqa: E402
import derived_rooflines  # noqa: E402
import derived_trace  # noqa: E402
import derived_unified  # noqa: E402
import golden_tables  # noqa: E402
import lint_structure  # noqa: E402
import make_docs  # noqa: E402
import run_golden  # noqa: E402


class GoldenRunner(unittest.TestCase):
    DOCUMENT = {"a/b": [{"x": 1, "y": {"z": 2}}], "m~n": True, "diagnostics": [{"code": "negative_duration", "count": 2}]}

    def test_pointers_follow_rfc_6901(self):
        self.assertEqual(run_golden.at_pointer(self.DOCUMENT, "/a~1b/0/y/z"), 2)
        self.assertIs(run_golden.at_pointer(self.DOCUMENT, "/m~0n"), True)
        self.assertIs(run_golden.at_pointer(self.DOCUMENT, "/a~1b/00"), run_golden.NOTHING)  # no leading zeros
        self.assertIs(run_golden.at_pointer(self.DOCUMENT, ""), self.DOCUMENT)

    def test_values_differ_in_kind_too(self):
        self.assertFalse(run_golden.is_same(1, True))
        self.assertFalse(run_golden.is_same(None, 0))
        self.assertTrue(run_golden.is_same(1.0, 1))
        self.assertFalse(run_golden.is_same(0.1, 0.1001))

    def test_a_value_that_is_missing_fails(self):
        self.assertEqual(list(run_golden.check_values({"values": {"/q": None}}, self.DOCUMENT)),
                         ["/q: wanted null, got nothing"])

    def test_subsets_reach_into_objects(self):
        self.assertEqual(list(run_golden.check_contains({"contains": {"/a~1b": {"y": {"z": 2}}}}, self.DOCUMENT)), [])
        self.assertEqual(len(list(run_golden.check_contains({"contains": {"/a~1b": {"y": {"z": 3}}}}, self.DOCUMENT))), 1)

    def test_an_unlisted_diagnostic_fails_unless_it_is_a_note(self):
        for severity, failures in (("note", 0), ("warning", 1), ("partial", 1)):
            found = list(run_golden.check_diagnostics({}, self.DOCUMENT, {"negative_duration": severity}))
            self.assertEqual(len(found), failures, severity)
        self.assertEqual(len(list(run_golden.check_diagnostics({}, self.DOCUMENT, {}))), 1)  # declared nowhere

    def test_a_case_without_derivation_fails(self):
        case = {"about": "x", "trace_text": "", "command": "info", "expect": {"status": 3}}
        self.assertEqual(list(run_golden.check_form(case)), ['the case has no "derivation"'])


class TableCases(unittest.TestCase):
    CASE = {"about": "x", "trace": "traces/x.json", "command": "tables", "flags": [], "golden": "goldens/x", "sheets": ["a"]}
    RULE = {"defect": "D1", "title": "t", "why": "w", "example": "e", "sheet": "^a$", "test": "tests/golden/derive_tables.py"}
    SCHEMA = {"items": {"properties": dict.fromkeys([*RULE, "column", "row", "case"]), "required": ["sheet", "why", "test"]}}

    def outcome(self, golden="goldens/x", cells=100, excused=0, used=()):
        return golden_tables.TableOutcome(golden, [], cells, excused, frozenset(used))

    def test_a_case_names_a_recorded_trace_and_its_sheets(self):
        self.assertEqual(list(golden_tables.check_form(self.CASE)), [])
        self.assertEqual(list(golden_tables.check_form({**self.CASE, "sheets": []})), ['the case has no "sheets"'])
        self.assertEqual(len(list(golden_tables.check_form({**self.CASE, "trace": {"traceEvents": []}}))), 1)
        self.assertEqual(len(list(golden_tables.check_form({**self.CASE, "expect": {}, "command": "info"}))), 2)

    def test_without_a_golden_folder_all_must_be_derived(self):
        case = {key: value for key, value in self.CASE.items() if key != "golden"}
        self.assertEqual(list(golden_tables.check_form({**case, "sheets": ["gpu_timeline"]})), [])
        for change in ({"sheets": ["GEMM"]}, {"sheets": ["gpu_timeline"], "flags": ["--overlap"]}):
            self.assertEqual(len(list(golden_tables.check_form({**case, **change}))), 1)

    def test_counts_are_those_of_the_last_line(self):
        output = "a: 9 cells, 9 wrong, 9 excused\n/x: 8 cells compared, 1 wrong, 2 excused\n"
        self.assertEqual(golden_tables.parsed_counts(output), (8, 1, 2))
        self.assertIsNone(golden_tables.parsed_counts("Traceback"))

    def test_more_than_a_tenth_excused_fails(self):
        self.assertEqual(list(golden_tables.share_problems([self.outcome(excused=20), self.outcome()])), [])
        self.assertEqual(len(list(golden_tables.share_problems([self.outcome(excused=21), self.outcome()]))), 1)

    def test_a_rule_that_excuses_nothing_fails(self):
        rules = [self.RULE, {**self.RULE, "case": "goldens/y"}, {**self.RULE, "case": "goldens/x"}]
        self.assertEqual(list(golden_tables.unused_rules(rules[:1], [self.outcome(used=[0]), self.outcome()])), [])
        found = list(golden_tables.unused_rules(rules, [self.outcome()]))
        self.assertEqual(len(found), 3)
        self.assertIn('no case has "goldens/y"', found[1])

    def test_rules_are_complete(self):
        self.assertEqual(list(golden_tables.rule_problems([self.RULE], self.SCHEMA)), [])
        for key, value in (("why", None), ("title", ""), ("sheet", "("), ("test", "tests/nowhere"), ("where", "x")):
            rule = {k: v for k, v in {**self.RULE, key: value}.items() if v is not None}
            self.assertEqual(len(list(golden_tables.rule_problems([rule], self.SCHEMA))), 1, key)

    def test_a_golden_folder_without_the_sheet_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(golden_tables.golden_problems(self.CASE, folder), ["the golden folder has no a"])
            (Path(folder) / "a.csv").touch()
            self.assertEqual(golden_tables.golden_problems(self.CASE, folder), [])

    def test_a_sheet_that_the_reference_does_not_write_fails(self):
        self.assertEqual(golden_tables.surplus_problems({"gpu_timeline", "ours"}, {"gpu_timeline"}), [])
        self.assertEqual(len(golden_tables.surplus_problems({"gpu_timeline", "coll_analysis"}, {"gpu_timeline"})), 1)

    def test_a_category_sheet_is_surplus_where_the_reference_is_compared(self):
        known = golden_tables.DERIVED_SHEETS | golden_tables.CATEGORY_SHEETS
        self.assertEqual(golden_tables.surplus_problems({"GEMM"}, set()), [])
        self.assertEqual(len(golden_tables.surplus_problems({"GEMM"}, set(), known)), 1)

    def test_the_derivation_is_told_what_it_has_to_know(self):
        flags = ["--kernel-summary", "--platform", "MI300X", "--detect-recompute"]
        self.assertEqual(golden_tables.derived_words({"flags": flags}), flags[1:])
        self.assertEqual(golden_tables.derived_words({}), [])
        self.assertIsNone(golden_tables.derived_words({"flags": ["--top", "3"]}))

    def test_the_page_for_users_spells_patterns_out(self):
        page = make_docs.differences_page([{**self.RULE, "column": "^(|Count)$"}])
        self.assertIn("## t\n\nw\n\n**Example.** e\n", page)
        self.assertIn("| `a` | rows, `Count` | As above. | `tests/golden/derive_tables.py` |", page)


class Derivation(unittest.TestCase):
    """Small figures that can be checked by hand: what the golden cases take for right rests on these."""

    @staticmethod
    def kernel(name, duration, begin=0):
        return SimpleNamespace(name=name, duration=duration, begin=begin, end=begin + duration, stream=7)

    def test_times_come_from_the_decimal_text(self):
        self.assertEqual(derived_trace.nanoseconds(derived_trace.Decimal("1712345678901234.567")), 1712345678901234567)
        self.assertEqual(derived_trace.nanoseconds(derived_trace.Decimal("0.0005")), 0)  # half to even
        self.assertEqual(derived_trace.nanoseconds(derived_trace.Decimal("0.0015")), 2)

    def test_intervals_that_touch_are_one(self):
        self.assertEqual(derive_tables.merged([(10, 20), (0, 10), (30, 40)]), [[0, 20], [30, 40]])
        self.assertEqual(derive_tables.without([[0, 100]], [[10, 40], [90, 120]]), 60)

    def test_hundredths_are_rounded_ties_to_even(self):
        # in double 2.325 * 100 is 232.50000000000003, the others are ties
        for durations, text in (([2325], "2.33"), ([4115], "4.12"), ([4285], "4.28"), ([125], "0.12"), ([1, 2], "0.0")):
            self.assertIn(f"'mean_duration_us': {text}}}", derive_tables.truncated([("k", 7, durations)]))

    def test_a_call_is_written_as_the_rows_of_models_are(self):
        arguments = {"Input Dims": [[2, 3], [], [], []], "Input type": ["c10::BFloat16", "long int", "Scalar", "ScalarList"],
                     "Input Strides": [[0, 1], [], [], []]}
        self.assertEqual(list(derived_unified.operand_texts(arguments)), ["bf16[2, 3]/[0, 1]", "i64()", "scalar", ""])

    def test_rates_are_of_calls_that_took_time(self):
        kernel = self.kernel("k", 2000)
        call = derived_unified.Call(SimpleNamespace(), "aten::mm", "GEMM", [kernel], 1, {"flops": 10 ** 9, "bytes_moved": None})
        self.assertEqual(call.rate("flops"), 500)  # 10^9 in 2 us
        self.assertIsNone(call.rate("bytes_moved"))
        self.assertEqual(derived_unified.average([Fraction(1), Fraction(3)]), [2.0, 2 ** 0.5])
        self.assertEqual(derived_unified.bounds([Fraction(4), Fraction(1), Fraction(3)]), [3.0, 1.0, 4.0])

    def test_each_instant_counts_once_and_computation_first(self):
        events = [self.gpu_event(1, "k", 0, 10), self.gpu_event(2, "k", 5, 12), self.gpu_event(3, "ncclKernel", 8, 20),
                  self.gpu_event(4, "Memcpy HtoD", 18, 25, "gpu_memcpy")]
        # the second kernel has 10 to 12 for itself, communication 12 to 20, the copy 20 to 25
        self.assertEqual(derived_categories.counted_times(events), {1: 10, 2: 2, 3: 8, 4: 5})
        self.assertEqual(list(derived_categories.beyond(0, 10, [[2, 4], [6, 12]])), [[0, 2], [4, 6]])

    @staticmethod
    def gpu_event(uid, name, begin, end, category="kernel"):
        return SimpleNamespace(uid=uid, name=name, begin=begin, end=end, category=category)

    def test_parameters_are_read_by_position(self):
        product = {"Input Dims": [[4], [2, 3], [3, 4]], "Input type": ["float", "float", "float"],
                   "Input Strides": [[1], [3, 1], [4, 1]]}
        event = SimpleNamespace(name="aten::addmm", arguments=product)
        found = derived_parameters.parameters("GEMM", event, ["fill", "Cijk_Alik_Bljk_SB_MT64"])
        self.assertEqual([found[name] for name in ("M", "N", "K", "bias", "B", "stride_A", "transpose")],
                         ["2", "4", "3", "True", "1", "(3, 1)", "(True, False)"])
        sums = {"Input Dims": [[2, 3, 5], []], "Input type": ["float", "ScalarList"], "Concrete Inputs": ["", "[-1, 0]"]}
        event = SimpleNamespace(name="aten::sum", arguments=sums)
        self.assertEqual(derived_parameters.parameters("Reduce", event, [])["num_output_elems"], "3")
        with self.assertRaises(NotImplementedError):
            derived_parameters.parameters("GEMM", SimpleNamespace(name="mine::mm", arguments={}), [])

    def test_a_roofline_is_the_longer_of_two_times(self):
        platform = derived_rooflines.Rooflines("MI300X")
        self.assertFalse(derived_rooflines.Rooflines(None))

        def call(flops, moved, spec, name="k", time=1000):
            return SimpleNamespace(figures={"flops": flops, "bytes_moved": moved, "compute_spec": spec}, time=time,
                                   gpu_events=[SimpleNamespace(name=name)])

        # bf16 at the measured 708 TFLOP/s, memory at 5,300 GB/s
        self.assertEqual(platform.of(call(708_000, 5_300, "matrix_bf16")), (Fraction(1), "COMPUTE_BOUND"))
        self.assertEqual(platform.of(call(708_000, 10_600, "matrix_bf16")), (Fraction(2), "MEMORY_BOUND"))
        self.assertEqual(platform.of(call(0, 5_300, "")), (Fraction(1), "MEMORY_BOUND"))
        self.assertIsNone(platform.of(call(0, 0, "")))
        self.assertEqual(platform.spec(call(1, 1, "matrix_fp32", "gemm_tf32_tn")), "matrix_tf32")
        self.assertEqual(platform.share_cells([call(0, 5_300, "", time=100), call(0, 5_300, "", time=50)]),
                         [1.5, 1.5, 0.5 ** 0.5, 1.0, 2.0])
        self.assertEqual(platform.share_cells([call(0, 5_300, "", time=0)]), [None] * 5)

    def test_details_are_by_position_and_name(self):
        a, b = self.kernel("a", 3), self.kernel("b", 5)
        found = derive_tables.Tables.kernel_details([[a, b], [b], [a, b]])
        self.assertEqual(found, [("b", 7, [5]), ("a", 7, [3, 3]), ("b", 7, [5, 5])])

    def test_a_duration_on_an_edge_is_in_the_upper_bin(self):
        kernels = [self.kernel("k", duration) for duration in (0, 5000, 10000)]  # 50 of 100 bins of 0.1 us
        _, rows = derive_tables.Tables.short_kernel_histogram(SimpleNamespace(short_kernels=lambda: kernels))
        self.assertEqual([index for index, row in enumerate(rows) if row[2]], [0, 50, 99])

    def test_deviations_divide_by_n_and_by_one_less(self):
        self.assertEqual(derive_tables.deviation([1000, 3000], 0), 1.0)
        self.assertEqual(derive_tables.deviation([1000, 3000], 1), 2 ** 0.5)
        self.assertIsNone(derive_tables.deviation([1000], 1))
        self.assertEqual(derive_tables.median([4, 1, 2]), Fraction(2))

    @staticmethod
    def tables_of(trace):
        """Of a document in which the operator named known has a category."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            path.write_text(trace, encoding="utf-8")
            return derive_tables.Tables(derived_trace.DerivedTrace(path), {"known": "GEMM"}, by_recompute=False)

    def test_trees_links_and_categories_of_a_small_trace(self):
        trace = """{"traceEvents": [
          {"ph": "X", "cat": "cpu_op", "name": "known", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
          {"ph": "X", "cat": "cpu_op", "name": "inner", "pid": 1, "tid": 1, "ts": 0, "dur": 50},
          {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 5,
           "args": {"correlation": 3}},
          {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 200, "dur": 30, "args": {"correlation": 3}},
          {"ph": "X", "cat": "kernel", "name": "early", "pid": 0, "tid": 7, "ts": 100, "dur": 9,
           "args": {"correlation": 1}}]}"""
        tables = self.tables_of(trace)
        self.assertEqual([row[:3] for row in tables.ops_summary()[1]], [["inner", 30.0, 30.0]])
        # the category is that of the operator around
        self.assertEqual(tables.ops_summary_by_category()[1], [["GEMM", 1, 0.03, 100.0, 100.0]])
        self.assertEqual([row[:4] for row in tables.kernel_summary()[1]],
                         [["GEMM", "inner", "k", None], ["unlinked", None, "early", None]])
        self.assertEqual(tables.gpu_timeline()[1][-1], ["unlinked_time", 0.009, None])
        self.assertEqual(tables.short_kernels_summary()[1], [])  # over linked work, as everything else

    def test_a_launch_without_a_start_launches_and_stands_nowhere(self):
        trace = """{"traceEvents": [
          {"ph": "X", "cat": "cpu_op", "name": "known", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
          {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 5,
           "args": {"correlation": 3}},
          {"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "args": {"correlation": 4}},
          {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 200, "dur": 30, "args": {"correlation": 3}},
          {"ph": "X", "cat": "kernel", "name": "g", "pid": 0, "tid": 7, "ts": 300, "dur": 20,
           "args": {"correlation": 4}}]}"""
        tables = self.tables_of(trace)
        self.assertEqual([row[0] for row in tables.ops_summary()[1]], ["known"])
        self.assertEqual([row[:3] for row in tables.kernel_summary()[1]],
                         [["GEMM", "known", "k"], ["graph", "cudaGraphLaunch", "g"]])


class ReadmeCheck(unittest.TestCase):
    def test_output_is_compared_line_by_line(self):
        self.assertTrue(check_readme.agrees(["a", "b"], ["a", "b"]))
        self.assertFalse(check_readme.agrees(["a", "c"], ["a", "b", "c"]))
        self.assertTrue(check_readme.agrees(["a", "...", "c"], ["a", "b", "b", "c"]))
        self.assertTrue(check_readme.agrees(["a", "...", "c"], ["a", "c"]))
        self.assertFalse(check_readme.agrees(["a.c"], ["abc"]))

    def test_a_command_may_go_on_in_the_next_line(self):
        self.assertEqual(check_readme.sessions("$ a \\\n  b\nout\n$ c\n"), [(["$ a \\", "  b"], ["out"]), (["$ c"], [])])


class StructuralLint(unittest.TestCase):
    RANKS = [("core/base/", 30), ("core/io/", 31)]

    def findings(self, path, text):
        found = lint_structure.Findings()
        code, comments = lint_structure.code_and_comments(text)
        lint_structure.check_includes(found, self.RANKS, path, code)
        lint_structure.check_rules(found, path, code, comments, text)
        return [line.split(": ")[1] for line in found.lines]

    def test_includes_go_up_the_house_only(self):
        self.assertEqual(self.findings("core/io/a.cpp", '#include "core/base/b.hpp"\n'), [])
        self.assertEqual(self.findings("core/base/b.cpp", '#include "core/io/a.hpp"\n'), ["include"])
        self.assertEqual(self.findings("core/base/b.cpp", '#include "a.hpp"\n'), ["include"])

    def test_library_headers_have_their_places(self):
        self.assertEqual(self.findings("core/base/b.cpp", "#include <simdjson.h>\n"), ["library"])
        self.assertEqual(self.findings("core/io/b.hpp", "#include <zlib.h>\n"), ["library"])
        self.assertEqual(self.findings("core/io/b.cpp", "#include <isa-l/igzip_lib.h>\n"), [])

    def test_comments_and_literals_are_no_code(self):
        self.assertEqual(self.findings("core/base/b.cpp", 'auto t = "std::cout";  // printf(1\'000)\nint i = 1\'000;\n'), [])
        self.assertEqual(self.findings("core/base/b.cpp", "void f() { std::cout << 1'000; }\n"), ["output"])
        self.assertEqual(self.findings("core/base/b.cpp", 'auto t = R"x(" std::cout)x"; puts(t);\n'), ["output"])

    def test_macros_and_promises_are_refused(self):
        self.assertEqual(self.findings("core/base/b.cpp", "#define A 1\n// TO" "DO: b\n"), ["macro", "left for later"])


class Dev(unittest.TestCase):
    def test_an_unknown_command_is_a_usage_error(self):
        done = subprocess.run([ROOT / "dev", "conjure"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('no command "conjure"', done.stderr)


if __name__ == "__main__":
    unittest.main()
