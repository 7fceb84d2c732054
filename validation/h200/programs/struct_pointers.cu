// Structures with device pointers, passed by value and through device memory.
#include "check.h"
struct Particles {
    float *x, *v;
    int count;
    double mass;
};
struct World {
    Particles* particles;
    float step;
};
__global__ void push(Particles p, float force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) p.v[i] += force / static_cast<float>(p.mass);
}
__global__ void move(const World* world) {
    const Particles p = *world->particles;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) p.x[i] += world->step * p.v[i];
}
int main() {
    const int n = 1 << 19;
    std::vector<float> x(n), v(n);
    for (int i = 0; i < n; ++i) x[i] = i * 0.5f, v[i] = i % 7;
    Particles p{nullptr, nullptr, n, 2.0};
    CHECK(cudaMalloc(&p.x, n * sizeof(float)));
    CHECK(cudaMalloc(&p.v, n * sizeof(float)));
    CHECK(cudaMemcpy(p.x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(p.v, v.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    Particles* dp;
    World *dw, w{nullptr, 0.25f};
    CHECK(cudaMalloc(&dp, sizeof p));
    CHECK(cudaMalloc(&dw, sizeof w));
    CHECK(cudaMemcpy(dp, &p, sizeof p, cudaMemcpyHostToDevice));
    w.particles = dp;
    CHECK(cudaMemcpy(dw, &w, sizeof w, cudaMemcpyHostToDevice));
    Elapsed time;
    for (int step = 0; step < 10; ++step) {
        push<<<(n + 255) / 256, 256>>>(p, 1.0f);
        move<<<(n + 255) / 256, 256>>>(dw);
    }
    time.print();
    CHECK(cudaMemcpy(x.data(), p.x, n * sizeof(float), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i) {
        float xi = i * 0.5f, vi = i % 7;
        for (int step = 0; step < 10; ++step) vi += 0.5f, xi += 0.25f * vi;
        right &= near(x[i], xi, 1e-5);
    }
    return verdict(right, "struct_pointers");
}
