"""Triton kernels: compiled for a GPU that need not be here, with the extra `triton`.

The file is imported, as Triton needs the function itself. Meta-parameters are the constants of the kernel
(`tl.constexpr`) and Triton's own `num_warps`, `num_stages` and `num_ctas`.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.gpu.launch import Pointer, Scalar
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import ForetellError, InputError, MissingExtraError, OptionError, nearest
from foretell.frontends.gpu import launch as launches
from foretell.frontends.gpu.arguments import parse_argument
from foretell.frontends.gpu.sass import kernels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from foretell.core.gpu.launch import Argument
    from foretell.frontends.options import ReadOptions

Value = int | float | bool | str

#: Triton's names of element types
_TYPES = {
    "f16": "fp16", "f32": "fp32", "f64": "fp64", "bf16": "bf16", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64",
}  # fmt: skip
#: options of the compiler among the meta-parameters, with Triton's defaults
_OPTIONS = {"num_warps": 4, "num_stages": 3, "num_ctas": 1}
#: Triton assumes this alignment of pointers, and of whole numbers that are multiples of it
_ALIGNED = 16
_LANES = 32
#: architecture where no machine gives one
_DEFAULT_ARCHITECTURE = 90


@dataclass(frozen=True, slots=True)
class Compiled:
    """A kernel in machine code with what its launch needs."""

    cubin: bytes
    name: str
    threads: int
    shared_bytes: int
    passed: tuple[str, ...]


def read_workload(path: Path, options: ReadOptions, arch: int | None) -> Workload:
    """Compiles the kernel `options.kernel` of a Python file; --arg gives the parameters that are no constants."""
    if options.kernel is None or options.grid is None:
        hint = (
            "other Python: foretell profile -o app.json -- PROGRAM counts a run, and predict app.json carries it over"
        )
        raise OptionError("a Triton kernel needs FILE.py:KERNEL, --grid, --arg and --meta", file=path, hint=hint)
    done, named, meta = _compiled_file(path, options, arch)
    return _workload(done, named, meta, options.grid, str(path))


def compile_file(path: Path, options: ReadOptions, arch: int | None) -> Compiled:
    """Compiles the kernel `options.kernel` of a Python file for these arguments, without reading its machine code."""
    return _compiled_file(path, options, arch)[0]


def _compiled_file(
    path: Path, options: ReadOptions, arch: int | None
) -> tuple[Compiled, dict[str, Argument], dict[str, Value]]:
    state = path.stat() if path.is_file() else None  # a file that was edited is imported again
    key = (state.st_mtime_ns, state.st_size) if state else ()
    function = _loaded(path, options.kernel or "", key)
    meta = parse_meta(options.meta)
    named = _named(function, [parse_argument(text) for text in options.args], meta)
    return compile_kernel(function, named, meta, arch or _DEFAULT_ARCHITECTURE), named, meta


def workload_of(
    function: Any,
    arguments: Sequence[Argument],
    meta: Mapping[str, Value],
    grid: str,
    arch: int | None = None,
    origin: str = "",
) -> Workload:
    """The workload of a Triton function with its arguments, in the order of the parameters that are no constants."""
    named = _named(function, arguments, meta)
    return _workload(compile_kernel(function, named, meta, arch or _DEFAULT_ARCHITECTURE), named, meta, grid, origin)


def _workload(
    done: Compiled, named: Mapping[str, Argument], meta: Mapping[str, Value], grid: str, origin: str
) -> Workload:
    kernel = kernels.decode_kernel(done.cubin, done.name)
    given = [named[name] for name in done.passed]
    scratch = [Scalar(0.0)] * (len(kernel.parameters) - len(given))  # pointers to scratch memory that is not used
    block = str(done.threads)
    launch = launches.parse_launch(done.name, grid, block, (), done.shared_bytes)
    launch = replace(launch, arguments=(*given, *scratch))
    shown = repr((sorted(meta.items()), launch)).encode()
    return Workload(
        name=done.name,
        facets=(Warps(kernel, launch),),
        origin=origin,
        input_hash=files.content_hash(done.cubin + shown),
    )


@lru_cache(maxsize=8)
def _loaded(path: Path, name: str, _state: tuple[int, ...]) -> Any:
    return load(path, name)


def load(path: Path, name: str) -> Any:
    """Imports a file and returns one of its Triton functions."""
    _triton()
    files.read_bytes(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError("is not a Python file", file=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"cannot be imported: {type(error).__name__}: {error}", file=path) from None
    found = {key: value for key, value in vars(module).items() if hasattr(value, "arg_names") or hasattr(value, "fn")}
    if name not in found:
        raise InputError(f"no Triton kernel {name!r}{nearest(name, found)}", file=path)
    return found[name]


def parse_meta(pairs: Sequence[tuple[str, str]]) -> dict[str, Value]:
    """Meta-parameters: whole numbers, numbers, True and False, or text."""
    return {name: _value(text) for name, text in pairs}


def _value(text: str) -> Value:
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def compile_kernel(function: Any, named: Mapping[str, Argument], meta: Mapping[str, Value], arch: int) -> Compiled:
    """Compiles a function to machine code; equal to what Triton would run with these arguments."""
    triton = _triton()
    function = _plain(function)
    ones = {name: 1 for name, item in named.items() if isinstance(item, Scalar) and item.value == 1 and not item.kind}
    constants = {**{name: value for name, value in meta.items() if name in function.arg_names}, **ones}
    signature = {name: "constexpr" if name in constants else _type(name, named[name]) for name in function.arg_names}
    aligned = {
        (place,): [["tt.divisibility", _ALIGNED]]
        for place, name in enumerate(function.arg_names)
        if name not in constants and _is_aligned(named[name])
    }
    chosen = {name: meta.get(name, default) for name, default in _OPTIONS.items()}
    try:
        source = triton.compiler.ASTSource(function, signature, constexprs=constants, attrs=aligned)
        target = triton.backends.compiler.GPUTarget("cuda", arch, _LANES)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notes on Triton's own defaults
            done = triton.compile(source, target=target, options=chosen)
    except ForetellError:
        raise
    except Exception as error:
        first = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise InputError(f"Triton cannot compile {function.__name__}: {first.strip()[:300]}") from None
    passed = tuple(name for name in function.arg_names if name not in constants)
    warps = int(getattr(done.metadata, "num_warps", chosen["num_warps"]))
    return Compiled(done.asm["cubin"], done.metadata.name, _LANES * warps, int(done.metadata.shared), passed)


def _triton() -> Any:
    try:
        import triton
        import triton.backends.compiler
        import triton.compiler
    except ImportError:
        raise MissingExtraError("triton", "triton") from None
    return triton


def _plain(function: Any) -> Any:
    """The function below decorators such as `autotune` and `heuristics`."""
    while not hasattr(function, "arg_names") or hasattr(function, "configs"):
        function = function.fn
    return function


def _named(function: Any, arguments: Sequence[Argument], meta: Mapping[str, Value]) -> dict[str, Argument]:
    """Arguments by the names of the parameters that have no constant."""
    every = list(_plain(function).arg_names)
    unknown = [name for name in meta if name not in every and name not in _OPTIONS]
    if unknown:
        raise InputError(f"--meta {unknown[0]}: no such parameter{nearest(unknown[0], [*every, *_OPTIONS])}")
    wanted = [name for name in every if name not in meta]
    if len(wanted) != len(arguments):
        listed = ", ".join(wanted)
        raise InputError(f"{len(arguments)} arguments for {len(wanted)} parameters without a constant: {listed}")
    return dict(zip(wanted, arguments, strict=True))


def _type(name: str, item: Argument) -> str:
    """Triton's type of an argument."""
    if isinstance(item, Pointer) and item.element.scalar and item.element.kind in _TYPES:
        return "*" + _TYPES[item.element.kind]
    if isinstance(item, Scalar):
        return "fp32" if item.kind in ("float", "f32") else _TYPES.get(item.kind or "i32", "i32")
    raise InputError(f"argument {name}: Triton has no such type")


def _is_aligned(item: Argument) -> bool:
    whole = isinstance(item, Scalar) and item.kind not in ("float", "f32", "f64") and item.value % _ALIGNED == 0
    return isinstance(item, Pointer) or whole
