// In the manner of Rodinia's cfd: fluxes over an unstructured mesh, three stages of Runge-Kutta, arrays of variables.
#include "../programs/check.h"
constexpr int nnb = 4, vars = 5;
__device__ __host__ inline float pressure(float density, float mx, float my, float mz, float energy) {
    return 0.4f * (energy - 0.5f * (mx * mx + my * my + mz * mz) / density);
}
__global__ void step_factor(const float* v, const float* areas, float* factors, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float d = v[i], mx = v[i + n], my = v[i + 2 * n], mz = v[i + 3 * n], p = pressure(d, mx, my, mz, v[i + 4 * n]);
    factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(mx * mx + my * my + mz * mz) / d + sqrtf(1.4f * p / d)));
}
__global__ void flux(const int* neighbours, const float* normals, const float* v, float* fluxes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float own[vars], sum[vars] = {};
    for (int k = 0; k < vars; ++k) own[k] = v[i + k * n];
    const float p = pressure(own[0], own[1], own[2], own[3], own[4]);
    for (int j = 0; j < nnb; ++j) {
        const int other = neighbours[i + j * n];
        const float nx = normals[i + j * n], ny = normals[i + (j + nnb) * n], nz = normals[i + (j + 2 * nnb) * n];
        if (other < 0) {
            sum[1] += nx * p, sum[2] += ny * p, sum[3] += nz * p;
            continue;
        }
        float far[vars];
        for (int k = 0; k < vars; ++k) far[k] = v[other + k * n];
        const float q = pressure(far[0], far[1], far[2], far[3], far[4]);
        const float speed = 0.5f * (nx * (own[1] + far[1]) + ny * (own[2] + far[2]) + nz * (own[3] + far[3])) / (own[0] + far[0]);
        for (int k = 0; k < vars; ++k) sum[k] += speed * (own[k] + far[k]) - 0.2f * (far[k] - own[k]);
        sum[1] += 0.5f * nx * (p + q), sum[2] += 0.5f * ny * (p + q), sum[3] += 0.5f * nz * (p + q);
    }
    for (int k = 0; k < vars; ++k) fluxes[i + k * n] = sum[k];
}
__global__ void time_step(const float* old, float* v, const float* factors, const float* fluxes, int n, int stage) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float f = factors[i] / (4 - stage) * 0.01f;
    for (int k = 0; k < vars; ++k) v[i + k * n] = old[i + k * n] - f * fluxes[i + k * n];
}
int main() {
    const int n = 97046, blocks = (n + 191) / 192;
    std::vector<int> neighbours(nnb * n);
    std::vector<float> normals(3 * nnb * n), areas(n), v(vars * n), got(vars * n);
    Random random(14);
    for (int i = 0; i < n; ++i) {
        areas[i] = 0.5f + random.real();
        for (int j = 0; j < nnb; ++j) {
            const int other = i + int(random.next() % 4001) - 2000;
            neighbours[i + j * n] = other < 0 || other >= n ? -1 : other;
        }
        v[i] = 1 + 0.1f * random.real();
        for (int k = 1; k < 4; ++k) v[i + k * n] = 0.1f * random.real();
        v[i + 4 * n] = 2.5f;
    }
    for (float& x : normals) x = random.real() - 0.5f;
    int* ne;
    float *no, *ar, *va, *old, *fl, *fa;
    CHECK(cudaMalloc(&ne, neighbours.size() * 4));
    CHECK(cudaMalloc(&no, normals.size() * 4));
    CHECK(cudaMalloc(&ar, n * 4));
    CHECK(cudaMalloc(&va, v.size() * 4));
    CHECK(cudaMalloc(&old, v.size() * 4));
    CHECK(cudaMalloc(&fl, v.size() * 4));
    CHECK(cudaMalloc(&fa, n * 4));
    CHECK(cudaMemcpy(ne, neighbours.data(), neighbours.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(no, normals.data(), normals.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(ar, areas.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(va, v.data(), v.size() * 4, cudaMemcpyHostToDevice));
    for (int r = 0; r < 2; ++r) {
        CHECK(cudaMemcpy(old, va, v.size() * 4, cudaMemcpyDeviceToDevice));
        step_factor<<<blocks, 192>>>(va, ar, fa, n);
        for (int s = 1; s <= 3; ++s) {
            flux<<<blocks, 192>>>(ne, no, va, fl, n);
            time_step<<<blocks, 192>>>(old, va, fa, fl, n, s);
        }
    }
    CHECK(cudaMemcpy(got.data(), va, v.size() * 4, cudaMemcpyDeviceToHost));
    double before = 0, after = 0, moved = 0;
    bool right = true;
    for (int i = 0; i < vars * n; ++i) {
        before += v[i], after += got[i], moved += fabs(v[i] - got[i]);
        right = right && got[i] == got[i];
    }
    printf("sum %.9e -> %.9e, moved %.6e\n", before, after, moved);
    return verdict(right && moved > 0 && near(before, after, 0.05), "euler_mesh");
}
