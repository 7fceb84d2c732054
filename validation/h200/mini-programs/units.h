// Shared by the two units of `units`.
#pragma once
#include <cstdint>
struct Particle {
    float x, y, vx, vy;
};
extern __constant__ float field[16];
extern __device__ unsigned steps_done;
__device__ Particle pushed(const Particle& p, float dt);
__host__ __device__ constexpr float square(float x) { return x * x; }
struct Rule {
    __device__ virtual float force(float r) const = 0;
    __device__ virtual ~Rule() {}
};
__global__ void make_rules(Rule** rules);
std::uint64_t checksum(const Particle* all, int n);
