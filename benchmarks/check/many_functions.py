"""A repository of functions in the styles of numerical code, to check checks with."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from pathlib import Path

#: bodies of functions of n, a, b, c; FACTOR makes each function another one
BODIES = (
    "    for (int i = 0; i < n; i++)\n        c[i] = a[i] + FACTOR * b[i];\n",
    "    double sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += a[i] * b[i];\n    c[0] = FACTOR * sum;\n",
    "    for (int i = 1; i < n - 1; i++)\n        c[i] = FACTOR * (a[i - 1] + a[i + 1]) + b[i];\n",
    "    for (int i = 0; i < n; i++) {\n        double value = a[i];\n        if (value > FACTOR)\n"
    "            value = b[i];\n        c[i] = value;\n    }\n",
    "    for (int i = 0; i < n; i++)\n        for (int j = 0; j < 16; j++)\n"
    "            c[i] += a[16 * i + j] * FACTOR;\n",
    "    double state = 0;\n    for (int i = 0; i < n; i++) {\n        state = FACTOR * state + a[i];\n"
    "        c[i] = state;\n    }\n",
    "    for (int i = 0; i < n; i++)\n        c[i] = a[i] / (b[i] + FACTOR);\n",
    "    for (int i = 0; i < n; i++)\n        c[i] = (a[i] * a[i] + FACTOR) * b[i] - a[i];\n",
)  # fmt: skip
HEAD = "void {name}(int n, const double *restrict a, const double *restrict b, double *restrict c)\n"
IDENTITY = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a"}
IDENTITY |= {"GIT_COMMITTER_EMAIL": "a@example.org"}


def functions(count: int) -> dict[str, str]:
    """Functions by name."""
    made = {}
    for number in range(count):
        body = BODIES[number % len(BODIES)].replace("FACTOR", f"{1 + number / 8:.4f}")
        name = f"work_{number}"
        made[name] = f"{HEAD.format(name=name)}{{\n{body}}}\n"
    return made


def write(folder: Path, texts: dict[str, str], machines: tuple[str, ...], per_file: int = 5) -> None:
    """Writes the functions into files of some each, and what is to be checked."""
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted(texts, key=lambda name: int(name.partition("_")[2]))
    for first in range(0, len(names), per_file):
        text = "\n".join(texts[name] for name in names[first : first + per_file])
        (folder / f"unit_{first // per_file}.c").write_text(text)
    table = '[code.all]\nfile = "unit_*.c"\nfunctions = ["*"]\nsizes = { n = 1000 }\n'
    (folder / "foretell.toml").write_text(f'machines = {json.dumps(machines)}\nlimit = "2%"\n{table}')


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, env={**os.environ, **IDENTITY}, capture_output=True)


def commit(folder: Path, title: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--allow-empty", "-m", title)


def no_op(text: str, chance: random.Random) -> str:
    """An edit of a function that changes nothing: a comment, white space, another name of a local."""
    kind = chance.choice(("comment", "block comment", "space", "lines", "rename", "braces"))
    lines = text.split("\n")
    at = chance.randrange(2, max(3, len(lines) - 2))
    if kind == "comment":
        lines[at] += f"  // {chance.choice(('note', 'see above', '100 %', 'TODO'))} {chance.random():.3f}"
    elif kind == "block comment":
        lines.insert(at, "    /* " + "more words\n       " * chance.randrange(1, 4) + "*/")
    elif kind == "space":
        lines[at] = re.sub(r" (?=[=+*<])", "  ", lines[at]) + "   "
    elif kind == "lines":
        lines[at:at] = [""] * chance.randrange(1, 5)
    elif kind == "rename":
        local = chance.choice(re.findall(r"(?:int|double) (\w+) =", text) or ["i"])
        return re.sub(rf"\b{local}\b", f"{local}_{chance.randrange(1000)}", text)
    else:
        return text.replace(")\n{\n", ") {\n", 1)
    return "\n".join(lines)
