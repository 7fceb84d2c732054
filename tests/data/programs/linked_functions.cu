__constant__ int base;
__device__ int counter;

__device__ __noinline__ double half_of(double x, double by) { return x / by; }

__device__ __noinline__ double halved(double x, int depth) {
    return depth == 0 ? x : halved(half_of(x, 2.0), depth - 1);
}

void set_base(int value) { cudaMemcpyToSymbol(base, &value, sizeof value); }
