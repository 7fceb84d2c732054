"""A million machines that do not exist: which bandwidth and latency would the vector addition need?"""

import numpy as np

import foretell

case = foretell.prepare("example:vector-add", "sw26010")
bandwidth, latency = np.meshgrid(np.linspace(16e9, 256e9, 1000), np.linspace(100, 400, 1000))
times = foretell.sweep(case, {"memory.bandwidth": bandwidth.ravel(), "memory.latency": latency.ravel()})

twice_as_fast = times <= case.predict().time_s / 2
print(f"{times.size} designs, {twice_as_fast.sum()} at least twice as fast as the SW26010")
print(f"the least bandwidth among them: {bandwidth.ravel()[twice_as_fast].min() / 1e9:.1f} GB/s")
