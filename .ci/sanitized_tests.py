"""Runs pytest with the core that a sanitizer was built into: python .ci/sanitized_tests.py SITE [OPTIONS] TESTS…

Only this process: what tests start (compilers, programs of users, workers, commands) has a clean environment and finds
the installed package, since a sanitizer in it says nothing of the core and exceeds usual limits of memory.
"""

from __future__ import annotations

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_OF_THIS_PROCESS = ("LD_PRELOAD", "PYTHONMALLOC")


class _Sanitized(MetaPathFinder):
    """Finds the package in SITE, before any other finder: that of an editable install comes before `PYTHONPATH`."""

    def __init__(self, site: str) -> None:
        self._site = site

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "foretell":
            return None
        return PathFinder.find_spec(name, path or [self._site])


def main(site: str, words: list[str]) -> int:
    for name in _OF_THIS_PROCESS:
        os.environ.pop(name, None)
    sys.meta_path.insert(0, _Sanitized(site))
    sys.path.insert(0, str(Path.cwd()))
    from foretell import _core

    if not Path(_core.__file__).is_relative_to(site):
        print(f"{_core.__file__} is not the core that was built with the sanitizer", file=sys.stderr)
        return 1
    import pytest

    return int(pytest.main(words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
