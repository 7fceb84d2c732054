// malloc, new and virtual functions in kernels; what one launch allocates, later ones use and free.
#include "check.h"

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float given) : side(given) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float given) : radius(given) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void make(Shape** shapes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) shapes[i] = i % 2 ? static_cast<Shape*>(new Square(i)) : new Disc(i);
}
__global__ void measure(Shape** shapes, float* areas, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) areas[i] = shapes[i]->area();
}
__global__ void drop(Shape** shapes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) delete shapes[i];
}

struct Link {
    int value;
    Link* next;
};
__global__ void list(int* sums) {
    Link* first = nullptr;
    for (int i = 0; i < 10; ++i) {
        auto* link = static_cast<Link*>(malloc(sizeof(Link)));
        *link = {i * static_cast<int>(threadIdx.x), first};
        first = link;
    }
    int sum = 0;
    while (first != nullptr) {
        sum += first->value;
        Link* next = first->next;
        free(first);
        first = next;
    }
    sums[threadIdx.x] = sum;
}
__global__ void exhaust(int* given) {
    int count = 0;
    while (malloc(1 << 16) != nullptr) ++count;
    *given = count;
}

int main() {
    const std::size_t heap = 4 << 20;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap));
    std::size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit == heap);
    const int n = 300, threads = 128, blocks = (n + threads - 1) / threads;
    Shape** shapes;
    float* areas;
    int* sums;
    CHECK(cudaMalloc(&shapes, n * sizeof(Shape*)));
    CHECK(cudaMallocManaged(&areas, n * sizeof(float)));
    CHECK(cudaMallocManaged(&sums, 64 * sizeof(int)));
    for (int round = 0; round < 2; ++round) {
        make<<<blocks, threads>>>(shapes, n);
        measure<<<blocks, threads>>>(shapes, areas, n);
        drop<<<blocks, threads>>>(shapes, n);
        list<<<1, 64>>>(sums);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i) EXPECT(areas[i] == (i % 2 ? 1.0f : 3.0f) * i * i);
        for (int i = 0; i < 64; ++i) EXPECT(sums[i] == 45 * i);
    }
    exhaust<<<1, 1>>>(sums);
    CHECK(cudaDeviceSynchronize());
    EXPECT(sums[0] > 40 && sums[0] < static_cast<int>(heap >> 16));
    return 0;
}
