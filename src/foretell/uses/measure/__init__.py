"""Measures kernels on the machine that this runs on, to compare predictions with.

suite.py has the shipped loops and the sizes they run at, style_suite.py functions of other styles with their data,
harness.py generates a program around a function, program_text.py has the part that times it, compile_and_run.py
compiles and runs it, cpu_choice.py selects CPUs without co-runners, timing.py computes a time from its chunks,
interference.py detects co-runners and clock changes, and cases.py plans the runs and returns them as recorded cases.
"""

from foretell.uses.measure.cases import Case, Earlier, Request, measure_cases, recorded, recording

__all__ = ["Build", "Case", "Earlier", "Request", "measure_cases", "recorded", "recording"]
from foretell.uses.measure.compile_and_run import Build
