// In the manner of XSBench: random energies looked up in sorted grids by bisection, cross sections interpolated.
#include <algorithm>
#include "../programs/check.h"
struct Section {
    double energy, total, elastic, absorption;
};
__host__ __device__ inline unsigned long long jump(unsigned long long seed) { return seed * 2806196910506780709ull + 1ull; }
__host__ __device__ inline double real(unsigned long long seed) { return (seed >> 11) * (1.0 / 9007199254740992.0); }
__host__ __device__ inline double look_up(const Section* grids, const int* materials, const int* counts, int points, int most,
                                          unsigned long long seed) {
    const double energy = real(seed = jump(seed));
    const int material = int(real(jump(seed)) * 12);
    double sums[3] = {0, 0, 0};
    for (int k = 0; k < counts[material]; ++k) {
        const Section* grid = grids + (long long)materials[material * most + k] * points;
        int low = 0, high = points - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (grid[middle].energy > energy) high = middle;
            else low = middle;
        }
        const double f = (grid[high].energy - energy) / (grid[high].energy - grid[low].energy);
        sums[0] += grid[high].total - f * (grid[high].total - grid[low].total);
        sums[1] += grid[high].elastic - f * (grid[high].elastic - grid[low].elastic);
        sums[2] += grid[high].absorption - f * (grid[high].absorption - grid[low].absorption);
    }
    return sums[0] > sums[1] ? (sums[0] > sums[2] ? 1 : 3) : (sums[1] > sums[2] ? 2 : 3);
}
__global__ void simulate(const Section* grids, const int* materials, const int* counts, int points, int most, int n, double* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = look_up(grids, materials, counts, points, most, 1070ull + 2654435761ull * i);
}
int main() {
    const int isotopes = 68, points = 2048, n = 20000, most = 34;
    std::vector<Section> grids(isotopes * points);
    std::vector<int> materials(12 * most), counts(12);
    std::vector<double> got(n);
    Random random(19);
    for (int i = 0; i < isotopes; ++i) {
        std::vector<double> energies(points);
        for (double& e : energies) e = random.real();
        std::sort(energies.begin(), energies.end());
        energies.front() = 0, energies.back() = 1;
        for (int k = 0; k < points; ++k) grids[i * points + k] = {energies[k], random.real(), random.real(), random.real()};
    }
    for (int m = 0; m < 12; ++m) counts[m] = m ? 4 + m * 2 : most;
    for (int& m : materials) m = random.next() % isotopes;
    Section* g;
    int *m, *c;
    double* o;
    CHECK(cudaMalloc(&g, grids.size() * sizeof(Section)));
    CHECK(cudaMalloc(&m, materials.size() * 4));
    CHECK(cudaMalloc(&c, counts.size() * 4));
    CHECK(cudaMalloc(&o, n * 8));
    CHECK(cudaMemcpy(g, grids.data(), grids.size() * sizeof(Section), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(m, materials.data(), materials.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(c, counts.data(), counts.size() * 4, cudaMemcpyHostToDevice));
    simulate<<<(n + 255) / 256, 256>>>(g, m, c, points, most, n, o);
    CHECK(cudaMemcpy(got.data(), o, n * 8, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += got[i] != look_up(grids.data(), materials.data(), counts.data(), points, most, 1070ull + 2654435761ull * i);
    return verdict(wrong < n / 10000 + 1, "lookups");  // a difference in the last digit may turn a comparison
}
