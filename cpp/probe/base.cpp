// Scalar kernels, and those for the 128-bit vectors of every x86-64 and AArch64 processor.
#define PROBE_VARIANT variant_base
#define PROBE_NAME "base"
#define PROBE_BYTES 16
#define PROBE_LANES "2"
#define PROBE_LANES32 "4"
#define PROBE_SWAP 1, 0
#define PROBE_SCALAR
#if defined(__x86_64__)
#define PROBE_SHUFFLE "shuffle_two"  // shufpd, which runs on more ports than others
#else
#define PROBE_SHUFFLE "shuffle"
#endif
#if defined(__aarch64__)
#define PROBE_SCALAR_FMA
#endif
#include "probe/kernels.inc"
