// Scalar kernels, and those for the 128-bit vectors of every x86-64 and AArch64 processor.
#define PROBE_VARIANT variant_base
#define PROBE_NAME "base"
#define PROBE_BYTES 16
#define PROBE_SWAP 1, 0
#define PROBE_FMA_NAME "fma_f64x2"
#define PROBE_ACCUMULATE_NAME "accumulate_f64x2"
#define PROBE_ADD_NAME "add_f64x2"
#define PROBE_MULTIPLY_NAME "multiply_f64x2"
#define PROBE_DIVIDE_NAME "divide_f64x2"
#define PROBE_SQRT_NAME "sqrt_f64x2"
#if defined(__x86_64__)
#define PROBE_SHUFFLE_NAME "shuffle_two_f64x2"  // shufpd, which runs on more ports than others
#else
#define PROBE_SHUFFLE_NAME "shuffle_f64x2"
#endif
#define PROBE_LOAD_NAME "load_f64x2"
#define PROBE_ACROSS_NAME "load_across_f64x2"
#define PROBE_STORE_NAME "store_f64x2"
#define PROBE_DIVIDE32_NAME "divide_f32x4"
#define PROBE_SQRT32_NAME "sqrt_f32x4"
#define PROBE_INTEGER_NAME "add_i64x2"
#define PROBE_SCALAR
#if defined(__aarch64__)
#define PROBE_SCALAR_FMA
#endif
#include "probe/kernels.inc"
