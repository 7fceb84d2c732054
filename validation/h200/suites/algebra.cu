// Linear algebra and stencils in the manner of polyhedral benchmark suites: one statement a kernel, plain indexing, blocks of 32 x 8 or 256.
#define KERNEL extern "C" __global__ void
typedef float DATA_TYPE;

KERNEL u_atax_rows(int nx, int ny, const DATA_TYPE *A, const DATA_TYPE *x, DATA_TYPE *tmp)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        tmp[i] = 0;
        for (int j = 0; j < ny; j++) tmp[i] += A[i * ny + j] * x[j];
    }
}
KERNEL u_atax_columns(int nx, int ny, const DATA_TYPE *A, DATA_TYPE *y, const DATA_TYPE *tmp)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        y[j] = 0;
        for (int i = 0; i < nx; i++) y[j] += A[i * ny + j] * tmp[i];
    }
}
KERNEL u_gesummv(int n, DATA_TYPE alpha, DATA_TYPE beta, const DATA_TYPE *A, const DATA_TYPE *B, DATA_TYPE *tmp, const DATA_TYPE *x, DATA_TYPE *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < n; j++) {
            tmp[i] += A[i * n + j] * x[j];
            y[i] += B[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
KERNEL u_syrk(int ni, int nj, DATA_TYPE alpha, DATA_TYPE beta, const DATA_TYPE *a, DATA_TYPE *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni && j < ni) {
        c[i * ni + j] *= beta;
        for (int k = 0; k < nj; k++) c[i * ni + j] += alpha * a[i * nj + k] * a[j * nj + k];
    }
}
KERNEL u_correlate(int m, int n, DATA_TYPE *symmat, const DATA_TYPE *data)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < m - 1) {
        symmat[j1 * m + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            DATA_TYPE s = 0.0f;
            for (int i = 0; i < n; i++) s += data[i * m + j1] * data[i * m + j2];
            symmat[j1 * m + j2] = s;
            symmat[j2 * m + j1] = s;
        }
    }
}
KERNEL u_deviation(int m, int n, const DATA_TYPE *mean, DATA_TYPE *std, const DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        std[j] = 0.0f;
        for (int i = 0; i < n; i++) std[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        std[j] = sqrtf(std[j] / n);
        if (std[j] <= 0.005f) std[j] = 1.0f;
    }
}
KERNEL u_gram_step(int m, int n, int k, const DATA_TYPE *q, DATA_TYPE *r, DATA_TYPE *a)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j > k && j < n) {
        r[k * n + j] = 0.0f;
        for (int i = 0; i < m; i++) r[k * n + j] += q[i * n + k] * a[i * n + j];
        for (int i = 0; i < m; i++) a[i * n + j] -= q[i * n + k] * r[k * n + j];
    }
}
KERNEL u_fdtd_hz(int nx, int ny, const DATA_TYPE *ex, const DATA_TYPE *ey, DATA_TYPE *hz)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx && j < ny)
        hz[i * ny + j] -= 0.7f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
KERNEL u_conv_3d(int ni, int nj, int nk, int i, const DATA_TYPE *A, DATA_TYPE *B)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni - 1 && j < nj - 1 && k < nk - 1 && i > 0 && j > 0 && k > 0)
        B[i * nk * nj + j * nk + k] = 2.f * A[(i - 1) * nk * nj + (j - 1) * nk + k - 1] + 4.f * A[(i + 1) * nk * nj + (j - 1) * nk + k - 1]
            + 5.f * A[(i - 1) * nk * nj + (j - 1) * nk + k + 1] + 7.f * A[(i + 1) * nk * nj + (j - 1) * nk + k + 1] - 8.f * A[i * nk * nj + (j - 1) * nk + k]
            + 10.f * A[i * nk * nj + j * nk + k] - 9.f * A[(i - 1) * nk * nj + (j + 1) * nk + k - 1] + 6.f * A[(i + 1) * nk * nj + (j + 1) * nk + k + 1];
}
KERNEL u_adi_rows(int n, const DATA_TYPE *A, const DATA_TYPE *B, const DATA_TYPE *X, DATA_TYPE *B2, DATA_TYPE *X2)
{
    int i1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (i1 < n)
        for (int i2 = 1; i2 < n; i2++) {
            X2[i1 * n + i2] = X[i1 * n + i2] + X2[i1 * n + i2 - 1] * A[i1 * n + i2] / B2[i1 * n + i2 - 1];
            B2[i1 * n + i2] = B[i1 * n + i2] + A[i1 * n + i2] * A[i1 * n + i2] / B2[i1 * n + i2 - 1];
        }
}
KERNEL u_adi_columns(int n, const DATA_TYPE *A, const DATA_TYPE *B, const DATA_TYPE *X, DATA_TYPE *B2, DATA_TYPE *X2)
{
    int i2 = blockIdx.x * blockDim.x + threadIdx.x;
    if (i2 < n)
        for (int i1 = 1; i1 < n; i1++) {
            X2[i1 * n + i2] = X[i1 * n + i2] + X2[(i1 - 1) * n + i2] * A[i1 * n + i2] / B2[(i1 - 1) * n + i2];
            B2[i1 * n + i2] = B[i1 * n + i2] + A[i1 * n + i2] * A[i1 * n + i2] / B2[(i1 - 1) * n + i2];
        }
}
KERNEL u_doitgen(int nq, int np, int r, const double *A, const double *C4, double *sum)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
    if (p < np && q < nq) {
        double s = 0;
        for (int k = 0; k < np; k++) s += A[r * nq * np + q * np + k] * C4[k * np + p];
        sum[q * np + p] = s;
    }
}
// three dimensions, all 27 points, weights by distance
KERNEL u_cube_27(int n, const double *in, double *out, double a, double b, double c, double d)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z + 1;
    if (x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    double s = 0;
#pragma unroll
    for (int k = -1; k <= 1; k++)
#pragma unroll
        for (int j = -1; j <= 1; j++)
#pragma unroll
            for (int i = -1; i <= 1; i++) {
                int far = i * i + j * j + k * k;
                s += (far == 0 ? a : far == 1 ? b : far == 2 ? c : d) * in[((z + k) * n + y + j) * n + x + i];
            }
    out[(z * n + y) * n + x] = s;
}
