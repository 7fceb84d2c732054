// In the manner of Rodinia's hotspot: a plate that is heated, several steps in shared memory before one store.
#include "../programs/check.h"
constexpr int side = 16, steps = 2;
__global__ void heat(const float* power, const float* from, float* to, int n, float cap, float rx, float rz) {
    __shared__ float now[side][side], next[side][side], heating[side][side];
    const int inner = side - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * inner + tx - steps, y = blockIdx.y * inner + ty - steps;
    const int cx = min(max(x, 0), n - 1), cy = min(max(y, 0), n - 1);
    now[ty][tx] = from[cy * n + cx];
    heating[ty][tx] = power[cy * n + cx];
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        const bool inside = tx > s && tx < side - 1 - s && ty > s && ty < side - 1 - s;
        if (inside) {
            const float north = y > 0 ? now[ty - 1][tx] : now[ty][tx], south = y < n - 1 ? now[ty + 1][tx] : now[ty][tx];
            const float west = x > 0 ? now[ty][tx - 1] : now[ty][tx], east = x < n - 1 ? now[ty][tx + 1] : now[ty][tx];
            next[ty][tx] = now[ty][tx] + cap * (heating[ty][tx] + (north + south - 2 * now[ty][tx]) * rx +
                                                (east + west - 2 * now[ty][tx]) * rx + (80.f - now[ty][tx]) * rz);
        }
        __syncthreads();
        if (inside) now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (tx >= steps && tx < side - steps && ty >= steps && ty < side - steps && x < n && y < n) to[y * n + x] = now[ty][tx];
}
int main() {
    const int n = 768, rounds = 4, inner = side - 2 * steps;
    std::vector<float> power(n * n), field(n * n), next(n * n), got(n * n);
    Random random(6);
    for (int i = 0; i < n * n; ++i) power[i] = random.real() * 1e-3f, field[i] = 320 + random.real();
    float *p, *a, *b;
    CHECK(cudaMalloc(&p, n * n * 4));
    CHECK(cudaMalloc(&a, n * n * 4));
    CHECK(cudaMalloc(&b, n * n * 4));
    CHECK(cudaMemcpy(p, power.data(), n * n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(a, field.data(), n * n * 4, cudaMemcpyHostToDevice));
    dim3 blocks((n + inner - 1) / inner, (n + inner - 1) / inner);
    for (int r = 0; r < rounds; ++r, std::swap(a, b)) heat<<<blocks, dim3(side, side)>>>(p, a, b, n, 0.5f, 0.1f, 0.01f);
    CHECK(cudaMemcpy(got.data(), a, n * n * 4, cudaMemcpyDeviceToHost));
    for (int r = 0; r < rounds * steps; ++r, field.swap(next))
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                const int i = y * n + x;
                const float c = field[i], north = y ? field[i - n] : c, south = y < n - 1 ? field[i + n] : c;
                const float west = x ? field[i - 1] : c, east = x < n - 1 ? field[i + 1] : c;
                next[i] = c + 0.5f * (power[i] + (north + south - 2 * c) * 0.1f + (east + west - 2 * c) * 0.1f + (80.f - c) * 0.01f);
            }
    bool right = true;
    for (int i = 0; i < n * n; ++i) right = right && near(got[i], field[i], 1e-4);
    return verdict(right, "hotspot");
}
