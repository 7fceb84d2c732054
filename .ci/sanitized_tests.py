"""Runs pytest with the core that a sanitizer was built into: python .ci/sanitized_tests.py SITE DONE [OPTIONS] TESTS…

A set takes hours: tests that passed are written to the file DONE, and left out where they are in it, so that a run that
was cut short goes on where it stopped. Of several processes each runs its part of the tests: SANITIZE_PART=2/16 is the
third of sixteen.

Only this process: what tests start (compilers, programs of users, workers, commands) has a clean environment and finds
the installed package, since a sanitizer in it says nothing of the core and exceeds usual limits of memory.
"""

from __future__ import annotations

import os
import sys
import zlib
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    import pytest

_OF_THIS_PROCESS = ("LD_PRELOAD", "PYTHONMALLOC")


class _Sanitized(MetaPathFinder):
    """Finds the package in SITE, before any other finder: that of an editable install comes before `PYTHONPATH`."""

    def __init__(self, site: str) -> None:
        self._site = site

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "foretell":
            return None
        return PathFinder.find_spec(name, path or [self._site])


class _Done:
    """Tests that passed before are not run again, nor those of other parts."""

    def __init__(self, file: Path, part: str) -> None:
        self._file = file
        self._before = set(file.read_text().split("\n")) if file.exists() else set()
        self._number, self._parts = map(int, part.split("/"))

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid not in self._before and self._is_ours(item.nodeid)]
        left_out = [item for item in items if item not in chosen]
        items[:] = chosen
        config.hook.pytest_deselected(items=left_out)

    def _is_ours(self, name: str) -> bool:
        """Tests of a class, or of one function with many values, are alike: their names spread them evenly."""
        return zlib.crc32(name.encode()) % self._parts == self._number

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped or (report.when == "call" and report.passed):
            with self._file.open("a") as done:
                done.write(f"{report.nodeid}\n")


def main(site: str, done: str, words: list[str]) -> int:
    for name in _OF_THIS_PROCESS:
        os.environ.pop(name, None)
    sys.meta_path.insert(0, _Sanitized(site))
    sys.path.insert(0, str(Path.cwd()))
    from foretell import _core

    if not Path(_core.__file__).is_relative_to(site):
        print(f"{_core.__file__} is not the core that was built with the sanitizer", file=sys.stderr)
        return 1
    import pytest

    return int(pytest.main(words, [_Done(Path(done), os.environ.get("SANITIZE_PART", "0/1"))]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
