"""Workflow commands of GitHub Actions: annotations of lines, and the summary of a step.

GitHub shows ten warnings and ten errors of a step: the worst come first, and the summary has all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.core.answers.check import Change, Check

#: annotations of each kind that a step shows
_SHOWN = 10
#: bytes of a summary that are kept
SUMMARY_BYTES = 1 << 20


def workflow_commands(item: Check) -> str:
    """One command for each broken limit (error) and each change without one (warning), and a notice with the
    headline."""
    errors = [change for change in item.changes if change.broken]
    warnings = [change for change in item.changes if change.verdict == "slower" and not change.broken]
    lines = [_command("error", change) for change in errors[:_SHOWN]]
    lines += [_command("warning", change) for change in warnings[:_SHOWN]]
    more = len(errors) + len(warnings) - len(lines)
    hidden = f" ({more} more in the summary)" if more else ""
    return "\n".join([*lines, f"::notice title=foretell check::{_data(item.headline + hidden)}"])


def _command(kind: str, change: Change) -> str:
    properties = {"file": change.file, "line": str(change.line) if change.line else "", "title": change.headline}
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    reasons = "; ".join(reason.text for reason in change.reasons)
    return f"::{kind} {given}::{_data(f'{change.broken or change.headline}. {reasons}')}"


def _data(text: str) -> str:
    """Escapes the message of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escapes the value of a property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(text: str) -> str:
    """Markdown that fits into the summary of a step."""
    data = text.encode()
    if len(data) <= SUMMARY_BYTES:
        return text
    note = "\n\n… (the rest does not fit into a summary)\n"
    return data[: SUMMARY_BYTES - len(note.encode())].decode(errors="ignore").rsplit("\n", 1)[0] + note
