"""Errors that foretell raises deliberately.

    ForetellError
    ├── InputError          a file, value or parameter of the user is not usable        exit 3
    │   ├── UnitError       a quantity has no unit, an unknown one, or the wrong kind
    │   └── OptionError     an option does not fit the kind of code, or one is missing  exit 2 where a command has it
    ├── UnsupportedError    the input is understood, but this is not modelled           exit 3
    ├── MachineError        the machine lacks, or contradicts, what a model needs       exit 3
    ├── CheckError          a check the user asked for did not pass                     exit 4
    └── ToolError           something outside foretell is absent or failed              exit 1
        └── MissingExtraError   an optional Python package is not installed

Library code raises these and never prints or exits; the command line turns them into one message and the exit code
listed above. `RenamedWarning` notes an old name that is still accepted, `CacheWarning` a cache entry that is made anew,
`LeftOutWarning` what a file asked for and is not done.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class RenamedWarning(FutureWarning):
    """An old name of a parameter or of an option value was used; it is still accepted."""


class CacheWarning(UserWarning):
    """An entry or setting of the cache was not usable; the answer is the same, made anew."""


class LeftOutWarning(UserWarning):
    """Something that a file asks for is not done, since it could run code or write files."""


class ForetellError(Exception):
    """Base class of all errors that foretell raises deliberately."""

    exit_code = 1


class InputError(ForetellError):
    """The user's file, value or parameter is not usable."""

    exit_code = 3

    def __init__(
        self, message: str, *, file: Path | str | None = None, line: int | None = None, hint: str | None = None
    ) -> None:
        self.message = message
        self.file = None if file is None else str(file)
        self.line = line
        self.hint = hint
        super().__init__(_located(message, self.file, line, hint))

    def at(self, file: Path | str, line: int | None = None) -> InputError:
        """Returns the same error with the file and line it concerns (kept if already set)."""
        if self.file is not None:
            return self
        return type(self)(self.message, file=file, line=self.line or line, hint=self.hint)


class UnitError(InputError):
    """A quantity has no unit, an unknown unit, or a unit of the wrong kind."""


class OptionError(InputError):
    """An option (of a command, or a keyword argument) does not fit the kind of code, or is missing for it."""


class UnsupportedError(InputError):
    """The input is understood, but foretell does not model it."""


class MachineError(InputError):
    """A machine file contradicts itself, or lacks a number that a model needs."""


class CheckError(ForetellError):
    """A check that the user asked for did not pass."""

    exit_code = 4


class ToolError(ForetellError):
    """A program or package outside foretell is absent or failed."""


class MissingExtraError(ToolError):
    """An optional package is not installed; the message names the pip extra."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(
            f"this needs the package {package}: pip install 'foretell[{extra}]', or 'foretell[all]' for everything"
        )


def nearest(name: str, known: Iterable[str]) -> str:
    """' (did you mean X?)' for the known name closest to `name`, or ''."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _located(message: str, file: str | None, line: int | None, hint: str | None) -> str:
    where = "" if file is None else f"{file}:{line}: " if line is not None else f"{file}: "
    return f"{where}{message}" + (f"\n  {hint}" if hint else "")
