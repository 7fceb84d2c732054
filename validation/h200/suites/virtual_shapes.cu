// Separate compilation: classes with virtual functions, made on the device, in two files (built with -rdc=true).
#include "virtual_shapes.h"
#include "../programs/check.h"
__global__ void make(Shape** shapes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) shapes[i] = i % 3 == 0 ? circle(1 + i % 7) : i % 3 == 1 ? box(i % 5, 1 + i % 4) : nullptr;
}
__global__ void measure(Shape** shapes, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = shapes[i] ? shapes[i]->area() : scaled(i);
}
__global__ void destroy(Shape** shapes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) delete shapes[i];
}
int main() {
    const int n = 4096;
    Shape** shapes;
    float *out, factor = 0.5f;
    std::vector<float> got(n);
    CHECK(cudaMalloc(&shapes, n * sizeof(Shape*)));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(set_factor(factor));
    make<<<n / 128, 128>>>(shapes, n);
    measure<<<n / 128, 128>>>(shapes, out, n);
    destroy<<<n / 128, 128>>>(shapes, n);
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i) {
        const float r = 1 + i % 7;
        right = right && near(got[i], i % 3 == 0 ? 3.14159265f * r * r : i % 3 == 1 ? float(i % 5) * (1 + i % 4) : factor * i, 1e-6);
    }
    return verdict(right, "virtual_shapes");
}
