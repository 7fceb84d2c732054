"""Flags of compilers: words of a command line, and which of them a file of somebody else may give.

A flag can make a compiler load code (`-fplugin=…`), start another program (`-wrapper`, `-specs=`, `-B`) or write any
file (`-fdump-…=`, `-Wp,-MD,…`). Who gives it on the command line knows; a compilation database or a Makefile that
foretell finds beside a code is only read, so that of its flags those count that are known to do none of this.
"""

from __future__ import annotations

import re
import shlex
import warnings
from typing import TYPE_CHECKING

from foretell.errors import InputError, LeftOutWarning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

#: flags that say what to do with the result, and those of them that have an operand
_ACTIONS, _WITH_OPERAND = ("-c", "-S", "-E", "-MD", "-MMD", "-MP", "-MG"), ("-o", "-MF", "-MT", "-MQ")
#: flags that change the code that is generated and name no file; -f of plugins, profiles and dumps do
CODE = re.compile(
    r"-(?:O[0-3sz]?|Ofast|std=[\w+:]+|D[A-Za-z_]\w*(?:=[\w.+-]*)?|U[A-Za-z_]\w*|g[0-3]?|pthread|pipe"
    r"|f(?!plugin|profile|auto-profile|pass-plugin|dump|save|file|debug|macro|sanitize|module|use-|opt-info|callgraph"
    r"|stack-usage|crash|diag|temp|syntax|working|embed|lto|deps|compare|time-trace|proc-stat)"
    r"[a-z0-9-]{1,40}(?:=[\w,-]{1,40})?"
    r"|m(?!llvm)[a-z0-9.-]{1,40}(?:=[\w.+,-]{1,40})?|W(?![alp],)[a-z0-9+-]{0,40}(?:=[\w-]{1,20})?)"
)
#: flags with a value of its own: what is only read, or a choice of the language or target
_OPERAND = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-D", "-U", "-x", "-isysroot",
            "--sysroot", "-target", "-arch", "--param")  # fmt: skip
_JOINED = re.compile(
    r"(?:-[DUI]|-isystem|-iquote|-idirafter|--sysroot=|-isysroot|--target=|--param=).+|-f(?:no-)?sanitize=[\w,-]+"
    r"|-nostdinc(?:\+\+)?|-ansi|-pedantic(?:-errors)?|-w|-g(?!en|cc|split)[a-z0-9-]*|-f(?:no-)?PI[CE]"
)
#: flags that change no code, and are left out without a word
_WITHOUT_EFFECT = re.compile(r"-f(?:debug|file|macro)-prefix-map=.*|-f(?:no-)?diagnostics-[\w-]+(?:=[\w-]*)?|-Wp,-M.*")


def split_flags(flags: str) -> tuple[str, ...]:
    """The words of a command line."""
    try:
        return tuple(shlex.split(flags))
    except ValueError as error:
        raise InputError(f"--cflags {flags!r}: {error}") from None


def usable_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Flags without those that say what is done with the result."""
    kept, rest = [], iter(flags)
    for word in rest:
        if word in _WITH_OPERAND:
            next(rest, None)
        elif word not in _ACTIONS and not word.startswith(("-o", "-save-temps")):
            kept.append(word)
    return tuple(kept)


def flags_of_others(flags: Sequence[str], file: Path) -> tuple[str, ...]:
    """The flags of a file that nobody named which can neither run anything nor write a file; others are noted."""
    kept = list[str]()
    left = dict[str, None]()
    for words in _with_operands(usable_flags(flags)):
        if len(words) == 2 or CODE.fullmatch(words[0]) or _JOINED.fullmatch(words[0]):
            kept += words
        elif not _WITHOUT_EFFECT.fullmatch(words[0]):
            left[words[0]] = None
    if left:
        shown = " ".join(list(left)[:4])[:200]
        warnings.warn(f"{file}: left out, for a compiler may run code or write files by it: {shown}", LeftOutWarning,
                      stacklevel=2)  # fmt: skip
    return tuple(kept)


def _with_operands(flags: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Flags with their operands; what begins as a flag is none, whatever a compiler makes of the word before."""
    rest = list(flags)
    while rest:
        words = 2 if rest[0] in _OPERAND and len(rest) > 1 and rest[1][:1] not in ("-", "@") else 1
        yield tuple(rest[:words])
        del rest[:words]
