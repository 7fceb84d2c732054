"""Reads user input to a `Workload`: one front end for each kind of input, chosen by `read.py`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foretell.frontends.options import Reading, ReadOptions, read_options
from foretell.frontends.read import (
    Reader,
    examples,
    file_and_function,
    is_machine_code,
    is_source,
    locate,
    program_capture,
    read,
    read_sources,
)
from foretell.frontends.source.workload import SourceOptions

if TYPE_CHECKING:
    from foretell.frontends.counters import Launch as MeasuredRun
    from foretell.frontends.counters import read_profile
    from foretell.frontends.counters.readers.neutral import write as profile_text
    from foretell.frontends.gpu.binary.nvcc import with_preprocessor_flags as nvcc_flags
    from foretell.frontends.gpu.summaries import read_summaries as read_kernel_summaries
    from foretell.frontends.gpu.summaries import summary as kernel_summary
    from foretell.frontends.gpu.workload import read_kernel
    from foretell.frontends.swacc.emit import variant_source
    from foretell.frontends.trace import TraceOptions, read_trace
    from foretell.frontends.trace.stored import write as write_trace

__all__ = [
    "MeasuredRun",
    "ReadOptions",
    "Reader",
    "Reading",
    "SourceOptions",
    "TraceOptions",
    "examples",
    "file_and_function",
    "is_machine_code",
    "is_source",
    "kernel_summary",
    "locate",
    "nvcc_flags",
    "profile_text",
    "program_capture",
    "read",
    "read_kernel",
    "read_kernel_summaries",
    "read_options",
    "read_profile",
    "read_sources",
    "read_trace",
    "variant_source",
    "write_trace",
]

#: front-end functions that single commands need, imported lazily: the tracer and the profile readers are large
_HOMES = {
    "MeasuredRun": ("foretell.frontends.counters", "Launch"),
    "TraceOptions": ("foretell.frontends.trace.options", "TraceOptions"),
    "nvcc_flags": ("foretell.frontends.gpu.binary.nvcc", "with_preprocessor_flags"),
    "profile_text": ("foretell.frontends.counters.readers.neutral", "write"),
    "kernel_summary": ("foretell.frontends.gpu.summaries", "summary"),
    "read_kernel_summaries": ("foretell.frontends.gpu.summaries", "read_summaries"),
    "read_kernel": ("foretell.frontends.gpu.workload", "read_kernel"),
    "read_profile": ("foretell.frontends.counters", "read_profile"),
    "read_trace": ("foretell.frontends.trace", "read_trace"),
    "variant_source": ("foretell.frontends.swacc.emit", "variant_source"),
    "write_trace": ("foretell.frontends.trace.stored", "write"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'foretell.frontends' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
