// Managed memory: an object with arrays that both sides use, prefetches and advice, and structures that hold pointers.
#include <new>

#include "digest.h"

struct Managed {
    void* operator new(size_t bytes) {
        void* result;
        CHECK(cudaMallocManaged(&result, bytes));
        return result;
    }
    void operator delete(void* address) { cudaFree(address); }
};

struct Table : Managed {
    int size;
    double* values;
    Table* next;
    explicit Table(int n) : size(n), next(nullptr) { CHECK(cudaMallocManaged(&values, n * sizeof(double))); }
    ~Table() { cudaFree(values); }
};

__managed__ unsigned long long visited = 0;

__global__ void smooth(const Table* list, double weight) {
    for (const Table* item = list; item != nullptr; item = item->next)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < item->size; i += gridDim.x * blockDim.x) {
            item->values[i] = weight * item->values[i] + (1 - weight) * sqrt(item->values[i]);
            if (i % 1024 == 0) atomicAdd(&visited, 1ull);
        }
}
__global__ void sum(const double* values, int n, double* result) {
    __shared__ double own[256];
    double total = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) total += values[i];
    own[threadIdx.x] = total;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, own[0]);
}

int main() {
    const int tables = 5, n = 100000;
    int device = 0, concurrent = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    Table* list = nullptr;
    for (int k = 0; k < tables; ++k) {
        auto* item = new Table(n + 1000 * k);
        for (int i = 0; i < item->size; ++i) item->values[i] = 1 + i % 1000 + k;
        item->next = list;
        list = item;
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    const cudaMemLocation here = {cudaMemLocationTypeDevice, device}, host = {cudaMemLocationTypeHost, 0};
    if (concurrent)
        for (Table* item = list; item != nullptr; item = item->next) {
            CHECK(cudaMemAdvise(item->values, item->size * sizeof(double), cudaMemAdviseSetPreferredLocation, here));
            CHECK(cudaMemAdvise(item->values, item->size * sizeof(double), cudaMemAdviseSetAccessedBy, host));
            CHECK(cudaMemPrefetchAsync(item->values, item->size * sizeof(double), here, 0, stream));
        }
    smooth<<<264, 256, 0, stream>>>(list, 0.75);
    CHECK(cudaStreamSynchronize(stream));
    double* totals;
    CHECK(cudaMallocManaged(&totals, tables * sizeof(double)));
    int k = 0;
    for (Table* item = list; item != nullptr; item = item->next, ++k) {
        totals[k] = 0;
        CHECK(cudaDeviceSynchronize());
        sum<<<132, 256, 0, stream>>>(item->values, item->size, &totals[k]);
        CHECK(cudaStreamSynchronize(stream));
    }
    bool right = true;
    unsigned long long expected = 0;
    k = 0;
    for (Table* item = list; item != nullptr; item = item->next, ++k) {
        if (concurrent) CHECK(cudaMemPrefetchAsync(item->values, item->size * sizeof(double), host, 0, stream));
        CHECK(cudaStreamSynchronize(stream));
        double total = 0;
        for (int i = 0; i < item->size; ++i) {
            const double start = 1 + i % 1000 + (tables - 1 - k);
            const double value = 0.75 * start + 0.25 * sqrt(start);
            right &= near(item->values[i], value, 1e-14);
            total += value;
        }
        right &= near(totals[k], total, 1e-12);
        expected += (item->size + 1023) / 1024;
    }
    digest("values", list->values, list->size * sizeof(double));
    right &= visited == expected;
    while (list != nullptr) {
        Table* next = list->next;
        delete list;
        list = next;
    }
    return verdict(right, "managed_list");
}
