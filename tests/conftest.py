"""Settings of the whole suite."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from xdist.scheduler import Scheduling

# Which compiler is installed decides no test: code is generated unless a test names a compiler.
os.environ.setdefault("FORETELL_CC", "none")

# Nor does what earlier tests were answered: each answer is computed.
os.environ.setdefault("FORETELL_ANSWERS", "off")

# How long an example takes depends on what else the machine does; no wall-clock limit decides a test.
settings.register_profile("foretell", deadline=None)
settings.load_profile("foretell")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--coverage` measures which lines of the package are reached."""
    parser.addoption("--coverage", action="store_true", help="Say which lines of the package no test reaches.")


def pytest_configure(config: pytest.Config) -> None:
    """Begins before any test imports the package."""
    if config.getoption("--coverage"):
        from tests.support.coverage import LineCoverage

        config.pluginmanager.register(LineCoverage(config), "line-coverage")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Each worker begins with a part of the suite as it is ordered: what the tests of a file share is made by one of
    them. Who is done takes over tests of the others."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None
