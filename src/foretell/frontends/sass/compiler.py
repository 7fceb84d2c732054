"""CUDA source to machine code, with nvcc where there is one."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from foretell.errors import InputError, ToolError
from foretell.frontends.sass import cache

_TIMEOUT_S = 600


def compile_source(path: Path, arch: int, flags: tuple[str, ...] = ()) -> bytes:
    """The cubin that nvcc makes of a .cu file, kept until the file, a header of the user's or nvcc changes."""
    found = shutil.which("nvcc")
    if found is None:
        raise ToolError(
            f"{path}: CUDA source needs nvcc, which is not here; compile it where it is (nvcc -cubin -lineinfo "
            f"-arch=sm_{arch}) and give the cubin"
        )
    nvcc = Path(found)
    options = ("-cubin", "-O3", "-lineinfo", f"-arch=sm_{arch}", *flags)
    place = cache.place(nvcc, path.resolve(), *options)
    cubin = _kept(place)
    if cubin is None:
        cubin, read = _compile(nvcc, path, options)
        state = {str(file): _digest(file) for file in read}
        cache.keep(place.with_suffix(".cubin"), cubin)
        cache.keep(
            place.with_suffix(".json"), json.dumps([hashlib.sha256(cubin).hexdigest(), state]).encode()
        )
    return cubin


def _kept(place: Path) -> bytes | None:
    """A cubin of before, where every file it was made of is as it was."""
    cubin, state = cache.kept(place.with_suffix(".cubin")), cache.kept(place.with_suffix(".json"))
    if cubin is None or state is None:
        return None
    try:
        digest, read = json.loads(state)
        same = digest == hashlib.sha256(cubin).hexdigest()
        return cubin if same and all(_digest(Path(file)) == known for file, known in read.items()) else None
    except (ValueError, AttributeError, OSError):
        return None


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _compile(nvcc: Path, path: Path, options: tuple[str, ...]) -> tuple[bytes, tuple[Path, ...]]:
    """The cubin, and the files outside the system that it was made of."""
    with tempfile.TemporaryDirectory() as folder:
        output, rule = Path(folder) / "kernel.cubin", Path(folder) / "kernel.d"
        command = [nvcc, *options, "-MMD", "-MF", rule, "-o", output, path.resolve()]
        try:
            done = subprocess.run(
                [str(word) for word in command],
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ToolError(f"nvcc did not run: {error}") from None
        if done.returncode:
            raise InputError(f"nvcc cannot compile this: {done.stderr.strip()[:2000]}", file=path)
        return output.read_bytes(), _dependences(rule.read_text(encoding="utf-8"))


def _dependences(rule: str) -> tuple[Path, ...]:
    r"""The files of a make rule, `target : first second \ third`; a space in a name has a backslash."""
    _, _, names = rule.replace("\\\n", " ").partition(":")
    return tuple(Path(name.replace("\\ ", " ")) for name in re.findall(r"(?:\\.|\S)+", names))
