// Macroscopic cross sections at random energies: a binary search in a grid of all energies, then rows of each nuclide of a material,
// anywhere in 200 MB.
#include "../user-programs/digest.h"
#include <algorithm>

constexpr int nuclides = 60, points = 1500, materials = 12, channels = 5;
struct Point { float energy, of[channels]; };
__constant__ int in_material[materials + 1];

__device__ __host__ inline unsigned long long jump(unsigned long long seed, unsigned long long steps) {
    unsigned long long a = 2806196910506780709ull, c = 1, all_a = 1, all_c = 0;
    for (; steps > 0; steps /= 2) {
        if (steps & 1) all_a *= a, all_c = all_c * a + c;
        c *= a + 1, a *= a;
    }
    return all_a * seed + all_c;
}
__device__ __host__ inline float real(unsigned long long& seed) {
    seed = seed * 2806196910506780709ull + 1;
    return (seed >> 40) / 16777216.0f;
}
__device__ __host__ inline int material_of(float roll) {
    const float limits[materials] = {0.14f, 0.19f, 0.44f, 0.57f, 0.59f, 0.61f, 0.63f, 0.65f, 0.68f, 0.72f, 0.90f, 1.1f};
    int m = 0;
    while (roll > limits[m]) ++m;
    return m;
}
__device__ __host__ inline void lookup(float energy, int material, const float* unionised, int all, const int* index, const Point* grid, const int* nuclide,
                                       const float* amount, const int* begins, float* total) {
    int low = 0, high = all - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (unionised[middle] > energy) high = middle;
        else low = middle;
    }
    for (int c = 0; c < channels; ++c) total[c] = 0;
    for (int k = begins[material]; k < begins[material + 1]; ++k) {
        const int n = nuclide[k], at = min(index[(size_t)low * nuclides + n], points - 2);
        const Point &a = grid[n * points + at], &b = grid[n * points + at + 1];
        const float f = (b.energy - energy) / (b.energy - a.energy);
        for (int c = 0; c < channels; ++c) total[c] += amount[k] * (b.of[c] - f * (b.of[c] - a.of[c]));
    }
}
__global__ void look_up_all(int lookups, const float* unionised, int all, const int* index, const Point* grid, const int* nuclide, const float* amount,
                            unsigned char* best, unsigned* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups) return;
    unsigned long long seed = jump(1070, 2ull * i);
    const float energy = real(seed);
    const int material = material_of(real(seed));
    float total[channels];
    lookup(energy, material, unionised, all, index, grid, nuclide, amount, in_material, total);
    int most = 0;
    for (int c = 1; c < channels; ++c)
        if (total[c] > total[most]) most = c;
    best[i] = most;
    atomicAdd(&counts[most], 1u);
}

int main() {
    const int lookups = 1 << 19, all = nuclides * points;
    Random random(5);
    std::vector<Point> grid(all);
    std::vector<float> unionised;
    for (int n = 0; n < nuclides; ++n) {
        std::vector<float> energies(points);
        for (float& e : energies) e = random.real();
        std::sort(energies.begin(), energies.end());
        for (int k = 0; k < points; ++k) {
            grid[n * points + k].energy = energies[k];
            for (float& x : grid[n * points + k].of) x = random.real();
            unionised.push_back(energies[k]);
        }
    }
    std::sort(unionised.begin(), unionised.end());
    std::vector<int> index((size_t)all * nuclides), at(nuclides, 0);
    for (int u = 0; u < all; ++u)
        for (int n = 0; n < nuclides; ++n) {
            while (at[n] < points - 1 && grid[n * points + at[n] + 1].energy <= unionised[u]) ++at[n];
            index[(size_t)u * nuclides + n] = at[n];
        }
    const int sizes[materials] = {34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
    std::vector<int> begins(materials + 1, 0), nuclide;
    std::vector<float> amount;
    for (int m = 0; m < materials; ++m) {
        begins[m + 1] = begins[m] + sizes[m];
        for (int k = 0; k < sizes[m]; ++k) nuclide.push_back((7 * m + 3 * k) % nuclides), amount.push_back(random.real());
    }
    float *d_union, *d_amount;
    int *d_index, *d_nuclide;
    Point* d_grid;
    unsigned char* d_best;
    unsigned* d_counts;
    auto put = [](auto** where, const auto& data) {
        CHECK(cudaMalloc(where, data.size() * sizeof data[0]));
        CHECK(cudaMemcpy(*where, data.data(), data.size() * sizeof data[0], cudaMemcpyHostToDevice));
    };
    put(&d_union, unionised), put(&d_amount, amount), put(&d_index, index), put(&d_nuclide, nuclide), put(&d_grid, grid);
    CHECK(cudaMemcpyToSymbol(in_material, begins.data(), begins.size() * 4));
    CHECK(cudaMalloc(&d_best, lookups));
    CHECK(cudaMalloc(&d_counts, channels * 4));
    CHECK(cudaMemset(d_counts, 0, channels * 4));
    Elapsed elapsed;
    look_up_all<<<(lookups + 255) / 256, 256>>>(lookups, d_union, all, d_index, d_grid, d_nuclide, d_amount, d_best, d_counts);
    elapsed.print();
    std::vector<unsigned char> best(lookups);
    unsigned counts[channels], other[channels] = {};
    CHECK(cudaMemcpy(best.data(), d_best, lookups, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < lookups; i += 37) {
        unsigned long long seed = jump(1070, 2ull * i);
        const float energy = real(seed);
        const int material = material_of(real(seed));
        float total[channels];
        lookup(energy, material, unionised.data(), all, index.data(), grid.data(), nuclide.data(), amount.data(), begins.data(), total);
        for (int c = 0; c < channels; ++c) wrong += total[c] > total[best[i]] * 1.0001f;
    }
    for (unsigned char b : best) ++other[b];
    digest("best", best.data(), lookups);
    return verdict(wrong == 0 && std::equal(counts, counts + channels, other), "cross_sections");
}
