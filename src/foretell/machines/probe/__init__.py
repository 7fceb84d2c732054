"""Measures the machine that this process runs on, and writes a machine file.

kernels.py wraps the compiled micro-benchmarks, method.py has the estimators and the schedule, system.py reads what the
operating system reports, caches.py detects the levels, plan.py lists the tasks, find.py runs the probe, fill.py sets
the parameters, keep.py merges earlier probes, and write.py writes the file. gpu/gpu.py does the same for a GPU, with
the CUDA program gpu_probe.cu.
"""

from foretell.machines.probe.find import Progress, probe

__all__ = ["Progress", "probe"]
