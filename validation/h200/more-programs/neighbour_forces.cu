// Lennard-Jones forces with lists of neighbours, in the manner of SHOC's MD.
#include "../programs/check.h"
constexpr int N = 24576, M = 64;
__global__ void forces(float4* out, const float4* position, const int* list, float cutoff, float lj1, float lj2) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    const float4 own = position[i];
    float3 f = {0, 0, 0};
    for (int j = 0; j < M; ++j) {
        const float4 other = position[list[j * N + i]];
        const float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff) {
            r2 = 1.0f / r2;
            const float r6 = r2 * r2 * r2, force = r2 * r6 * (lj1 * r6 - lj2);
            f.x += dx * force, f.y += dy * force, f.z += dz * force;
        }
    }
    out[i] = make_float4(f.x, f.y, f.z, 0);
}
int main() {
    Random random(8);
    std::vector<float4> position(N), got(N);
    for (auto& p : position) p = make_float4(20 * random.real(), 20 * random.real(), 20 * random.real(), 0);
    std::vector<int> list(N * M);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < M; ++j) list[j * N + i] = (i + 1 + j * 37 + random.next() % 512) % N == i ? (i + 1) % N : (i + 1 + j * 37 + random.next() % 512) % N;
    for (int i = 0; i < N * M; ++i) if (list[i] == i % N) list[i] = (i + 1) % N;
    float4 *p, *f; int* l;
    CHECK(cudaMalloc(&p, N * 16)); CHECK(cudaMalloc(&f, N * 16)); CHECK(cudaMalloc(&l, N * M * 4));
    CHECK(cudaMemcpy(p, position.data(), N * 16, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(l, list.data(), N * M * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int k = 0; k < 5; ++k) forces<<<N / 256, 256>>>(f, p, l, 100.0f, 1.5f, 2.0f);
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), f, N * 16, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < N; i += 31) {
        double x = 0, size = 0;
        for (int j = 0; j < M; ++j) {
            const float4 o = position[list[j * N + i]], w = position[i];
            const double dx = w.x - o.x, dy = w.y - o.y, dz = w.z - o.z, r2 = dx * dx + dy * dy + dz * dz;
            if ((float)r2 < 100.0f) {
                const double r = 1 / r2, r6 = r * r * r, force = r * r6 * (1.5 * r6 - 2.0);
                x += dx * force, size += fabs(dx * force);
            }
        }
        right = right && fabs(x - got[i].x) <= 1e-3 * size + 1e-6;
    }
    return verdict(right, "neighbour_forces");
}
