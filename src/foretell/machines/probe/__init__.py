"""Measures the machine that this process runs on, and writes a machine file.

kernels.py are the compiled micro-benchmarks, method.py turns times into numbers, system.py reads what the
operating system says, caches.py finds the levels, plan.py lists what is measured, find.py puts it together, and
write.py makes the file. gpu.py does the same for a GPU, with the CUDA program gpu_probe.cu.
"""

from foretell.machines.probe.find import Progress, probe

__all__ = ["Progress", "probe"]
