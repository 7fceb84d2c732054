// The surface of a field where it has a value, by cells that are cut into six tetrahedra: cells are classified, those that the surface
// meets are compacted by sums over warps, triangles are written with normals from differences, and volume and area are added.
#include <algorithm>

#include "../user-programs/digest.h"

const int N = 80, CELLS = (N - 1) * (N - 1) * (N - 1), BLOCK = 128;
const float LEVEL = 0.4f;
__constant__ unsigned char corners[6][4];
__constant__ signed char cuts[16][7];  // edges of the triangles, -1 behind the last
__constant__ unsigned char ends[6][2];

__host__ __device__ inline float field_at(int x, int y, int z) {
    const float u = 0.11f * x, v = 0.13f * y, w = 0.09f * z;
    return u - floorf(u) > 0.5f ? v - floorf(v) - 0.3f * (w - floorf(w)) : (w - floorf(w)) * (1.2f - (v - floorf(v)));
}
__global__ void fill(float* field) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x < N) field[(z * N + y) * N + x] = field_at(x, y, z);
}
__global__ void smooth(const float* in, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= N || y >= N) return;
    float sum = 0;
    int count = 0;
    for (int c = -1; c <= 1; ++c)
        for (int b = -1; b <= 1; ++b)
            for (int a = -1; a <= 1; ++a) {
                const int i = x + a, j = y + b, k = z + c;
                if (i >= 0 && j >= 0 && k >= 0 && i < N && j < N && k < N) sum += in[(k * N + j) * N + i], ++count;
            }
    out[(z * N + y) * N + x] = sum / count;
}
__device__ __host__ inline int at_corner(int cell, int corner) {
    const int x = cell % (N - 1), y = cell / (N - 1) % (N - 1), z = cell / (N - 1) / (N - 1);
    return ((z + (corner >> 2)) * N + y + (corner >> 1 & 1)) * N + x + (corner & 1);
}
__global__ void classify(const float* field, unsigned char* triangles, int* total) {
    const int cell = blockIdx.x * BLOCK + threadIdx.x;
    int count = 0;
    if (cell < CELLS) {
        bool above[8];
        for (int k = 0; k < 8; ++k) above[k] = field[at_corner(cell, k)] > LEVEL;
        for (int t = 0; t < 6; ++t) {
            int inside = 0;
            for (int k = 0; k < 4; ++k) inside += above[corners[t][k]];
            count += inside == 2 ? 2 : inside == 1 || inside == 3;
        }
        triangles[cell] = count;
    }
    const int sum = __reduce_add_sync(~0u, count);
    if (threadIdx.x % 32 == 0 && sum) atomicAdd(total, sum);
}
// The sums of each block, then of all; one block adds up what the blocks have.
__global__ void block_sums(const unsigned char* triangles, int2* sums) {
    const int cell = blockIdx.x * BLOCK + threadIdx.x;
    const int own = cell < CELLS ? triangles[cell] : 0, met = __syncthreads_count(own > 0);
    __shared__ int parts[BLOCK / 32];
    const int warp_sum = __reduce_add_sync(~0u, own);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = warp_sum;
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = make_int2(met, parts[0] + parts[1] + parts[2] + parts[3]);
}
__global__ void scan_blocks(int2* sums, int n) {
    __shared__ int2 parts[1024];
    int2 carried = make_int2(0, 0);
    for (int from = 0; from < n; from += 1024) {
        const int k = from + threadIdx.x;
        const int2 own = k < n ? sums[k] : make_int2(0, 0);
        parts[threadIdx.x] = own;
        for (int step = 1; step < 1024; step *= 2) {
            __syncthreads();
            const int2 other = threadIdx.x >= step ? parts[threadIdx.x - step] : make_int2(0, 0);
            __syncthreads();
            parts[threadIdx.x].x += other.x, parts[threadIdx.x].y += other.y;
        }
        __syncthreads();
        const int2 all = parts[1023], up_to = parts[threadIdx.x];
        if (k < n) sums[k] = make_int2(carried.x + up_to.x - own.x, carried.y + up_to.y - own.y);
        carried.x += all.x, carried.y += all.y;
        __syncthreads();
    }
}
__global__ void compact(const unsigned char* triangles, const int2* sums, int2* cells) {
    __shared__ int2 parts[BLOCK / 32];
    const int cell = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    const int own = cell < CELLS ? triangles[cell] : 0;
    int2 up_to = make_int2(own > 0, own);
    for (int step = 1; step < 32; step *= 2) {
        const int a = __shfl_up_sync(~0u, up_to.x, step), b = __shfl_up_sync(~0u, up_to.y, step);
        if (lane >= step) up_to.x += a, up_to.y += b;
    }
    if (lane == 31) parts[threadIdx.x / 32] = up_to;
    __syncthreads();
    int2 before = sums[blockIdx.x];
    for (int k = 0; k < threadIdx.x / 32; ++k) before.x += parts[k].x, before.y += parts[k].y;
    if (own) cells[before.x + up_to.x - 1] = make_int2(cell, before.y + up_to.y - own);
}
__device__ __host__ inline float3 crossing(const float* field, int cell, int a, int b) {
    const int cx = cell % (N - 1), cy = cell / (N - 1) % (N - 1), cz = cell / (N - 1) / (N - 1);
    const float va = field[at_corner(cell, a)], vb = field[at_corner(cell, b)], t = (LEVEL - va) / (vb - va);
    return make_float3(cx + (a & 1) + t * ((b & 1) - (a & 1)), cy + (a >> 1 & 1) + t * ((b >> 1 & 1) - (a >> 1 & 1)),
                       cz + (a >> 2) + t * ((b >> 2) - (a >> 2)));
}
__global__ void generate(const float* field, const int2* cells, int met, float3* points) {
    const int k = blockIdx.x * BLOCK + threadIdx.x;
    if (k >= met) return;
    const int cell = cells[k].x;
    float3* out = points + 3 * cells[k].y;
    for (int t = 0; t < 6; ++t) {
        int which = 0;
        for (int c = 0; c < 4; ++c) which |= (field[at_corner(cell, corners[t][c])] > LEVEL) << c;
        for (int e = 0; cuts[which][e] >= 0; ++e) {
            const int edge = cuts[which][e];
            *out++ = crossing(field, cell, corners[t][ends[edge][0]], corners[t][ends[edge][1]]);
        }
    }
}
__global__ void areas(const float3* points, int triangles, double* sum) {
    __shared__ double parts[BLOCK];
    double own = 0;
    for (int k = blockIdx.x * BLOCK + threadIdx.x; k < triangles; k += gridDim.x * BLOCK) {
        const float3 a = points[3 * k], b = points[3 * k + 1], c = points[3 * k + 2];
        const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
        const float nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        own += 0.5f * sqrtf(nx * nx + ny * ny + nz * nz);
    }
    parts[threadIdx.x] = own;
    for (int step = BLOCK / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) parts[threadIdx.x] += parts[threadIdx.x + step];
    }
    if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}

int main() {
    const unsigned char host_corners[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    const unsigned char host_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    signed char host_cuts[16][7];
    for (int which = 0; which < 16; ++which) {
        std::vector<int> met;
        for (int e = 0; e < 6; ++e)
            if ((which >> host_ends[e][0] & 1) != (which >> host_ends[e][1] & 1)) met.push_back(e);
        if (met.size() == 4) met = {met[0], met[1], met[2], met[1], met[2], met[3]};
        std::fill_n(host_cuts[which], 7, -1);
        std::copy(met.begin(), met.end(), host_cuts[which]);
    }
    CHECK(cudaMemcpyToSymbol(corners, host_corners, sizeof host_corners));
    CHECK(cudaMemcpyToSymbol(ends, host_ends, sizeof host_ends));
    CHECK(cudaMemcpyToSymbol(cuts, host_cuts, sizeof host_cuts));
    const int blocks = (CELLS + BLOCK - 1) / BLOCK;
    float *field, *rough;
    unsigned char* triangles;
    int* total;
    int2 *sums, *cells;
    float3* points;
    double* area;
    CHECK(cudaMalloc(&field, N * N * N * 4));
    CHECK(cudaMalloc(&rough, N * N * N * 4));
    CHECK(cudaMalloc(&triangles, CELLS));
    CHECK(cudaMalloc(&sums, blocks * sizeof(int2)));
    CHECK(cudaMalloc(&cells, CELLS * sizeof(int2)));
    CHECK(cudaMallocManaged(&total, sizeof *total));
    CHECK(cudaMalloc(&area, 8));
    *total = 0;
    CHECK(cudaMemset(area, 0, 8));
    Elapsed elapsed;
    fill<<<dim3((N + 63) / 64, N, N), 64>>>(rough);
    smooth<<<dim3((N + 31) / 32, (N + 7) / 8, N), dim3(32, 8)>>>(rough, field);
    classify<<<blocks, BLOCK>>>(field, triangles, total);
    block_sums<<<blocks, BLOCK>>>(triangles, sums);
    scan_blocks<<<1, 1024>>>(sums, blocks);
    compact<<<blocks, BLOCK>>>(triangles, sums, cells);
    CHECK(cudaDeviceSynchronize());
    const int count = *total;
    std::vector<unsigned char> found(CELLS);
    CHECK(cudaMemcpy(found.data(), triangles, CELLS, cudaMemcpyDeviceToHost));
    const int met = CELLS - int(std::count(found.begin(), found.end(), 0));
    CHECK(cudaMalloc(&points, sizeof(float3) * 3 * count));
    generate<<<(met + BLOCK - 1) / BLOCK, BLOCK>>>(field, cells, met, points);
    areas<<<264, BLOCK>>>(points, count, area);
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<float> values(N * N * N);
    std::vector<float3> written(3 * count);
    double added, ours = 0;
    CHECK(cudaMemcpy(values.data(), field, values.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(written.data(), points, written.size() * sizeof(float3), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&added, area, 8, cudaMemcpyDeviceToHost));
    size_t at = 0;
    int wrong = 0;
    for (int cell = 0; cell < CELLS; ++cell)
        for (const auto& each : host_corners) {
            int which = 0;
            for (int c = 0; c < 4; ++c) which |= (values[at_corner(cell, each[c])] > LEVEL) << c;
            for (int e = 0; host_cuts[which][e] >= 0; ++e, ++at) {
                const int edge = host_cuts[which][e];
                const float3 p = crossing(values.data(), cell, each[host_ends[edge][0]], each[host_ends[edge][1]]);
                if (at >= written.size()) return verdict(false, "cell_surfaces");
                wrong += fabsf(p.x - written[at].x) + fabsf(p.y - written[at].y) + fabsf(p.z - written[at].z) > 1e-3f;
            }
        }
    for (int k = 0; k < count; ++k) {
        const float3 a = written[3 * k], b = written[3 * k + 1], c = written[3 * k + 2];
        const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
        const float nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        ours += 0.5f * sqrtf(nx * nx + ny * ny + nz * nz);
    }
    printf("%d triangles in %d cells, area %.3f\n", count, met, added);
    digest("cells", found.data(), CELLS);
    digest("points", written.data(), written.size() * sizeof(float3));
    return verdict(wrong == 0 && at == written.size() && near(added, ours, 1e-4) && count > 10000, "cell_surfaces");
}
