"""Refuses sources that libclang, which has no limits of its own, would not finish: before it parses them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from foretell import limits
from foretell.errors import InputError
from foretell.frontends.c.parse.macros import MAX_TOKENS, explosive

if TYPE_CHECKING:
    from foretell.frontends.c.parse.text import Source

#: Clang recurses over nested operators and else-if chains; beyond these limits it might overflow the stack.
MAX_PIECE = 200_000
MAX_ELSE = 50_000
#: Each declaration of a variable is compared with all earlier ones: 20,000 took 9 s (libclang 18, Neoverse-N1), 40,000
#: took 36 s. This many are allowed at the default limit of time; at another limit, by its square root.
MAX_DECLARATIONS = 20_000

#: brackets, and names at the end of a declarator
_DECLARED = re.compile(r"[{}]|\b([A-Za-z_]\w*)\s*(?=[;,=\[])")
_SPACE = re.compile(r"\s+")


def refuse_endless(source: Source) -> None:
    """Counts what takes clang more than linear time, or stack."""
    piece, line = source.longest_piece()
    if (len(piece) > MAX_PIECE and len(_SPACE.sub("", piece)) > MAX_PIECE) or source.code.count("else") > MAX_ELSE:
        raise InputError("has a statement that is too long to be parsed", file=source.path, line=line)
    macro = explosive(source.code, source.macros)
    if macro is not None:
        raise InputError(f"the macro {macro!r} expands to more than {MAX_TOKENS} tokens", file=source.path)
    _refuse_redeclarations(source)


def _refuse_redeclarations(source: Source) -> None:
    """Variables at file level may be declared again and again. Names in a function may not, so they are not counted."""
    most = int(MAX_DECLARATIONS * (limits.seconds() / limits.DEFAULT_SECONDS) ** 0.5)
    if source.code.count(";") + source.code.count(",") <= most:
        return
    counts: Counter[str] = Counter()
    depth = 0
    for match in _DECLARED.finditer(source.code):
        if match[1] is None:
            depth = max(0, depth + (1 if match[0] == "{" else -1))
        elif depth == 0:
            counts[match[1]] += 1
            if counts[match[1]] > most:
                error = limits.too_long(f"{match[1]!r} is declared more than {most} times")
                raise error.at(source.path, source.line(match.start()))
