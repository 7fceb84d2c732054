// Energies of poses of a small molecule beside a large one: each thread has several poses, atoms of the large one pass through shared
// memory; the poses of each generation come from the best of the one before, which the host chooses.
#include <algorithm>
#include <numeric>

#include "../user-programs/digest.h"

struct Atom { float x, y, z; int kind; };
struct Kind { float radius, depth, charge, reach; };
const int POSES = 8192, EACH = 2, SMALL = 24, LARGE = 512, KINDS = 8, BLOCK = 128, GENERATIONS = 3, KEPT = 64;
__constant__ Kind kinds[KINDS];
__constant__ Atom small[SMALL];

__host__ __device__ inline void place(const float* pose, float (&m)[3][4]) {
    const float sx = sinf(pose[0]), cx = cosf(pose[0]), sy = sinf(pose[1]), cy = cosf(pose[1]), sz = sinf(pose[2]), cz = cosf(pose[2]);
    m[0][0] = cy * cz, m[0][1] = sx * sy * cz - cx * sz, m[0][2] = cx * sy * cz + sx * sz, m[0][3] = pose[3];
    m[1][0] = cy * sz, m[1][1] = sx * sy * sz + cx * cz, m[1][2] = cx * sy * sz - sx * cz, m[1][3] = pose[4];
    m[2][0] = -sy, m[2][1] = sx * cy, m[2][2] = cx * cy, m[2][3] = pose[5];
}
__host__ __device__ inline float pair_energy(float dx, float dy, float dz, const Kind& a, const Kind& b) {
    const float distance = sqrtf(dx * dx + dy * dy + dz * dz), radii = a.radius + b.radius, gap = distance - radii;
    float energy = 0;
    if (gap < 0) energy += (1 - distance / radii) * (a.depth > b.depth ? a.depth : b.depth) * 8;
    if (gap < a.reach) energy += a.charge * b.charge * (gap < 0 ? 1 : 1 - gap / a.reach);
    return energy;
}
__global__ void energies(const float* poses, const Atom* large, float* out) {
    __shared__ Atom tile[BLOCK];
    const int first = blockIdx.x * BLOCK * EACH + threadIdx.x;
    float m[EACH][3][4], sum[EACH];
    for (int k = 0; k < EACH; ++k) place(poses + (first + k * BLOCK) * 6, m[k]), sum[k] = 0;
    for (int from = 0; from < LARGE; from += BLOCK) {
        __syncthreads();
        tile[threadIdx.x] = large[from + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < SMALL; ++i) {
            const Atom atom = small[i];
            float at[EACH][3];
            for (int k = 0; k < EACH; ++k)
                for (int d = 0; d < 3; ++d) at[k][d] = m[k][d][0] * atom.x + m[k][d][1] * atom.y + m[k][d][2] * atom.z + m[k][d][3];
            for (int j = 0; j < BLOCK; ++j) {
                const Atom other = tile[j];
                for (int k = 0; k < EACH; ++k)
                    sum[k] += pair_energy(at[k][0] - other.x, at[k][1] - other.y, at[k][2] - other.z, kinds[atom.kind], kinds[other.kind]);
            }
        }
    }
    for (int k = 0; k < EACH; ++k) out[first + k * BLOCK] = sum[k];
}
__global__ void vary(const float* best, const int* chosen, float* poses, unsigned seed, float step) {
    const int pose = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = seed * 2654435761u + pose;
    for (int k = 0; k < 6; ++k) {
        state ^= state >> 16, state *= 0x7feb352du, state ^= state >> 15, state *= 0x846ca68bu, state ^= state >> 16;
        poses[pose * 6 + k] = best[chosen[pose % KEPT] * 6 + k] + step * (int(state >> 8) - (1 << 23)) / float(1 << 23);
    }
}

int main() {
    Random random(17);
    Kind host_kinds[KINDS];
    Atom host_small[SMALL];
    std::vector<Atom> host_large(LARGE);
    for (auto& kind : host_kinds) kind = {1.0f + random.real(), random.real(), random.real() - 0.5f, 2 + 2 * random.real()};
    for (auto& atom : host_small) atom = {4 * random.real() - 2, 4 * random.real() - 2, 4 * random.real() - 2, int(random.next() % KINDS)};
    for (auto& atom : host_large) atom = {30 * random.real() - 15, 30 * random.real() - 15, 30 * random.real() - 15, int(random.next() % KINDS)};
    std::vector<float> poses(POSES * 6), energy(POSES);
    for (size_t k = 0; k < poses.size(); ++k) poses[k] = k % 6 < 3 ? 6.28f * random.real() : 30 * random.real() - 15;
    CHECK(cudaMemcpyToSymbol(kinds, host_kinds, sizeof host_kinds));
    CHECK(cudaMemcpyToSymbol(small, host_small, sizeof host_small));
    float *now, *next, *out;
    Atom* large;
    int* chosen;
    CHECK(cudaMalloc(&now, poses.size() * 4));
    CHECK(cudaMalloc(&next, poses.size() * 4));
    CHECK(cudaMalloc(&out, POSES * 4));
    CHECK(cudaMalloc(&large, LARGE * sizeof(Atom)));
    CHECK(cudaMalloc(&chosen, KEPT * 4));
    CHECK(cudaMemcpy(now, poses.data(), poses.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(large, host_large.data(), LARGE * sizeof(Atom), cudaMemcpyHostToDevice));
    Elapsed elapsed;
    std::vector<float> least;
    for (int generation = 0; generation < GENERATIONS; ++generation) {
        energies<<<POSES / BLOCK / EACH, BLOCK>>>(now, large, out);
        CHECK(cudaMemcpy(energy.data(), out, POSES * 4, cudaMemcpyDeviceToHost));
        std::vector<int> order(POSES);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return energy[a] < energy[b]; });
        least.push_back(energy[order[0]]);
        CHECK(cudaMemcpy(chosen, order.data(), KEPT * 4, cudaMemcpyHostToDevice));
        vary<<<POSES / 256, 256>>>(now, chosen, next, generation + 1, 0.5f / (1 << generation));
        std::swap(now, next);
    }
    energies<<<POSES / BLOCK / EACH, BLOCK>>>(now, large, out);
    CHECK(cudaGetLastError());
    elapsed.print();
    CHECK(cudaMemcpy(energy.data(), out, POSES * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(poses.data(), now, poses.size() * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int pose = 0; pose < POSES; pose += 131) {
        float m[3][4];
        double sum = 0;
        place(&poses[pose * 6], m);
        for (const auto& a : host_small)
            for (const auto& b : host_large) {
                float at[3];
                for (int d = 0; d < 3; ++d) at[d] = m[d][0] * a.x + m[d][1] * a.y + m[d][2] * a.z + m[d][3];
                sum += pair_energy(at[0] - b.x, at[1] - b.y, at[2] - b.z, host_kinds[a.kind], host_kinds[b.kind]);
            }
        wrong += fabs(sum - energy[pose]) > 1e-3 * fmax(1, fabs(sum));
    }
    for (size_t k = 1; k < least.size(); ++k) wrong += least[k] > least[0];
    printf("least %g %g %g\n", least[0], least[1], least[2]);
    digest("poses", poses.data(), poses.size() * 4);
    digest("energies", energy.data(), energy.size() * 4);
    return verdict(wrong == 0, "docking");
}
