"""Kernels measured on the machine that this runs on, for predictions to be compared with.

suite.py has the shipped loops and the sizes they run at, harness.py writes a program around a function, measure.py
compiles and runs it, chunks.py makes a time of what it wrote, looks.py tells whether the machine was by itself, and
cases.py plans the runs and hands them on as recorded cases.
"""

from foretell.uses.measure.cases import Case, Earlier, Request, measure_cases, recorded, recording

__all__ = ["Build", "Case", "Earlier", "Request", "measure_cases", "recorded", "recording"]
from foretell.uses.measure.compile_and_run import Build
