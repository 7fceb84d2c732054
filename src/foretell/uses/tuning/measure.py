"""Measures configurations by a command of the user."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell import limits, running, units
from foretell.errors import InputError, UnitError
from foretell.running import Confinement, Limits
from foretell.uses.tuning.space import shown

if TYPE_CHECKING:
    from foretell.core.answers.tuning import Invalidity, Variant
    from foretell.uses.tuning.space import Configuration, KernelSpace

_MOST_TEXT, _MOST_OUTPUT = 300, 16 << 20


@dataclass(frozen=True, slots=True)
class Command:
    """A command that runs one configuration and prints its time on the last line: 1.25 ms, or seconds without a unit.

    `{name}` in a word is the value of an axis, the word `{flags}` stands for the flags of nvcc.
    """

    text: str
    timeout_s: float = 60.0

    def words(self, space: KernelSpace, configuration: Configuration) -> list[str]:
        """The words of the command for one configuration."""
        try:
            words = shlex.split(self.text)
        except ValueError as error:
            raise InputError(f"--measure {self.text!r}: {error}") from None
        if not words:
            raise InputError("--measure: no command")
        values = dict(pair.split("=", 1) for pair in shown(configuration).split() if "=" in pair)
        values["flags"] = space.compiler_flags(configuration)
        result = []
        for word in words:
            if word == "{flags}":
                result += shlex.split(values["flags"])
                continue
            for name, value in values.items():
                word = word.replace("{" + name + "}", value)
            result.append(word)
        return result

    def run(self, space: KernelSpace, variant: Variant) -> Variant:
        """The variant with its measured time, or with the reason why there is none."""
        words = self.words(space, dict(variant.parameters))
        allowed = Limits(self.timeout_s, output_bytes=_MOST_OUTPUT)
        try:
            done = running.run(words, allowed, confinement=Confinement.current())
        except running.NotStartedError as error:
            raise InputError(f"--measure: {words[0]} cannot be run: {error.reason}") from None
        except running.StoppedError as error:
            if error.limit == "time":
                return _failed(variant, f"no result after {allowed.time_s:g} s; {limits.MORE_TIME}", "timeout")
            return _failed(variant, str(error), "runtime")
        lines = [line.strip() for line in done.text.splitlines() if line.strip()]
        if done.code:
            messages = [line.strip() for line in done.messages.splitlines() if line.strip()]
            last = f": {messages[-1][:_MOST_TEXT]}" if messages else ""
            return _failed(variant, f"the measurement ended with code {done.code}{last}", "runtime")
        seconds = _seconds(lines[-1]) if lines else None
        if seconds is None:
            last = repr(lines[-1][:_MOST_TEXT]) if lines else "nothing"
            raise InputError(f"--measure: the last line must be a time such as 1.25 ms, and is {last}")
        return replace(variant, judged_s=seconds)


def _failed(variant: Variant, reason: str, kind: Invalidity) -> Variant:
    return replace(variant, reason=reason, invalidity=kind)


def _seconds(text: str) -> float | None:
    """A time with a unit, or in seconds."""
    try:
        value = float(text)
    except ValueError:
        try:
            value = units.parse_as(text, "s")
        except (InputError, UnitError):
            return None
    return value if math.isfinite(value) and value > 0 else None
