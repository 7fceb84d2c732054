// Kernels that are kept as listings: constants as upper halves of doubles, collectives of tiles, generic atomics.
extern "C" __global__ void divide_by_constants(const double* x, double* out) {
    const int i = threadIdx.x;
    out[2 * i] = x[i] / 4294967087.0;
    out[2 * i + 1] = x[i] / 3.0;
}
extern "C" __global__ void match_in_tiles(const int* in, int* out) {
    const int i = threadIdx.x;
    const unsigned tile = 0xffu << (i % 32 & 24);
    const unsigned same = __match_any_sync(tile, in[i] & 3);
    out[2 * i] = same;
    out[2 * i + 1] = __reduce_max_sync(same, in[i]);
}
extern "C" __global__ void generic_sums(unsigned long long* sums, int n) {
    __shared__ unsigned long long own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    unsigned long long* p = threadIdx.x % 2 ? &own : sums, old;
    const unsigned long long value = (unsigned long long)threadIdx.x << 32;
    if (threadIdx.x < n) asm volatile("atom.relaxed.gpu.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(value) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) sums[1] = own;
}
