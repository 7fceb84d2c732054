"""Fortran text → statements: fixed and free form, continuation, labels, comments, cpp. Shared with no front end."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Line:
    """One statement with the line it starts on; `text` is lower case outside strings."""

    number: int
    label: str
    text: str


def _lower(text: str) -> str:
    """Lower case, except inside quotes."""
    parts = re.split(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")", text)
    return "".join(p if i % 2 else p.lower() for i, p in enumerate(parts))


def _uncomment(text: str) -> str:
    quote = ""
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == "!":
            return text[:i]
    return text


def _preprocessed(file: Path) -> list[tuple[int, str]]:
    command = ["gcc", "-E", "-x", "c", "-traditional-cpp", str(file)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines, number, ours = [], 1, False
    for raw in text.split("\n"):
        marker = re.match(r'# (\d+) "([^"]*)"', raw)
        if marker:
            number, ours = int(marker[1]), Path(marker[2]).name == file.name
            continue
        if ours:
            lines.append((number, raw))
        number += 1
    return lines


def _raw(file: Path) -> list[tuple[int, str]]:
    if file.suffix in (".F", ".F90"):
        return _preprocessed(file)
    return list(enumerate(file.read_text().split("\n"), 1))


def _fixed(raw: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    out: list[tuple[int, str, str]] = []
    for number, text in raw:
        if not text.strip() or text[0] in "cC*!#":
            continue
        text = text[:72].replace("\t", "      ")
        label, mark, body = text[:5].strip(), text[5:6], _uncomment(text[6:])
        if mark not in ("", " ", "0"):
            start, old, before = out.pop()
            out.append((start, old, before + body))
        elif body.strip():
            out.append((number, label, body))
    return out


def _free(raw: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    out: list[tuple[int, str, str]] = []
    pending = None
    for number, text in raw:
        body = _uncomment(text).strip()
        if not body or body.startswith("#"):
            continue
        if pending:
            body = pending[1] + (body[1:] if body.startswith("&") else " " + body)
            number = pending[0]
        if body.endswith("&"):
            pending = (number, body[:-1])
            continue
        pending = None
        match = re.match(r"(\d+)\s+(.*)", body)
        out.append((number, match[1], match[2]) if match else (number, "", body))
    return out


def _split(text: str) -> list[str]:
    """Statements of one line: `;` outside quotes."""
    parts = re.split(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")", text)
    marked = "".join(p if i % 2 else p.replace(";", "\0") for i, p in enumerate(parts))
    return [s.strip() for s in marked.split("\0") if s.strip()]


def statements(file: Path) -> list[Line]:
    raw = _raw(file)
    logical = _fixed(raw) if file.suffix in (".f", ".F") else _free(raw)
    out = []
    for number, label, text in logical:
        for i, part in enumerate(_split(text)):
            out.append(Line(number, label if i == 0 else "", _lower(part)))
    return out
