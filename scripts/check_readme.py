#!/usr/bin/env python3
"""Runs the commands that README.md and CONTRIBUTING.md show and compares what they print.

usage: check_readme.py [--update]

A fenced block marked `console` holds lines `$ command` (a backslash at the end goes on in the next line), each followed by
its output; a line of only `...` stands for any lines. Commands run in the repository's root with what stderr says after
what stdout says. --update writes the outputs anew, but for blocks with a `...`.
"""
import re
import shlex
import subprocess
import sys

from declarations import ROOT

PAGES = ("README.md", "CONTRIBUTING.md")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sessions(block):
    """[(command lines, output lines)] of one block."""
    found = []
    lines = iter(block.rstrip("\n").split("\n"))
    for line in lines:
        if line.startswith("$ "):
            command = [line]
            while command[-1].endswith("\\"):
                command.append(next(lines))
            found.append((command, []))
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError(f"a console block begins with a command, not with: {line}")
    return found


def arguments_of(command):
    return shlex.split(" ".join(line.rstrip("\\").strip() for line in command)[2:])


def run(command):
    """No shell: a command of the README needs none."""
    done = subprocess.run(arguments_of(command), cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          timeout=300, check=False)
    return [line.rstrip() for line in (done.stdout + done.stderr).rstrip("\n").split("\n")]


def agrees(shown, printed):
    pattern = "\n".join(".*" if line == "..." else re.escape(line) for line in shown)
    return re.fullmatch(pattern.replace("\n.*\n", "\n(?:.*\n)?"), "\n".join(printed), re.DOTALL) is not None


def check(page):
    passed = failed = 0
    for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        for command, shown in sessions(block):
            printed = run(command)
            if agrees(shown, printed):
                passed += 1
                continue
            failed += 1
            print(f"{page}: {command[0]}: the output is another one (./dev docs writes it):")
            print("\n".join(f"  {line}" for line in printed[:40]))
    return passed, failed


def update(page):
    def renewed(match):
        lines = []
        for command, shown in sessions(match.group(1)):
            lines += command + (shown if "..." in shown else run(command))
        return "```console\n" + "\n".join(lines) + "\n```"

    path = ROOT / page
    path.write_text(BLOCK.sub(renewed, path.read_text(encoding="utf-8")), encoding="utf-8")


def main():
    if "--update" in sys.argv[1:]:
        for page in PAGES:
            update(page)
    counts = [check(page) for page in PAGES]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"readme: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
