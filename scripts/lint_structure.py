#!/usr/bin/env python3
"""House rules that no compiler checks: layers, library headers, output, comments, and that diagnostics are provoked.

usage: lint_structure.py

Prints `file:line: rule: what is wrong`, notes on long files, and last `structure: N passed, M failed`, counting files and
diagnostics. The order of the rooms is read from `.clang-format`, where a room's rank is its SortPriority.
"""
import re
import subprocess
import sys

from declarations import ROOT, diagnostic_kinds

# A library's headers, and the only places that may include them; tests and benchmarks may include any.
LIBRARY_PLACES = {
    "simdjson": ("core/io/", "core/trace/importers/"),
    "isa-l": ("core/io/",), "zlib": ("core/io/", "examples/generator/compression.cpp"), "zstd": ("core/io/",), "zip": ("core/io/",),
    "httplib": ("server/mcp/",), "openssl": ("server/mcp/",), "spdlog": ("server/",),
    "CLI": ("server/cli/", "examples/generator/main.cpp"),
    "doctest": ("tests/",),
}
EVERYWHERE = ("tests/", "bench/")
# Rooms that are libraries of their own, with all of ours that they may know.
LONE_ROOMS = {"server/mcp/": ("server/mcp/", "core/base/")}
IN_HEADERS = ("fmt", "nlohmann")  # and simdjson, in its places: an importer's parts speak its types
# Who may write to a terminal: the command line's writer, and programs that are not the product.
PRINTERS = ("server/cli/", "tests/", "bench/", "examples/generator/main.cpp")

# rule, pattern in code (comments and texts blanked), places it holds in, places it does not
CODE_RULES = [
    ("output", r"\b(std::(cout|cerr|clog|printf|puts|fputs|putchar)|printf|puts|fputs|fmt::print|stdout|stderr)\b",
     ("core/", "tools/", "server/", "examples/"), PRINTERS),
    ("iostreams", r"#\s*include\s*<(iostream|sstream|fstream|ostream|istream|iomanip|strstream)>", ("",), ("tests/",)),
    ("too new for the compilers", r"#\s*include\s*<(format|expected|print|generator)>", ("",), ()),
    ("macro", r"#\s*define\s+(?!DOCTEST_CONFIG_)\w+", ("",), ()),
    ("detached thread", r"\.\s*detach\s*\(", ("",), ()),
    ("using namespace", r"\busing\s+namespace\b(?!\s+std::\w*literals)", ("",), ("tests/",)),
    ("sleeping test", r"\b(sleep_for|sleep_until|usleep|nanosleep)\b", ("tests/",), ()),
]
COMMENT_RULES = [
    ("left for later", r"\b(TODO|FIXME|XXX|HACK)\b"),
    ("line number cited", r"\b[\w/]+\.(cpp|hpp):\d+"),
]
LINE_LIMITS = {".hpp": 150, ".cpp": 400}


def sources():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.cpp", "*.hpp"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout.split()
    return sorted(path for path in listed if (ROOT / path).is_file())


def room_ranks():
    """(folder, rank), the most specific folder first."""
    text = (ROOT / ".clang-format").read_text(encoding="utf-8")
    found = re.findall(r"Regex: '\^\"([\w/]+/)'.*?SortPriority: (\d+)", text)
    if not found:
        raise ValueError(".clang-format has no IncludeCategories with SortPriority")
    return sorted(((folder, int(rank)) for folder, rank in found), key=lambda entry: -len(entry[0]))


TOKEN = re.compile(r'R"([^(\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)


def code_and_comments(text):
    """The text twice, with line numbers kept: without comments and literals, and comments only."""
    def blank(piece):
        return re.sub(r"[^\n]", " ", piece)

    comments = []

    def replace(match):
        piece = match.group(0)
        is_comment = piece.startswith(("//", "/*"))
        comments.append((match.start(), piece if is_comment else ""))
        before = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        is_include = re.match(r"\s*#\s*include\s*$", before)
        return piece if is_include else blank(piece)

    # A digit separator is no character literal: 1'000'000.
    separated = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "_", text)
    return TOKEN.sub(replace, separated), comments


def line_of(text, position):
    return text.count("\n", 0, position) + 1


class Findings:
    def __init__(self):
        self.lines = []
        self.subjects = set()

    def add(self, path, line, rule, problem):
        self.lines.append(f"{path}:{line}: {rule}: {problem}")
        self.subjects.add(path)


def rank_of(ranks, path):
    return next((rank for folder, rank in ranks if path.startswith(folder)), None)


def check_house_include(findings, ranks, path, line, included):
    own, theirs = rank_of(ranks, path), rank_of(ranks, included)
    alone = next((kept for folder, kept in LONE_ROOMS.items() if path.startswith(folder)), None)
    if alone and not included.startswith(alone):
        findings.add(path, line, "include", f'"{included}": this room knows only {", ".join(alone)}')
    if theirs is None:
        findings.add(path, line, "include", f'"{included}" is not named from the root, or its room has no rank')
    elif own is None:
        findings.add(path, line, "include", "this file's room has no rank in .clang-format")
    elif theirs > own:
        findings.add(path, line, "include", f'"{included}" stands below this room')


def check_library_include(findings, path, line, included):
    if "/" not in included and not included.endswith(".h"):
        return  # the standard library
    library = re.match(r"[\w-]+", included).group(0)
    places = LIBRARY_PLACES.get(library)
    if places and not path.startswith(places + EVERYWHERE):
        findings.add(path, line, "library", f"<{included}> only in {', '.join(places)}")
    known = places or library in IN_HEADERS
    in_its_header = library in IN_HEADERS or (library == "simdjson" and places and path.startswith(places))
    if path.endswith(".hpp") and known and not in_its_header and not path.startswith(EVERYWHERE):
        findings.add(path, line, "library", f"<{included}> in a header: library headers stay in .cpp files")


def check_includes(findings, ranks, path, code):
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', code, re.MULTILINE):
        line = line_of(code, match.start())
        if match.group(1):
            check_house_include(findings, ranks, path, line, match.group(1))
        else:
            check_library_include(findings, path, line, match.group(2))


def check_opening(findings, path, text):
    if path.endswith(".hpp"):
        if not re.match(r"#pragma once\n\n//[^\n]*\w", text):
            findings.add(path, 1, "opening", "a header opens with #pragma once, an empty line and its file comment")
        return
    own_header = path[:-4] + ".hpp"
    if (ROOT / own_header).exists():
        first = re.search(r'^#include\s*["<]([^">]+)', text, re.MULTILINE)
        if not first or first.group(1) != own_header:
            findings.add(path, 1, "opening", f'the first include is "{own_header}"')
    elif not path.startswith("tests/unit/") and not re.match(r"//[^\n]*\w", text):
        findings.add(path, 1, "opening", "a source without a header of its name opens with its file comment")


def check_rules(findings, path, code, comments, text):
    for rule, pattern, places, exempt in CODE_RULES:
        if path.startswith(places) and not (exempt and path.startswith(exempt)):
            for match in re.finditer(pattern, code):
                findings.add(path, line_of(code, match.start()), rule, match.group(0).strip())
    for position, comment in comments:
        for rule, pattern in COMMENT_RULES:
            if re.search(pattern, comment):
                findings.add(path, line_of(text, position), rule, comment.strip()[:80])


def check_test_names(findings, path, text):
    for match in re.finditer(r'TEST_CASE(?:_FIXTURE)?\((?:\w+,\s*)?"([^"]*)"', text):
        if not re.match(r".+: .+[^.]$", match.group(1)):
            findings.add(path, line_of(text, match.start()), "test name", f'"{match.group(1)}" is not "thing: sentence"')


def check_file(findings, ranks, path):
    text = (ROOT / path).read_text(encoding="utf-8")
    code, comments = code_and_comments(text)
    check_includes(findings, ranks, path, code)
    check_opening(findings, path, text)
    check_rules(findings, path, code, comments, text)
    if path.startswith("tests/"):
        check_test_names(findings, path, text)
    limit = LINE_LIMITS[path[-4:]]
    lines = text.count("\n")
    if lines > limit and not path.startswith("tests/"):
        print(f"{path}: note: {lines} lines, above {limit}: what does it want to be?")


# What a line at the left margin declares: a type, an alias, a function or a constant.
DECLARATION = re.compile(r"(?!\}|//|using namespace|namespace|template)(?:\[\[\w+\]\] )?(?:(?:constexpr|const|static|inline) )*"
                         r"(?:(?:struct|class|enum class) (\w+)|using (\w+) =|\S[^(={;]*?[\s&*](\w+)(?=\(| = |\{|;))")


def unnamed_names(code):
    """Names that the file's unnamed namespaces declare, with their lines."""
    is_inside = False
    for number, line in enumerate(code.split("\n"), 1):
        if line == "namespace {":
            is_inside = True
        elif line == "}  // namespace":
            is_inside = False
        elif is_inside and line and not line[0].isspace():
            match = DECLARATION.match(line)
            if match:
                yield number, next(filter(None, match.groups()))


# Overloads for types of their own, by the JSON library's convention.
OVERLOADED = ("from_json", "to_json")


def check_unnamed_names(findings, paths):
    """Sources of a room are compiled in batches, where a name of an unnamed namespace is everybody's."""
    seen = {}
    for path in paths:
        if not path.endswith(".cpp") or not path.startswith(("core/", "tools/", "server/")):
            continue
        room = "/".join(path.split("/")[:2]) if path.startswith(("core/", "server/mcp/")) else path.split("/")[0]
        text = (ROOT / path).read_text(encoding="utf-8")
        for line, name in unnamed_names(text):
            other = seen.setdefault((room, name), path)
            if other != path and name not in OVERLOADED:
                findings.add(path, line, "unnamed namespace", f"{name} is a name of {other}, too")


def provoking_text():
    """Everything that could provoke a diagnostic: tests and the generator of examples."""
    parts = []
    for folder in ("tests", "examples/generator"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".json"):
                parts.append(path.read_text(encoding="utf-8", errors="replace"))
    return set(re.findall(r"\w+", "\n".join(parts)))


def main():
    findings = Findings()
    ranks = room_ranks()
    paths = sources()
    for path in paths:
        check_file(findings, ranks, path)
    check_unnamed_names(findings, paths)
    kinds, words = diagnostic_kinds(), provoking_text()
    for kind in kinds:
        if kind.code not in words:
            findings.add(f"{kind.path} {kind.code}", 1, "unprovoked", "no test and no generated trace has this diagnostic")
        if not kind.message:
            findings.add(f"{kind.path} {kind.code}", 1, "unexplained", "a diagnostic says what was done")
    for line in findings.lines:
        print(line)
    failed = len(findings.subjects)
    print(f"structure: {len(paths) + len(kinds) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
