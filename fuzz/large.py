"""Files of 10⁶ lines of every format that foretell reads: each ends in its limits, with an answer or one message.

    python fuzz/large.py                                  # all formats, 10⁶ lines each
    python fuzz/large.py --lines 100000 c fortran         # two of them, smaller
    python fuzz/large.py --limit-time 20 --limit-memory 4 --table OUT.md

The files are made in a temporary folder (large_files.py says how) and given to the command that reads them. A file is
a failure if the command takes more processor time than two limits and what it needs to start (a file and its prediction
have a limit each), more memory than the limit, or ends otherwise than with an answer or one message.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from large_files import FORMATS, Format

#: processor seconds that a command may take to start and to read a file, besides the limits
_START_S = 20.0
#: exit codes of answers, and of refusals with a message: limits, wrong input, what is not supported, a tool that failed
_ANSWERS, _REFUSED = (0, 4), (1, 2, 3)


@dataclass(frozen=True)
class Outcome:
    """How a command ended: seconds of wall and processor, GiB of the largest process, exit code, its message."""

    name: str
    megabytes: float
    seconds: float
    processor_s: float
    gib: float
    code: int
    message: str

    def failure(self, limit_s: float, limit_gib: float) -> str:
        """What is not as promised; empty if all is."""
        if "Traceback" in self.message or "internal error" in self.message:
            return "internal error"
        if self.code not in (*_ANSWERS, *_REFUSED):
            return f"exit code {self.code}"
        if self.code in _REFUSED and not self.message:
            return "no message"
        if self.processor_s > 2 * limit_s + _START_S:
            return "time"
        return "memory" if self.gib > limit_gib else ""

    def row(self, failure: str) -> str:
        """A line of the table."""
        answered = "answer" if self.code in _ANSWERS else _first_line(self.message)
        words = f"**{failure}**: {answered}" if failure else answered
        return f"| {self.name} | {self.megabytes:.1f} | {self.processor_s:.1f} | {self.gib:.2f} | {words} |"


def run(form: Format, lines: int, folder: Path, limits: tuple[float, float]) -> Outcome:
    """Makes a file and gives it to its command."""
    own = folder / form.name.replace(" ", "-")
    own.mkdir()
    command = [sys.executable, "-m", "foretell", *form.words(own)]
    if form.begun:
        form.write(own, 0)
        subprocess.run(command, cwd=own, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    form.write(own, lines)
    if form.limited:
        command[4:4] = ["--limit-time", f"{limits[0]:g}", "--limit-memory", f"{limits[1]:g}"]
    begun = time.monotonic()
    with (own / "stdout").open("wb") as out, (own / "stderr").open("wb") as err:
        process = subprocess.Popen(command, cwd=own, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    message = (own / "stderr").read_text(errors="replace")
    size = sum(path.stat().st_size for path in own.rglob("*") if path.name not in ("stdout", "stderr"))
    seconds = time.monotonic() - begun
    return Outcome(
        form.name, size / 1e6, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20, process.returncode,
        message,
    )  # fmt: skip


def _first_line(message: str) -> str:
    """The error among notes, without the folder."""
    lines = [line for line in message.strip().split("\n") if line]
    first = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "")
    words = [Path(word).name if word.startswith("/") else word for word in first.split(" ")]
    return " ".join(words)[:150].replace("|", "\\|")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", help=f"all, if none is named: {', '.join(FORMATS)}")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--limit-time", type=float, default=20.0)
    parser.add_argument("--limit-memory", type=float, default=4.0)
    parser.add_argument("--table", type=Path, help="where the table goes, too")
    given = parser.parse_args()
    unknown = [name for name in given.formats if name not in FORMATS]
    if unknown:
        parser.error(f"no format {unknown[0]!r}: {', '.join(FORMATS)}")
    os.environ["FORETELL_ANSWERS"] = os.environ["FORETELL_CACHE"] = "off"
    rows, failed = ["| format | MB | processor s | GiB | outcome |", "|---|--:|--:|--:|---|"], 0
    print("\n".join(rows), flush=True)
    for name in given.formats or FORMATS:
        with tempfile.TemporaryDirectory(prefix="foretell-large-") as folder:
            outcome = run(FORMATS[name], given.lines, Path(folder), (given.limit_time, given.limit_memory))
        failure = outcome.failure(given.limit_time, given.limit_memory)
        failed += bool(failure)
        rows.append(outcome.row(failure))
        print(rows[-1], flush=True)
        if given.table:
            given.table.write_text("\n".join(rows) + "\n")
    print(f"{len(rows) - 2} files of {given.lines} lines, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
