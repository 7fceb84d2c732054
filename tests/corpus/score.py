"""Prints, per program of the corpus, nests by status and how they agree with the counted run.

python tests/corpus/score.py [-v] [name ...]
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from compare import Verdict, judge_case
from count import cases

COLUMNS = (
    "exact",
    "assumed",
    "bound",
    "refused",
    "agrees",
    "per iteration",
    "close",
    "bound holds",
    "differs",
    "not run",
)


def main() -> int:
    words = sys.argv[1:]
    verbose = "-v" in words
    names = [w for w in words if w != "-v"]
    total: Counter[str] = Counter()
    sys.stdout.write(f"{'program':34s}" + "".join(f"{c:>14s}" for c in COLUMNS) + "\n")
    for case in cases():
        if names and not any(n in case.name for n in names):
            continue
        try:
            verdicts, missing = judge_case(case)
        except Exception as error:
            total["crash"] += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            sys.stdout.write(f"{case.name:34s} CRASH {type(error).__name__}: {error} ({last.filename}:{last.lineno})\n")
            continue
        row = Counter(v.status for v in verdicts) + Counter(v.result for v in verdicts if v.result != "refused")
        total += row
        total["good"] += sum(v.good for v in verdicts)
        total["ran"] += sum(v.result != "not run" for v in verdicts)
        total["lost"] += len(missing)
        sys.stdout.write(f"{case.name:34s}" + "".join(f"{row[c]:14d}" for c in COLUMNS) + "\n")
        report(verdicts, missing, verbose)
    sys.stdout.write(f"{'total':34s}" + "".join(f"{total[c]:14d}" for c in COLUMNS) + "\n")
    sys.stdout.write(
        f"good {total['good']} of {total['ran']} that ran, lost {total['lost']}, crashed {total['crash']}\n"
    )
    return 0


def report(verdicts: list[Verdict], missing: list[str], verbose: bool) -> None:
    for v in verdicts:
        if verbose and not v.good:
            sys.stdout.write(f"    {v.file}:{v.line} {v.function} {v.status} {v.result}: {v.detail}\n")
    for loop in missing:
        sys.stdout.write(f"    LOST {loop}\n")


if __name__ == "__main__":
    sys.exit(main())
