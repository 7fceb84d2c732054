"""What to change in a code: changes that are tried in the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.workload import CALL_INSTEAD
from foretell.errors import InputError
from foretell.uses.advise.asked import Asked, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from foretell.core.answers.advising import Advising

__all__ = ["Asked", "Origin", "advise"]
_MOST = 4
_CXX = (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh")


def advise(
    asked: Asked, file: Path, depth: int = 1, only: Sequence[str] = (), say: Callable[[str], None] = lambda _: None
) -> Advising:
    """Tries changes of a file, up to `depth` in sequence. `only` names kinds of change, `say` hears the progress."""
    from foretell.core.gpu.warps import Warps
    from foretell.core.nest.loopnest import Loops
    from foretell.uses.advise.loops import advise_loops

    if not 1 <= depth <= _MOST:
        raise InputError(f"--try {depth}: 1 to {_MOST} changes in sequence")
    if file.is_dir():
        raise InputError("changes are tried in one file: name it", file=file)
    if not file.exists():
        raise InputError("there is no such file", file=file)
    if file.suffix.lower() in _CXX:
        hint = "a function that is C as well can be asked for in a file .c"
        raise InputError(
            "changes of C++ are not tried: its loops are known from compiled code alone", file=file, hint=hint
        )
    origin = Origin(file, asked.again(file, "", 0), asked)
    if origin.case.workload.find(Warps) is not None:
        from foretell.uses.advise.kernels import advise_kernel

        return advise_kernel(origin, only, say)
    if origin.case.workload.find(Loops) is None:
        unread = (text.partition(CALL_INSTEAD) for text in origin.case.workload.assumptions)
        why = next((reason for reason, instead, _ in unread if instead), "")
        raise InputError(why or "changes are tried in sources: C, Fortran or CUDA", file=file)
    if "cc" not in origin.case.settings.options:
        hint = "`foretell why` without --try has its advice, where it has any"
        raise InputError(f"changes of loops are tried by the CPU model, not by {origin.case.model.name}", hint=hint)
    return advise_loops(origin, depth, only, say)
