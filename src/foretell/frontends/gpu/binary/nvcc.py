"""Compiles CUDA source and PTX to machine code: with nvcc, or CUDA source with NVRTC where nvcc is not installed."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import cache, decoding, files, running
from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.files import real, temporary_folder
from foretell.frontends.gpu.binary import nvrtc
from foretell.frontends.gpu.binary.cubin import ARCHITECTURES

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMEOUT_S = 600
#: what nvcc makes a cubin of
SOURCES = frozenset({".cu", ".ptx"})
#: entries: a line of JSON, the hashes of the source files by name; then the cubin
_CUBINS = cache.Kind("cubin", version=1)
#: flags of host compilers that nvcc takes, too
_PREPROCESSOR = ("-I", "-D", "-U", "-isystem", "-include")
#: flags that decide what nvcc writes, which is a cubin of one architecture
_OWN = (
    "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code", "-o", "--output", "-M",
    "--generate-d",
)  # fmt: skip
_OUTPUTS = (
    "-c", "-cubin", "--cubin", "-ptx", "--ptx", "-fatbin", "--fatbin", "-dc", "-dw", "-dlink", "-lib", "-link", "-E",
    "-cuda", "-run",
)  # fmt: skip
#: k.cu(12): error: …, of the CUDA front end; k.cu:12:3: error: … or fatal error: …, of the host compiler;
#: ptxas k.ptx, line 12; error : …, of the assembler
_MESSAGE = re.compile(
    r"^(?:ptxas )?(?P<file>[^\n(]+?)"
    r"(?:\((?P<line>\d+)\)\s*:|:(?P<other>\d+)(?::\d+)?\s*:|, line (?P<assembled>\d+);)\s*"
    r"(?:(?:fatal |catastrophic )?error[^:]*|fatal\s*): (?P<message>.*)$",
    re.MULTILINE,
)
#: default target of CUDA source where no machine gives one (sm_90: the measured GPU of the library, the H200)
DEFAULT_ARCHITECTURE = 90


def architecture_for(cpu: str) -> int:
    """The target architecture of CUDA source for a machine with this `target.cpu`: its own, or the nearest lower one
    that both nvcc and foretell support. The default for a machine that is no NVIDIA GPU."""
    own = re.fullmatch(r"sm_(\d+)[a-z]?", cpu)
    if own is None:
        return DEFAULT_ARCHITECTURE
    possible = _architectures(shutil.which("nvcc")) & set(ARCHITECTURES)
    lower = [arch for arch in possible if arch <= int(own[1])]
    if not lower:
        oldest = min(possible, default=DEFAULT_ARCHITECTURE)
        raise UnsupportedError(
            f"CUDA source cannot be compiled for {cpu}: the oldest that nvcc and foretell know here is sm_{oldest}",
            hint=f"--arch {oldest} compiles for that one; its instructions are then assumed for the machine",
        )
    return max(lower)


@lru_cache(maxsize=4)
def _architectures(nvcc: str | None) -> set[int]:
    """The architectures that nvcc supports; all that foretell reads if nvcc is missing or does not tell."""
    if nvcc is None:
        return set(ARCHITECTURES)  # the compilation will be refused with the right architecture named
    done = _run([nvcc, "--list-gpu-code"])
    return set(map(int, re.findall(r"^sm_(\d+)$", done.text, re.MULTILINE))) or set(ARCHITECTURES)


def _run(command: list[str]) -> running.Finished:
    try:
        return running.run(command, running.Limits(_TIMEOUT_S))
    except running.NotStartedError as error:
        raise ToolError(f"nvcc did not run: {error.reason}") from None


def compile_source(path: Path, arch: int, flags: tuple[str, ...] = ()) -> bytes:
    """Compiles a .cu or .ptx file with nvcc, or a .cu file with NVRTC; the cubin is cached until the file, a user's
    header or the compiler changes."""
    nvcc = shutil.which("nvcc")
    library = nvrtc.find() if nvcc is None and path.suffix == ".cu" else None
    if nvcc is None and library is None:
        raise ToolError(
            f"{path}: CUDA source and PTX need nvcc, which is not here; compile it where it is (nvcc -cubin -lineinfo "
            f"-arch=sm_{arch}) and give the cubin, or, for CUDA source without host code, pip install "
            "'foretell[nvrtc]'"
        )
    tool = library or Path(str(nvcc))
    options = ("-cubin", "-O3", "-lineinfo", f"-arch=sm_{arch}", *flags)
    if library:
        options = nvrtc.options_for(path, arch, flags)
    key = cache.key_of(*cache.state_of(tool), real(path), *options)
    cubin = _kept(key)
    if cubin is None:
        cubin, read = _compile_by_library(tool, path, options) if library else _compile(tool, path, options)
        state = {str(file): _digest(file) for file in read}
        _CUBINS.write(key, json.dumps(state).encode() + b"\n" + cubin)
    return cubin


#: how a library of objects begins, and a fatbin; the machine of an ELF file, and that of CUDA's
_LIBRARY, _FATBIN, _ELF, _MACHINE, _CUDA_MACHINE = b"!<arch>", b"\x50\xed\x55\xba", b"\x7fELF", 18, 190


def _linked_suffix(data: bytes) -> str:
    """What nvlink knows an input by: libraries and objects of the host have code of the device in them."""
    if data.startswith(_LIBRARY):
        return ".a"
    if data.startswith(_FATBIN):
        return ".fatbin"
    is_of_host = data.startswith(_ELF) and data[_MACHINE] != _CUDA_MACHINE
    return ".o" if is_of_host else ".cubin"


def link(inputs: Sequence[bytes], arch: int) -> bytes:
    """One cubin of several relocatable ones, and of libraries and objects, by nvlink."""
    nvlink = shutil.which("nvlink")
    if nvlink is None:
        raise ToolError("code of several inputs needs nvlink, which comes with nvcc and is not here")
    with temporary_folder() as folder:
        output = Path(folder) / "linked.cubin"
        paths = [Path(folder) / f"{number}{_linked_suffix(data)}" for number, data in enumerate(inputs)]
        for path, data in zip(paths, inputs, strict=True):
            path.write_bytes(data)
        done = _run([nvlink, f"--arch=sm_{arch}", *map(str, paths), "-o", str(output)])
        if done.code:
            raise InputError(f"nvlink: {(done.messages or done.failure).strip().splitlines()[0]}")
        return output.read_bytes()


def _kept(key: str) -> bytes | None:
    """A cached cubin, if none of its source files changed."""
    state, _, cubin = (_CUBINS.read(key) or b"").partition(b"\n")
    if not state:
        return None
    try:
        made_of = decoding.decoded(dict[str, str], files.parse_json(state.decode()), "entry")
        return cubin if all(_digest(Path(file)) == hash_ for file, hash_ in made_of.items()) else None
    except OSError:
        return None
    except (InputError, UnicodeDecodeError) as error:
        _CUBINS.drop(key, str(error))
        return None


def _digest(file: Path) -> str:
    status = file.stat()
    return _digest_of(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1 << 12)  # configurations of a kernel read the same files
def _digest_of(file: Path, _changed_ns: int, _size: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _compile(nvcc: Path, path: Path, options: tuple[str, ...]) -> tuple[bytes, tuple[Path, ...]]:
    """The cubin, and its source files outside of the system's."""
    with temporary_folder() as folder:
        output, rule = Path(folder) / "kernel.cubin", Path(folder) / "kernel.d"
        command = [nvcc, *options, "-MMD", "-MF", rule, "-o", output, real(path)]
        done = _run([str(word) for word in command])
        if done.code:
            raise _refused(done.messages, path)
        # PTX includes nothing
        read = _dependences(rule.read_text(encoding="utf-8")) if rule.exists() else (real(path),)
        return output.read_bytes(), read


def _compile_by_library(library: Path, path: Path, options: tuple[str, ...]) -> tuple[bytes, tuple[Path, ...]]:
    try:
        cubin, messages, read = nvrtc.compile_source(library, path, options, _TIMEOUT_S)
    except running.NotStartedError as error:
        raise ToolError(f"NVRTC did not run: {error.reason}") from None
    if not cubin:
        raise _refused(messages, path, "NVRTC")
    return cubin, read


def parse_flags(text: str) -> tuple[str, ...]:
    """Flags of nvcc as a shell would split them; those that foretell sets itself are refused."""
    try:
        flags = tuple(shlex.split(text))
    except ValueError as error:
        raise InputError(f"--nvcc {text!r}: {error}") from None
    for flag in flags:
        if flag.startswith(_OWN) or flag in _OUTPUTS:
            raise InputError(
                f"--nvcc: {flag} is chosen by foretell", hint="--arch selects the architecture; the output is a cubin"
            )
    return flags


def with_preprocessor_flags(path: Path, nvcc: str, cflags: str) -> str:
    """Flags of nvcc with those of a host compiler that also hold for CUDA source: folders of headers, and macros. What
    is compiled already has none."""
    if path.suffix not in SOURCES:
        return nvcc
    try:
        words = shlex.split(cflags)
    except ValueError as error:
        raise InputError(f"--cflags {cflags!r}: {error}") from None
    taken: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word in _PREPROCESSOR:
            taken += [word, following]
        elif word.startswith(_PREPROCESSOR):
            taken.append(word)
    return " ".join(part for part in (nvcc, shlex.join(taken)) if part)


def _refused(messages: str, path: Path, tool: str = "nvcc") -> InputError:
    """The compiler's first error, at its file and line."""
    found = _MESSAGE.search(messages)
    if found is None:
        first = next((line for line in messages.splitlines() if line.strip()), "it gave no reason")
        return InputError(f"{tool} cannot compile this: {first.strip()[:500]}", file=path)
    file, line, message = (
        found["file"],
        int(found["line"] or found["other"] or found["assembled"]),
        found["message"].strip(),
    )
    missing = "No such file" in message or "cannot open source file" in message
    hint = "give the folder of the header with --cflags '-I FOLDER'" if missing else None
    return InputError(f"{tool} cannot compile this: {message[:500]}", file=file, line=line, hint=hint)


def _dependences(rule: str) -> tuple[Path, ...]:
    r"""The files of a make rule, `target : first second \ third`; a space in a name has a backslash."""
    _, _, names = rule.replace("\\\n", " ").partition(":")
    return tuple(Path(name.replace("\\ ", " ")) for name in re.findall(r"(?:\\.|\S)++", names))
