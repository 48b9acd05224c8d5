"""Tests of the checking scripts themselves: a checker that lets everything pass would show nothing."""
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_readme  # noqa: E402
import lint_structure  # noqa: E402
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
