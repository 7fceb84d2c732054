// Linear algebra on small and thin matrices, and the vector work of iterative solvers.
#include "../kernels/common.cuh"

KERNEL gemm_batched_8(const float* a, const float* b, float* c, int count) {  // a warp for each product of 8 × 8
    const int lane = threadIdx.x & 31, matrix = global_x() >> 5;
    if (matrix >= count) return;
    const float *x = a + matrix * 64, *y = b + matrix * 64;
    const int row = lane >> 2, column = (lane & 3) * 2;
    float first = 0, second = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const float left = x[row * 8 + k];
        first += left * y[k * 8 + column];
        second += left * y[k * 8 + column + 1];
    }
    c[matrix * 64 + row * 8 + column] = first;
    c[matrix * 64 + row * 8 + column + 1] = second;
}

KERNEL gemm_batched_32(const double* a, const double* b, double* c) {  // a block of 256 for each product of 32 × 32
    __shared__ double x[32][33], y[32][33];
    const int column = threadIdx.x & 31, top = threadIdx.x >> 5, first = blockIdx.x * 1024;
    for (int row = top; row < 32; row += 8) {
        x[row][column] = a[first + row * 32 + column];
        y[row][column] = b[first + row * 32 + column];
    }
    __syncthreads();
    double sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < 32; ++k)
#pragma unroll
        for (int part = 0; part < 4; ++part) sum[part] += x[top + part * 8][k] * y[k][column];
    for (int part = 0; part < 4; ++part) c[first + (top + part * 8) * 32 + column] = sum[part];
}

KERNEL gemv_columns(const float* a, const float* x, float* y, int rows, int columns) {  // columns lie one after another
    const int row = global_x();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += a[static_cast<long long>(k) * rows + row] * __ldg(x + k);
    y[row] = sum;
}

KERNEL gemv_int8(const int4* a, const int4* x, int* y, int quads) {  // a warp for each row of 16 · quads bytes
    const int lane = threadIdx.x & 31, row = global_x() >> 5;
    int sum = 0;
    for (int k = lane; k < quads; k += 32) {
        const int4 left = a[row * quads + k], right = x[k];
        sum = __dp4a(left.x, right.x, sum);
        sum = __dp4a(left.y, right.y, sum);
        sum = __dp4a(left.z, right.z, sum);
        sum = __dp4a(left.w, right.w, sum);
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}

KERNEL cg_update(double* x, double* r, const double* p, const double* q, double alpha, double* rr, int n) {
    double sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) {
        x[i] += alpha * p[i];
        const double left = r[i] - alpha * q[i];
        r[i] = left;
        sum += left * left;
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
    if ((threadIdx.x & 31) == 0) atomicAdd(rr, sum);
}

KERNEL thomas(const float* lower, const float* diagonal, const float* upper, float* right, float* work, int n, int systems) {
    const int one = global_x();  // a thread for each tridiagonal system; systems lie beside each other
    if (one >= systems) return;
    float before = upper[one] / diagonal[one], value = right[one] / diagonal[one];
    work[one] = before;
    right[one] = value;
    for (int k = 1; k < n; ++k) {
        const int at = k * systems + one;
        const float scale = 1.0f / (diagonal[at] + 2.0f - lower[at] * before);
        before = upper[at] * scale;
        value = (right[at] - lower[at] * value) * scale;
        work[at] = before;
        right[at] = value;
    }
    for (int k = n - 2; k >= 0; --k) {
        const int at = k * systems + one;
        value = right[at] - work[at] * value;
        right[at] = value;
    }
}

KERNEL syrk_tile(const float* a, float* c, int n, int k) {  // blocks of 16 × 16; only tiles on and below the diagonal
    if (blockIdx.x > blockIdx.y) return;
    __shared__ float left[16][17], right[16][17];
    float sum = 0;
    for (int first = 0; first < k; first += 16) {
        left[threadIdx.y][threadIdx.x] = a[(blockIdx.y * 16 + threadIdx.y) * k + first + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = a[(blockIdx.x * 16 + threadIdx.y) * k + first + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < 16; ++l) sum += left[threadIdx.y][l] * right[threadIdx.x][l];
        __syncthreads();
    }
    c[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = sum;
}
