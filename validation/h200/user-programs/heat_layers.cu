// Heat in a box of layers of several materials: pitched memory in three dimensions, a table of structs in constant memory.
// Arguments: width, height, depth, steps.
#include "digest.h"

struct Material {
    float conductivity, capacity;
    int source;
};
constexpr int MATERIALS = 4;
__constant__ Material materials[MATERIALS];
__constant__ float power[2];

__device__ float& at(cudaPitchedPtr box, int height, int x, int y, int z) {
    return reinterpret_cast<float*>(static_cast<char*>(box.ptr) + (size_t(z) * height + y) * box.pitch)[x];
}

__global__ void diffuse(cudaPitchedPtr from, cudaPitchedPtr to, int width, int height, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float below = at(from, height, x, y, 0), own = below;
    for (int z = 0; z < depth; ++z) {
        const float above = z + 1 < depth ? at(from, height, x, y, z + 1) : own;
        const Material& material = materials[z * MATERIALS / depth];
        const float west = x > 0 ? at(from, height, x - 1, y, z) : own;
        const float east = x + 1 < width ? at(from, height, x + 1, y, z) : own;
        const float north = y > 0 ? at(from, height, x, y - 1, z) : own;
        const float south = y + 1 < height ? at(from, height, x, y + 1, z) : own;
        const float flow = west + east + north + south + above + below - 6.0f * own;
        float next = own + material.conductivity * flow / material.capacity;
        if (material.source >= 0 && (x / 16 + y / 16) % 2 == 0) next += power[material.source];
        at(to, height, x, y, z) = next;
        below = own;
        own = above;
    }
}

__global__ void warmest(cudaPitchedPtr box, int width, int height, int depth, int* result) {
    int most = 0;
    for (int row = blockIdx.x; row < height * depth; row += gridDim.x)
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            most = max(most, __float_as_int(at(box, height, x, row % height, row / height)));
    for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(~0u, most, step));
    if (threadIdx.x % 32 == 0) atomicMax(result, most);
}

int main(int count, char** given) {
    const int width = count > 1 ? atoi(given[1]) : 200, height = count > 2 ? atoi(given[2]) : 180;
    const int depth = count > 3 ? atoi(given[3]) : 24, steps = count > 4 ? atoi(given[4]) : 10;
    const Material table[MATERIALS] = {{0.1f, 1.0f, -1}, {0.2f, 1.5f, 0}, {0.15f, 2.0f, -1}, {0.05f, 1.2f, 1}};
    const float added[2] = {0.5f, 0.25f};
    CHECK(cudaMemcpyToSymbol(materials, table, sizeof table));
    CHECK(cudaMemcpyToSymbol(power, &added[1], sizeof(float), sizeof(float)));
    CHECK(cudaMemcpyToSymbol(power, &added[0], sizeof(float), 0, cudaMemcpyHostToDevice));
    std::vector<float> start(size_t(width) * height * depth), result(start.size());
    Random random(7);
    for (float& value : start) value = 20.0f + random.real();
    const cudaExtent whole = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr box[2];
    for (auto& item : box) CHECK(cudaMalloc3D(&item, whole));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(start.data(), width * sizeof(float), width, height);
    copy.dstPtr = box[0];
    copy.extent = whole;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    Elapsed elapsed;
    for (int step = 0; step < steps; ++step) {
        diffuse<<<grid, block>>>(box[step % 2], box[(step + 1) % 2], width, height, depth);
        CHECK(cudaGetLastError());
    }
    elapsed.print();
    int *most, bits = 0;
    CHECK(cudaMalloc(&most, sizeof(int)));
    CHECK(cudaMemset(most, 0, sizeof(int)));
    warmest<<<132, 256>>>(box[steps % 2], width, height, depth, most);
    CHECK(cudaMemcpy(&bits, most, sizeof bits, cudaMemcpyDeviceToHost));
    copy.srcPtr = box[steps % 2];
    copy.dstPtr = make_cudaPitchedPtr(result.data(), width * sizeof(float), width, height);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    std::vector<float> other(start.size());
    auto index = [&](int x, int y, int z) { return (size_t(z) * height + y) * width + x; };
    for (int step = 0; step < steps; ++step) {
        for (int z = 0; z < depth; ++z)
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    const float own = start[index(x, y, z)];
                    const Material& material = table[z * MATERIALS / depth];
                    double flow = -6.0 * own;
                    flow += x > 0 ? start[index(x - 1, y, z)] : own;
                    flow += x + 1 < width ? start[index(x + 1, y, z)] : own;
                    flow += y > 0 ? start[index(x, y - 1, z)] : own;
                    flow += y + 1 < height ? start[index(x, y + 1, z)] : own;
                    flow += z > 0 ? start[index(x, y, z - 1)] : own;
                    flow += z + 1 < depth ? start[index(x, y, z + 1)] : own;
                    float next = float(own + material.conductivity * flow / material.capacity);
                    if (material.source >= 0 && (x / 16 + y / 16) % 2 == 0) next += added[material.source];
                    other[index(x, y, z)] = next;
                }
        start.swap(other);
    }
    bool right = true;
    float largest = 0;
    for (size_t i = 0; i < start.size(); ++i) {
        right &= near(result[i], start[i], 1e-4);
        largest = fmaxf(largest, result[i]);
    }
    float told;
    memcpy(&told, &bits, sizeof told);
    digest("temperatures", result.data(), result.size() * sizeof(float));
    return verdict(right && told == largest, "heat_layers");
}
