// Separate compilation with relocatable device code: constants, variables, functions and virtual functions of another unit, C++17.
//     nvcc -std=c++17 -arch=sm_90 -rdc=true -o units units.cu units_more.cu
#include "../user-programs/digest.h"
#include "units.h"

#include <optional>
#include <tuple>

__constant__ float field[16];
__device__ unsigned steps_done = 0;

template <typename... Parts>
__global__ void advance(Particle* all, int n, float dt, Rule** rules, Parts... scales) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle p = pushed(all[i], dt);
    const float r = sqrtf(square(p.x) + square(p.y)) + 1e-3f, f = rules[i % 2]->force(r) * (scales * ...);
    if constexpr (sizeof...(Parts) > 1) p.vx -= f * p.x / r * dt, p.vy -= f * p.y / r * dt;
    else p.vx += f * dt;
    all[i] = p;
    if (i == 0) atomicAdd(&steps_done, 1u);
}
static std::optional<std::tuple<int, int>> shape(int n) {
    if (n <= 0) return std::nullopt;
    return std::tuple{(n + 191) / 192, 192};
}
int main() {
    const int n = 100000;
    Particle* all;
    Rule** rules;
    CHECK(cudaMallocManaged(&all, n * sizeof(Particle)));
    CHECK(cudaMalloc(&rules, 2 * sizeof(Rule*)));
    Random random(4);
    for (int i = 0; i < n; ++i) all[i] = {random.real() - 0.5f, random.real() - 0.5f, 0, 0};
    float table[16];
    for (int i = 0; i < 16; ++i) table[i] = 0.125f * (i - 8);
    CHECK(cudaMemcpyToSymbol(field, table, sizeof table));
    make_rules<<<1, 1>>>(rules);
    const auto found = shape(n);
    if (!found) return 1;
    const auto [grid, block] = *found;
    Elapsed elapsed;
    for (int step = 0; step < 10; ++step) {
        advance<<<grid, block>>>(all, n, 0.01f, rules, 1.0f, 0.5f, 2.0f);
        advance<<<grid, block>>>(all, n, 0.01f, rules, 0.25f);
    }
    elapsed.print();
    CHECK(cudaDeviceSynchronize());
    unsigned steps = 0;
    CHECK(cudaMemcpyFromSymbol(&steps, steps_done, 4));
    bool finite = true;
    for (int i = 0; i < n; ++i) finite = finite && fabsf(all[i].x) < 10 && fabsf(all[i].vy) < 10;
    printf("checksum %016llx\n", (unsigned long long)checksum(all, n));
    digest("particles", all, n * sizeof(Particle));
    return verdict(finite && steps == 20 && all[7].vx != 0, "units");
}
