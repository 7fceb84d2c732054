"""Measures kernels on the machine that this runs on, to compare predictions with.

suite.py has the shipped loops and the sizes they run at, style_suite.py functions of other styles with their data,
harness.py generates a program around a function, program_text.py has the part that times it, compile_and_run.py
compiles and runs it, cpu_choice.py selects CPUs without co-runners, timing.py computes a time from its chunks,
interference.py detects co-runners and clock changes, cases.py plans the runs, and recorded_cases.py writes them to a
file.
"""

from foretell.uses.measure.cases import Case, Request, measure_cases
from foretell.uses.measure.compile_and_run import Build
from foretell.uses.measure.recorded_cases import Earlier, recorded, recording

__all__ = ["Build", "Case", "Earlier", "Request", "measure_cases", "recorded", "recording"]
