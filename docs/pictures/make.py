"""Draws the pictures of README and tutorial, and writes the answers that they show anew.

In a `console` block, lines below a command are its answer: as many lines of it as stood there before, then «…».
Run it from anywhere after models or machines changed: python docs/pictures/make.py
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
import tempfile
from pathlib import Path
from unittest import mock

import foretell
from foretell.cli import main
from foretell.report.plots import answers, canvas, roofline

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs" / "tutorial").glob("*.md")))
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRIAD = "void triad(int n, double *restrict a, const double *restrict b, const double *restrict c)\n{\n" \
        "    for (int i = 0; i < n; i++)\n        a[i] = b[i] + 3.0 * c[i];\n}\n"  # fmt: skip
SIZES = {"n": [2**power for power in range(8, 26)]}


def draw() -> None:
    """A stream triad on two machines against its size, and its roofline on one."""
    code = Path("triad.c")
    code.write_text(TRIAD)
    on = ["cascade-lake", "neoverse-n1"]
    many = foretell.predict_many(code, on, parameters=SIZES)
    answers.predicted(many.predictions, [foretell.machine(name) for name in on], ROOT / "docs/pictures/sizes.png")
    single = foretell.predict_many(code, "neoverse-n1", parameters={"n": [1000, 20_000, 10_000_000]})
    figure, (axis,) = canvas.new_figure(1, 8.0)
    roofline.draw(axis, single.predictions, foretell.machine("neoverse-n1"))
    canvas.save(figure, ROOT / "docs/pictures/roofline.png")


def refreshed(text: str) -> str:
    """The page with the answers of its commands; files that it shows are written first."""
    for language, info, body in BLOCK.findall(text):
        if named := re.search(r"file=(\S+)", info):
            Path(named[1]).write_text(body)
        elif language == "console":
            text = text.replace(body, "".join(_answered(body)))
    return text


def _answered(body: str) -> list[str]:
    lines, shown = [], body.splitlines(keepends=True)
    starts = [number for number, line in enumerate(shown) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(shown)], strict=True):
        lines.append(shown[start])
        wanted = [line for line in shown[start + 1 : end] if line.strip() != "…"]
        if wanted:
            answer = _run(shown[start][2:]).splitlines()
            lines += [f"{line}\n" for line in answer[: len(wanted)]]
            lines += ["…\n"] if len(answer) > len(wanted) else []
    return lines


def _run(line: str) -> str:
    out = io.StringIO()
    words = shlex.split(line.partition("  #")[0])
    with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main()
    return out.getvalue()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        draw()
        for page in PAGES:
            page.write_text(refreshed(page.read_text()))
