"""Edits that change nothing must not raise an alarm: comments, white space, renamed locals, moved functions.

python benchmarks/check/no_op_edits.py [EDITS] [SEED]    # 1000 edits on four machines; exit code 1: an alarm
"""

from __future__ import annotations

import collections
import os
import random
import sys
import tempfile
from pathlib import Path

from check.many_functions import functions, no_op, write

MACHINES = ("zen4", "sapphire-rapids", "neoverse-n1", "apple-m2")
FUNCTIONS = 100


def main(edits: int, seed: int) -> int:
    chance, verdicts, alarms = random.Random(seed), collections.Counter[str](), []
    texts = functions(FUNCTIONS)
    with tempfile.TemporaryDirectory() as base:
        os.environ.setdefault("FORETELL_CACHE", str(Path(base) / "cache"))
        from foretell.uses.check.configured.configuration import read_configuration
        from foretell.uses.check.run import Job, check
        from foretell.uses.check.versions import opened

        for number in range(0, edits, FUNCTIONS):
            old, new = Path(base) / f"old-{number}", Path(base) / f"new-{number}"
            write(old, texts, MACHINES)
            edited = {name: no_op(text, chance) for name, text in texts.items()}
            write(new, edited, MACHINES)
            for file in sorted(new.glob("*.c")):  # functions are moved
                parts = [part for part in file.read_text().split("\nvoid ") if part.strip()]
                parts = [part if part.startswith("void ") else f"void {part}" for part in parts]
                chance.shuffle(parts)
                file.write_text("\n".join(parts))
            with opened(str(old), old, False) as before, opened(str(new), new, False) as after:
                answer, _ = check(read_configuration(new / "foretell.toml"), before, after, Job(2), new)
            verdicts += collections.Counter(change.verdict for change in answer.changes)
            verdicts["not compared"] += len(answer.not_compared)
            alarms += [change.headline for change in answer.changes if change.broken or change.growth]
            print(f"{number + FUNCTIONS} edits: {dict(verdicts)}; alarms: {len(alarms)}", flush=True)
            alarms and print("  ", "\n   ".join(alarms[:5]))
    return 1 if any(name in verdicts for name in ("slower", "faster")) or verdicts["not compared"] else 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [1000, 7][len(given) :])))
