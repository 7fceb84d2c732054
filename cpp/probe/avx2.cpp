// Compiled for AVX2 and FMA.
#define PROBE_VARIANT variant_avx2
#define PROBE_NAME "avx2"
#define PROBE_BYTES 32
#define PROBE_SWAP 1, 0, 3, 2
#define PROBE_FMA_NAME "fma_f64x4"
#define PROBE_ACCUMULATE_NAME "accumulate_f64x4"
#define PROBE_ADD_NAME "add_f64x4"
#define PROBE_MULTIPLY_NAME "multiply_f64x4"
#define PROBE_DIVIDE_NAME "divide_f64x4"
#define PROBE_SQRT_NAME "sqrt_f64x4"
#define PROBE_SHUFFLE_NAME "shuffle_f64x4"
#define PROBE_LOAD_NAME "load_f64x4"
#define PROBE_ACROSS_NAME "load_across_f64x4"
#define PROBE_STORE_NAME "store_f64x4"
#define PROBE_DIVIDE32_NAME "divide_f32x8"
#define PROBE_SQRT32_NAME "sqrt_f32x8"
#define PROBE_INTEGER_NAME "add_i64x4"
#define PROBE_SCALAR_FMA
#include "probe/kernels.inc"
