// In the manner of Rodinia's lud: a matrix decomposed in place, block by block: diagonal, perimeter, inside.
#include "../programs/check.h"
constexpr int B = 16;
__global__ void diagonal(float* m, int n, int at) {
    __shared__ float s[B][B];
    const int t = threadIdx.x;
    for (int i = 0; i < B; ++i) s[i][t] = m[(at + i) * n + at + t];
    __syncthreads();
    for (int i = 0; i < B - 1; ++i) {
        if (t > i) {
            for (int j = 0; j < i; ++j) s[t][i] -= s[t][j] * s[j][i];
            s[t][i] /= s[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; ++j) s[i + 1][t] -= s[i + 1][j] * s[j][t];
        __syncthreads();
    }
    for (int i = 1; i < B; ++i) m[(at + i) * n + at + t] = s[i][t];
}
__global__ void perimeter(float* m, int n, int at) {
    __shared__ float d[B][B], row[B][B], col[B][B];
    const int t = threadIdx.x % B, to = at + (blockIdx.x + 1) * B;
    const bool first = threadIdx.x < B;
    for (int i = 0; i < B; ++i) {
        if (first) d[i][t] = m[(at + i) * n + at + t], row[i][t] = m[(at + i) * n + to + t];
        else col[i][t] = m[(to + i) * n + at + t];
    }
    __syncthreads();
    if (first) {
        for (int i = 1; i < B; ++i)
            for (int j = 0; j < i; ++j) row[i][t] -= d[i][j] * row[j][t];
    } else {
        for (int i = 0; i < B; ++i) {
            for (int j = 0; j < i; ++j) col[t][i] -= col[t][j] * d[j][i];
            col[t][i] /= d[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < B; ++i) {
        if (first) m[(at + i) * n + to + t] = row[i][t];
        else m[(to + i) * n + at + t] = col[i][t];
    }
}
__global__ void inside(float* m, int n, int at) {
    __shared__ float row[B][B], col[B][B];
    const int x = threadIdx.x, y = threadIdx.y, gx = at + (blockIdx.x + 1) * B + x, gy = at + (blockIdx.y + 1) * B + y;
    row[y][x] = m[(at + y) * n + gx];
    col[y][x] = m[gy * n + at + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < B; ++k) sum += col[y][k] * row[k][x];
    m[gy * n + gx] -= sum;
}
int main() {
    const int n = 512;
    std::vector<float> a(n * n), got(n * n);
    Random random(10);
    for (int i = 0; i < n * n; ++i) a[i] = random.real() + (i % (n + 1) ? 0 : n);
    float* m;
    CHECK(cudaMalloc(&m, n * n * 4));
    CHECK(cudaMemcpy(m, a.data(), n * n * 4, cudaMemcpyHostToDevice));
    for (int at = 0; at < n; at += B) {
        diagonal<<<1, B>>>(m, n, at);
        const int left = (n - at) / B - 1;
        if (!left) break;
        perimeter<<<left, 2 * B>>>(m, n, at);
        inside<<<dim3(left, left), dim3(B, B)>>>(m, n, at);
    }
    CHECK(cudaMemcpy(got.data(), m, n * n * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; i += 7)
        for (int j = 0; j < n; j += 5) {
            double sum = 0;
            for (int k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1.0 : got[i * n + k]) * got[k * n + j];
            right = right && fabs(sum - a[i * n + j]) < 1e-3 * n;
        }
    return verdict(right, "lud");
}
