"""Runs the command line as a user does, in this process, with what came out and the exit code."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

from foretell.cli import main
from tests.support import schema

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Result:
    """What a command did."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """The JSON on stdout, after checking it against the published schema."""
        document: dict[str, Any] = json.loads(self.out)
        schema.check(document)
        return document


def run(*args: str | Path) -> Result:
    """`foretell ARGS`."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["foretell", *map(str, args)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    return Result(code, out.getvalue(), err.getvalue())


def refused(*args: str | Path, code: int = 3) -> str:
    """The message of a command that must fail with this code: nothing on stdout, no traceback."""
    result = run(*args)
    assert result.code == code, (result.code, result.err)
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "internal error" not in result.err
    return result.err
