"""gcc's loop optimiser, imitated: vectorisation, strided and interleaved accesses, unrolling."""
