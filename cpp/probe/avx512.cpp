// Compiled for AVX-512.
#define PROBE_VARIANT variant_avx512
#define PROBE_NAME "avx512"
#define PROBE_BYTES 64
#define PROBE_LANES "8"
#define PROBE_LANES32 "16"
#define PROBE_SWAP 1, 0, 3, 2, 5, 4, 7, 6
#define PROBE_SHUFFLE "shuffle"
#include "probe/kernels.inc"
