"""Code that comes by stdin: `foretell predict - < file.c`."""

from __future__ import annotations

import atexit
import re
import sys

from foretell.errors import InputError
from foretell.files import MAX_TEXT_BYTES, held_folder

NAMES = ("-", "/dev/stdin")
_FORTRAN = re.compile(rb"^[ \t]*(subroutine|program|module|end[ \t]*do)\b", re.IGNORECASE | re.MULTILINE)
_TOML = re.compile(rb"\s*(#[^\n]*\n\s*)*(\[[\w.\[\]]+\]\s*$|[\w.]+\s*=\s*[\"\d{\[])", re.MULTILINE)


def file_of(code: str) -> str:
    """The file to read for CODE: what comes by stdin is kept in one, with the suffix that its text suggests."""
    if code not in NAMES:
        return code
    if sys.stdin is None:
        raise InputError("stdin is closed: no code can come by it", hint="foretell predict - --on MACHINE < file.c")
    text = sys.stdin.buffer.read(MAX_TEXT_BYTES + 1)
    if len(text) > MAX_TEXT_BYTES:
        raise InputError(f"stdin has more than {MAX_TEXT_BYTES >> 20} MiB, too much for a code", hint="give a file")
    if not text.strip():
        raise InputError("stdin is empty", hint="foretell predict - --on MACHINE < file.c")
    folder, remove = held_folder()
    atexit.register(remove)
    file = folder / f"stdin{suffix(text)}"
    file.write_bytes(text)
    return str(file)


def suffix(text: bytes) -> str:
    """Tells CUDA, Fortran, TOML and C apart by words that only one of them has."""
    if b"__global__" in text:
        return ".cu"
    if _FORTRAN.search(text):
        return ".f90"
    return ".toml" if _TOML.match(text) else ".c"
