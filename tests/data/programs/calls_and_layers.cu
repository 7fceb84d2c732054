// Functions that kernels call in their own text: by name, by addresses from a table, and themselves; surfaces with layers.
#include "check.h"
#include <cmath>
#include <vector>

typedef double (*Function)(double, int);
__device__ __noinline__ double halved(double x, int depth) { return depth == 0 ? x : halved(x / 2, depth - 1) + 1; }
__device__ __noinline__ double squared(double x, int) { return x * x; }
__device__ Function table[2] = {halved, squared};

__global__ void by_name(double* values) { values[threadIdx.x] = pow(values[threadIdx.x], 3.0) / 7.0; }
__global__ void by_address(double* values, int depth) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = table[threadIdx.x / 32 % 2](values[i], depth);
}
__global__ void layers(cudaSurfaceObject_t image, cudaSurfaceObject_t line, float* read) {
    const int x = threadIdx.x, y = blockIdx.x, layer = blockIdx.y;
    surf2DLayeredwrite(100.0f * layer + 10 * y + x, image, 4 * x, y, layer);
    surf1DLayeredwrite(2.0f * layer + x, line, 4 * x, layer);
    surf2DLayeredread(read + (layer * 4 + y) * 8 + x, image, 4 * x, y, layer);
}

static bool calls(int depth) {
    const int n = 128;
    std::vector<double> values(n), got(n);
    for (int i = 0; i < n; ++i) values[i] = i;
    double* at;
    CHECK(cudaMalloc(&at, n * sizeof(double)));
    CHECK(cudaMemcpy(at, values.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    by_address<<<2, 64>>>(at, depth);
    CHECK(cudaMemcpy(got.data(), at, n * sizeof(double), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && got[i] == (i / 32 % 2 ? 1.0 * i * i : std::ldexp(i, -depth) + depth);
    CHECK(cudaMemcpy(at, values.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    by_name<<<1, n>>>(at);
    CHECK(cudaMemcpy(got.data(), at, n * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) right = right && std::fabs(got[i] - 1.0 * i * i * i / 7.0) <= 1e-14 * got[i];
    return right;
}

static bool surfaces() {
    const int width = 8, height = 4, depth = 3;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t image, line;
    CHECK(cudaMalloc3DArray(&image, &format, make_cudaExtent(width, height, depth), cudaArrayLayered | cudaArraySurfaceLoadStore));
    CHECK(cudaMalloc3DArray(&line, &format, make_cudaExtent(width, 0, depth), cudaArrayLayered | cudaArraySurfaceLoadStore));
    cudaResourceDesc of{};
    of.resType = cudaResourceTypeArray;
    cudaSurfaceObject_t objects[2];
    of.res.array.array = image;
    CHECK(cudaCreateSurfaceObject(&objects[0], &of));
    of.res.array.array = line;
    CHECK(cudaCreateSurfaceObject(&objects[1], &of));
    const int n = width * height * depth;
    float* at;
    CHECK(cudaMalloc(&at, n * sizeof(float)));
    layers<<<dim3(height, depth), width>>>(objects[0], objects[1], at);
    std::vector<float> read(n), back(n), row(width * depth);
    CHECK(cudaMemcpy(read.data(), at, n * sizeof(float), cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms copy{};
    copy.srcArray = image;
    copy.dstPtr = make_cudaPitchedPtr(back.data(), width * sizeof(float), width, height);
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    copy.srcArray = line;
    copy.dstPtr = make_cudaPitchedPtr(row.data(), width * sizeof(float), width, 1);
    copy.extent = make_cudaExtent(width, 1, depth);
    CHECK(cudaMemcpy3D(&copy));
    bool right = read == back;
    for (int i = 0; i < n; ++i) right = right && back[i] == 100.0f * (i / 32) + 10 * (i / 8 % 4) + i % 8;
    for (int i = 0; i < width * depth; ++i) right = right && row[i] == 2.0f * (i / 8) + i % 8;
    return right;
}

int main(int count, char** words) {
    EXPECT(calls(count > 1 ? std::atoi(words[1]) : 5));
    EXPECT(surfaces());
    return 0;
}
