"""The table of all counter formats that foretell reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.counters.readers import csv_tables, hpm, json_documents, likwid, ncu, neutral, perf, valgrind
from foretell.frontends.counters.readers.lines import head
from foretell.frontends.counters.readers.rows import Format

if TYPE_CHECKING:
    from pathlib import Path

_CPU = ("perf", "processors")
_SIMULATED = ("valgrind",)

#: in order of detection: formats with an unmistakable signature come first
FORMATS = (
    Format("foretell-json", "foretell profile (JSON)", neutral.is_json, neutral.read_json, ("own",)),
    Format("foretell-csv", "foretell profile (CSV)", neutral.is_csv, neutral.read_csv, ("own",)),
    Format("perf-json", "perf stat -j", perf.is_json, perf.read_json, _CPU),
    Format("perf-text", "perf stat", perf.is_text, perf.read_text, _CPU),
    Format("papi", "PAPI high-level JSON", json_documents.is_papi, json_documents.read_papi, ("papi", "processors")),
    Format("likwid-json", "LIKWID JSON", likwid.is_json, likwid.read_json, ("processors",)),
    Format("likwid-text", "LIKWID tables", likwid.is_text, likwid.read_text, ("processors",)),
    Format("likwid-csv", "LIKWID CSV", likwid.is_csv, likwid.read_csv, ("processors",)),
    Format("callgrind", "callgrind.out", valgrind.is_callgrind, valgrind.read_callgrind, _SIMULATED, "simulated"),
    Format("cachegrind", "cachegrind.out", valgrind.is_cachegrind, valgrind.read_cachegrind, _SIMULATED, "simulated"),
    Format("ncu", "Nsight Compute CSV", ncu.is_ncu, ncu.read, ("gpu",), passes=True),
    Format("rocprofv3", "rocprofv3 CSV", csv_tables.is_rocprof, csv_tables.read_rocprof, ("gpu",), passes=True),
    Format("vtune", "VTune hw-events CSV", csv_tables.is_vtune, csv_tables.read_vtune, ("processors",), "sampled"),
    Format("hpm", "IBM HPM text (unverified)", hpm.is_hpm, hpm.read, ("hpm",)),
    Format("perf-csv", "perf stat -x", perf.is_csv, perf.read_csv, _CPU),
)


def detect(path: Path) -> Format | None:
    """Detects the format of a file by its first lines; None if it is no known profile."""
    start = head(path)
    return next((entry for entry in FORMATS if entry.matches(start)), None) if start else None
