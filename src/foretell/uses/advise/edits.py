"""The difference of two texts as an edit."""

from __future__ import annotations

from foretell.core.answers.advising import TextEdit


def whole_edit(before: str, after: str) -> tuple[TextEdit, ...]:
    """One edit from the first line that differs to the last."""
    if before == after:
        return ()
    old, new = before.split("\n"), after.split("\n")
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    last = 0
    while last < shorter - first and old[-1 - last] == new[-1 - last]:
        last += 1
    text = "".join(f"{line}\n" for line in new[first : len(new) - last])
    return (TextEdit(first + 1, 1, len(old) - last + 1, 1, text),)
