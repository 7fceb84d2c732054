"""Imports llvmlite on demand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from foretell.errors import MissingExtraError


def load_ir() -> Any:
    """llvmlite.ir, which generates IR without LLVM."""
    try:
        from llvmlite import ir  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise MissingExtraError("llvmlite", "cpu") from None
    return ir


@lru_cache(maxsize=1)
def load_binding() -> Any:
    """llvmlite.binding with all targets initialised."""
    try:
        from llvmlite import binding  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise MissingExtraError("llvmlite", "cpu") from None
    # No second version of a loop for unit strides: it would be mistaken for the loop itself.
    binding.set_option("foretell", "-enable-mem-access-versioning=false")
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding


def version() -> str:
    """Version of the LLVM inside llvmlite: '22.1'."""
    major, minor, _ = load_binding().llvm_version_info
    return f"{major}.{minor}"
