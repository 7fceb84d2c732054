"""Files of our own: workloads, traces, loop nests as XML."""
