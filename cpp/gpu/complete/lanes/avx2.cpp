// Handlers for x86-64 processors with AVX2 and fused multiply-add.
#define FORETELL_WIDTH avx2
#include "gpu/complete/lanes/handlers.inc"
