"""`python -m tests.golden.predictions`: replays all commands, prints what moved and records anew.

`--check` records nothing; `--numbers-only` neither, and compares the numbers of each case whatever they are called.
The exit code is 1 where a number moved.
"""

from __future__ import annotations

import argparse
import sys

from tests.golden.predictions import store
from tests.golden.predictions.cases import GROUPS
from tests.golden.predictions.compare import Changes, compare
from tests.golden.predictions.replay import answer


def main() -> int:
    """Replays the groups that are named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.predictions", description=__doc__)
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--check", action="store_true", help="record nothing")
    parser.add_argument("--numbers-only", action="store_true", help="record nothing, ignore names and words")
    given = parser.parse_args()
    if unknown := set(given.groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}")
    changes = Changes()
    for group in given.groups or GROUPS:
        found = {name: answer(command) for name, command in GROUPS[group].items()}
        changes.add(compare(store.read(group), found, given.numbers_only))
        if not (given.check or given.numbers_only):
            store.write(group, found)
            store.forget(set(GROUPS))
    print(changes)
    return 1 if changes.numbers else 0


if __name__ == "__main__":
    sys.exit(main())
