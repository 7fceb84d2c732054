#include "driver.h"
extern "C" void spmv(long, long, const int*, const int*, const float*, const float*, float*);
__global__ void spmv_gpu(int rows, const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value, const float* __restrict__ x, float* y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (lane == 0) y[row] = sum;
}
int main() {
    const long rows = 1L << 19, each = 32, count = rows * each;
    int *start = pinned<int>(rows + 1), *column = pinned<int>(count), *dstart = device<int>(rows + 1), *dcolumn = device<int>(count);
    float *value = pinned<float>(count), *x = pinned<float>(rows), *y = pinned<float>(rows), *dvalue = device<float>(count), *dx = device<float>(rows), *dy = device<float>(rows);
    for (long i = 0; i <= rows; i++) start[i] = i * each;
    for (long i = 0; i < rows; i++) x[i] = number(i), y[i] = 0;
    for (long k = 0; k < count; k++) { long r = k / each, c = (r + (k % each) * 509 - 8144 + rows) % rows; column[k] = c; value[k] = number(k); }
    shares("spmv", rows, 8, [&](long g) { up(dstart, start, g + 1); up(dcolumn, column, g * each); up(dvalue, value, g * each); up(dx, x, rows); spmv_gpu<<<(g + 7) / 8, 256>>>(g, dstart, dcolumn, dvalue, dx, dy); down(y, dy, g); },
           [&](long b, long e) { spmv(b, e, start, column, value, x, y); });
}
