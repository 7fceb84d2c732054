// Gravitation of bodies in tiles of shared memory.
#include "check.h"
__global__ void forces(const float4* bodies, float3* result, int n) {
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += 256) {
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 256; ++j) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float f = tile[j].w * inverse * inverse * inverse;
            sum.x += f * dx, sum.y += f * dy, sum.z += f * dz;
        }
        __syncthreads();
    }
    result[i] = sum;
}
int main() {
    const int n = 4096;
    std::vector<float4> bodies(n);
    std::vector<float3> got(n);
    Random random(17);
    for (auto& b : bodies) b = make_float4(random.real(), random.real(), random.real(), random.real());
    float4* in;
    float3* out;
    CHECK(cudaMalloc(&in, n * sizeof(float4)));
    CHECK(cudaMalloc(&out, n * sizeof(float3)));
    CHECK(cudaMemcpy(in, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    Elapsed time;
    forces<<<n / 256, 256>>>(in, out, n);
    time.print();
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(float3), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; i += 61) {
        double sx = 0, sy = 0, sz = 0;
        for (int j = 0; j < n; ++j) {
            double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
            double f = bodies[j].w / pow(dx * dx + dy * dy + dz * dz + 1e-3, 1.5);
            sx += f * dx, sy += f * dy, sz += f * dz;
        }
        right &= fabs(got[i].x - sx) + fabs(got[i].y - sy) + fabs(got[i].z - sz) < 2e-3 * (fabs(sx) + fabs(sy) + fabs(sz) + 1);
    }
    return verdict(right, "nbody");
}
