// Compiled for AVX-512.
#define PROBE_VARIANT variant_avx512
#define PROBE_NAME "avx512"
#define PROBE_BYTES 64
#define PROBE_SWAP 1, 0, 3, 2, 5, 4, 7, 6
#define PROBE_FMA_NAME "fma_f64x8"
#define PROBE_ACCUMULATE_NAME "accumulate_f64x8"
#define PROBE_ADD_NAME "add_f64x8"
#define PROBE_MULTIPLY_NAME "multiply_f64x8"
#define PROBE_DIVIDE_NAME "divide_f64x8"
#define PROBE_SQRT_NAME "sqrt_f64x8"
#define PROBE_SHUFFLE_NAME "shuffle_f64x8"
#define PROBE_LOAD_NAME "load_f64x8"
#define PROBE_ACROSS_NAME "load_across_f64x8"
#define PROBE_STORE_NAME "store_f64x8"
#define PROBE_DIVIDE32_NAME "divide_f32x16"
#define PROBE_SQRT32_NAME "sqrt_f32x16"
#define PROBE_INTEGER_NAME "add_i64x8"
#include "probe/kernels.inc"
