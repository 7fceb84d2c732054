// Compiled for AVX2 and FMA.
#define PROBE_VARIANT variant_avx2
#define PROBE_NAME "avx2"
#define PROBE_BYTES 32
#define PROBE_LANES "4"
#define PROBE_LANES32 "8"
#define PROBE_SWAP 1, 0, 3, 2
#define PROBE_SHUFFLE "shuffle"
#define PROBE_SCALAR_FMA
#include "probe/kernels.inc"
