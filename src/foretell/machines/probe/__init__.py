"""Measures the machine that this process runs on, and writes a machine file.

kernels.py wraps the compiled micro-benchmarks, method.py has the estimators and the schedule, system.py reads what the
operating system reports, caches.py detects the levels, plan.py lists the tasks, whole_probe.py runs all of them,
fill.py sets the parameters, merge.py merges earlier probes, and write.py writes the file. gpu/gpu.py does the same for
a GPU, with the CUDA program gpu_probe.cu.
"""

from foretell.machines.probe.whole_probe import Progress, probe

__all__ = ["Progress", "probe"]
