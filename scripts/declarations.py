"""Errors and diagnostics as the C++ sources declare them: what the docs, the lint and the golden cases read.

Both stand in constant tables of string literals, which are read here by their form; a declaration that does not have
that form raises, so that none is left out unnoticed.
"""
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


class DiagnosticKind(NamedTuple):
    code: str
    severity: str
    message: str
    room: str
    path: str


class ErrorKind(NamedTuple):
    code: str
    exit_status: int
    meaning: str
    advice: str


def literal(text):
    """Adjacent C++ string literals as one Python string."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return "".join(parts).replace('\\"', '"').replace("\\\\", "\\")


def diagnostic_kinds():
    kinds = []
    for path in sorted(ROOT.glob("core/**/diagnostics.hpp")):
        source = path.read_text(encoding="utf-8")
        declared = len(re.findall(r"constexpr\s+DiagnosticKind\s", source))
        found = re.findall(
            r"constexpr\s+DiagnosticKind\s+(\w+)\s*=\s*\{\s*" + TEXT + r",\s*Severity::(\w+),\s*" + TEXT + r"\};", source)
        if len(found) != declared:
            raise ValueError(f"{path}: {declared} kinds declared, {len(found)} of the form name = {{code, severity, text}}")
        for name, code, severity, message in found:
            if literal(code) != name:
                raise ValueError(f'{path}: {name} has the code "{literal(code)}": they should be the same')
            room = path.parent.relative_to(ROOT).as_posix()
            kinds.append(DiagnosticKind(name, severity, literal(message), room, path.relative_to(ROOT).as_posix()))
    return kinds


def error_kinds():
    path = ROOT / "core/base/error.cpp"
    source = path.read_text(encoding="utf-8")
    declared = len(re.findall(r"ErrorKind\{ErrorCode::", source))
    found = re.findall(r"ErrorKind\{ErrorCode::\w+,\s*" + TEXT + r",\s*(\d+),\s*" + TEXT + r",\s*" + TEXT + r"\}", source)
    if not found or len(found) != declared:
        raise ValueError(f"{path}: {declared} kinds, {len(found)} of the form {{code, spelling, status, meaning, advice}}")
    return [ErrorKind(literal(code), int(status), literal(meaning), literal(advice)) for code, status, meaning, advice in found]
