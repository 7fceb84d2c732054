"""Lists the regular expressions of the package, and makes strings that a backtracking matcher would try in many ways.

    python fuzz/regexes.py            # every pattern with its slowest string, in milliseconds

For each repetition of a pattern, a string repeats what it matches and ends in something that does not match.
"""

from __future__ import annotations

import ast
import re
import re._constants as opcodes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[1] / "src/foretell"
_FUNCTIONS = {"compile", "match", "search", "fullmatch", "sub", "findall", "split", "finditer"}
_CALL = re.compile(rf"\bre\s*\.\s*(?:{'|'.join(sorted(_FUNCTIONS))})\b")
_ENDS = ("", "\0", "!", "\n")


@dataclass(frozen=True)
class Pattern:
    """A pattern in the source; a part that is a name (f-string) stands for a word."""

    file: str
    line: int
    text: str
    flags: int


def patterns() -> Iterator[Pattern]:
    """All patterns that are written in the source."""
    for path in sorted(SOURCE.rglob("*.py")):
        source = path.read_text()
        if not _CALL.search(source):  # most files have none, and parsing takes longest
            continue
        tree = ast.parse(source)
        names = _constants(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_re(node.func) and node.args:
                text = _text(node.args[0], names)
                if text:
                    flags = _flags(ast.unparse(node))
                    yield Pattern(str(path.relative_to(SOURCE)), node.lineno, text, flags)


def _is_re(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in _FUNCTIONS
    )


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def _text(node: ast.expr, names: dict[str, ast.expr], depth: int = 0) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    if isinstance(node, ast.Name) and node.id in names and depth < 4:
        return _text(names[node.id], names, depth + 1)
    if isinstance(node, ast.JoinedStr):
        parts = [
            part.value if isinstance(part, ast.Constant) else _text(part.value, names, depth + 1) or "w"
            for part in node.values
            if isinstance(part, ast.Constant | ast.FormattedValue)
        ]
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left, names, depth), _text(node.right, names, depth)
        return left + right if left and right else None
    return None


def _flags(call: str) -> int:
    flags = 0
    for name, flag in (("MULTILINE", re.M), ("re.M", re.M), ("DOTALL", re.S), ("VERBOSE", re.X), ("IGNORECASE", re.I)):
        flags |= flag if name in call else 0
    return flags


# ---------------------------------------------------------------------------------------------- strings


def attacks(pattern: Pattern, length: int) -> Iterator[str]:
    """Strings of about this length: for each repetition, its sample many times, after a sample of what precedes it."""
    tree = parser.parse(pattern.text, pattern.flags)
    seen: set[tuple[str, str]] = set()
    for prefix, sample in _repetitions(list(tree), ""):
        if sample and (prefix, sample) not in seen:
            seen.add((prefix, sample))
            for end in _ENDS:
                yield prefix + sample * (length // len(sample)) + end


def _repetitions(items: list[Any], before: str) -> Iterator[tuple[str, str]]:
    prefix = before
    for opcode, argument in items:
        if opcode in (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT, opcodes.POSSESSIVE_REPEAT):
            _, most, body = argument
            if most == opcodes.MAXREPEAT or most > 100:
                yield prefix, _sample(list(body))
            yield from _repetitions(list(body), prefix)
        elif opcode is opcodes.SUBPATTERN:
            yield from _repetitions(list(argument[3]), prefix)
        elif opcode is opcodes.BRANCH:
            for branch in argument[1]:
                yield from _repetitions(list(branch), prefix)
        elif opcode is opcodes.ATOMIC_GROUP:
            yield from _repetitions(list(argument), prefix)
        prefix += _sample([(opcode, argument)])


def _sample(items: list[Any]) -> str:
    """A short text that the items match, mostly."""
    return "".join(_one(opcode, argument) for opcode, argument in items)


def _one(opcode: Any, argument: Any) -> str:
    if opcode is opcodes.LITERAL:
        return chr(argument)
    if opcode is opcodes.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if opcode is opcodes.ANY:
        return "a"
    if opcode is opcodes.IN:
        return _of_set(argument)
    if opcode is opcodes.SUBPATTERN:
        return _sample(list(argument[3]))
    if opcode is opcodes.BRANCH:
        return _sample(list(argument[1][0]))
    if opcode is opcodes.ATOMIC_GROUP:
        return _sample(list(argument))
    if opcode in (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT, opcodes.POSSESSIVE_REPEAT):
        return _sample(list(argument[2])) * max(1, min(argument[0], 4))
    return ""


def _of_set(items: list[Any]) -> str:
    allowed = [chr(code) for code in (32, 97, 48, 46, 44, 40, 41, 35, 95, 45, 43, 37, 34, 39, 47, 58, 65, 9)]
    compiled = re.compile(_class(items))
    return next((sign for sign in allowed if compiled.fullmatch(sign)), "")


def _class(items: list[Any]) -> str:
    """The set as text again."""
    parts = []
    for opcode, argument in items:
        if opcode is opcodes.NEGATE:
            parts.append("^")
        elif opcode is opcodes.LITERAL:
            parts.append(re.escape(chr(argument)))
        elif opcode is opcodes.RANGE:
            parts.append(f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}")
        elif opcode is opcodes.CATEGORY:
            parts.append(_CATEGORIES[str(argument)])
    return f"[{''.join(parts)}]"


_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_SPACE": r"\s", "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W",
}  # fmt: skip


def slowest(pattern: Pattern, length: int) -> tuple[float, str]:
    """The processor time of the worst string, in seconds, and that string."""
    compiled = re.compile(pattern.text, pattern.flags)
    worst = (0.0, "")
    for text in attacks(pattern, length):
        for method in (compiled.fullmatch, compiled.search):
            begun = time.process_time()
            method(text)
            worst = max(worst, (time.process_time() - begun, text))
    return worst


def main() -> int:
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rows = sorted(((*slowest(pattern, length), pattern) for pattern in patterns()), key=lambda row: -row[0])
    for seconds, text, pattern in rows[:30]:
        print(f"{1000 * seconds:8.1f} ms  {pattern.file}:{pattern.line}  {pattern.text[:60]!r}  {text[:30]!r}")
    print(f"{len(rows)} patterns, strings of {length} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
