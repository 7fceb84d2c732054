"""Which lines of the package the suite reaches: `pytest --coverage`, also with `-n auto`.

slipcover rewrites the code of a module when it is imported and takes its probes out again once they were hit, so that
the suite is hardly slower than without; tools that trace every line take two to three times as long.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

#: the least share of lines that must be reached, in percent
LEAST = 95.0
#: how often a line runs before its probe is taken out: that looks through all functions (0.1 s), and saves 60 ns a run
_RUNS = 20_000
_EXCLUDED = ["if TYPE_CHECKING:", "@overload", r"\.\.\.$", "pragma: no cover"]
_KEY = "foretell_coverage"


def package() -> Path:
    """The folder of the package, without importing it."""
    spec = find_spec("foretell")
    assert spec is not None
    return Path(str(spec.origin)).parent


class LineCoverage:
    """Measures in every process that runs tests, and adds up where the session began."""

    def __init__(self, config: pytest.Config) -> None:
        from slipcover import FileMatcher, ImportManager, Slipcover

        folder = package()
        self._worker = getattr(config, "workeroutput", None)
        # which lines there are is found once, where everything is added up
        whole = [str(folder)] if self._worker is None else None
        self._own = Slipcover(source=whole, exclude_also=_EXCLUDED, d_miss_threshold=_RUNS)
        self._imports = ImportManager(self._own, FileMatcher(sources=[folder]))
        self._imports.__enter__()
        self.total: dict[str, Any] | None = None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hands the lines of a worker over, or judges the sum."""
        self._imports.__exit__()
        if self._worker is not None:
            self._worker[_KEY] = json.dumps(self._reached())
            return
        self.total = self._own.get_coverage()
        if self.share < LEAST and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _reached(self) -> dict[str, list[int]]:
        """The lines that ran in this process, by file."""
        seen = (self._own.all_seen, self._own.newly_seen)
        return {file: sorted(set().union(*(part.get(file, ()) for part in seen))) for file in {*seen[0], *seen[1]}}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Adds the lines of a worker that is done."""
        for file, lines in json.loads(getattr(node, "workeroutput", {}).get(_KEY, "{}")).items():
            self._own.all_seen[str(Path(file).resolve())].update(lines)

    @property
    def share(self) -> float:
        """Lines that were reached, in percent."""
        assert self.total is not None
        return float(self.total["summary"]["percent_covered"])

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Lists the lines that no test reaches, by file."""
        if self.total is None:
            return
        terminalreporter.section("lines that no test reaches")
        for name, file in sorted(self.total["files"].items()):
            if file["missing_lines"]:
                terminalreporter.write_line(f"{name}: {_ranges(file['missing_lines'])}")
        verdict = "" if self.share >= LEAST else f", less than {LEAST:g} %"
        terminalreporter.write_line(f"coverage: {self.share:.1f} % of lines{verdict}")


def _ranges(lines: list[int]) -> str:
    """Numbers as ranges: 1, 2, 3, 7 are 1-3, 7."""
    ranges: list[list[int]] = []
    for line in lines:
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
