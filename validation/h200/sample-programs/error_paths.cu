// What programs do with errors: wrong launches, pointers, sizes and handles; each call's error as an H200 gives it.
#include "../programs/check.h"
#include <cstring>
__global__ void empty(int* p) { if (p) *p = 1; }
__global__ void __launch_bounds__(64) bounded(int* p) { if (p) *p = 1; }
extern __shared__ int dynamic[];
__global__ void large(int* p) { dynamic[threadIdx.x] = 1; __syncthreads(); p[0] = dynamic[0]; }
static int wrong = 0;
static void expect(const char* what, cudaError_t got, cudaError_t want) {
    const cudaError_t peeked = cudaPeekAtLastError(), last = cudaGetLastError(), after = cudaGetLastError();
    printf("%-28s %s peek %d last %d after %d\n", what, cudaGetErrorName(got), peeked, last, after);
    if (got != want || after != cudaSuccess) ++wrong;
}
int main() {
    int* d; void* p; cudaStream_t s; float ms; cudaPointerAttributes a; cudaFuncAttributes f; size_t n;
    CHECK(cudaMalloc(&d, 1024));
    expect("malloc of nothing", cudaMalloc(&p, 0), cudaSuccess);
    expect("malloc too large", cudaMalloc(&p, size_t(1) << 50), cudaErrorMemoryAllocation);
    expect("malloc null", cudaMalloc((void**)nullptr, 4), cudaErrorInvalidValue);
    expect("free null", cudaFree(nullptr), cudaSuccess);
    expect("free inside", cudaFree((char*)d + 256), cudaErrorInvalidValue);
    expect("copy beyond", cudaMemcpy(d, std::vector<char>(4096).data(), 4096, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect("copy wrong kind", cudaMemcpy(d, d, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    expect("memset beyond", cudaMemset(d, 0, 8192), cudaErrorInvalidValue);
    expect("set device", cudaSetDevice(99), cudaErrorInvalidDevice);
    empty<<<1, 2048>>>(nullptr);
    expect("too many threads", cudaGetLastError(), cudaErrorInvalidValue);
    empty<<<0, 32>>>(nullptr);
    expect("no blocks", cudaGetLastError(), cudaErrorInvalidValue);
    empty<<<dim3(1, 70000), 32>>>(nullptr);
    expect("grid too tall", cudaGetLastError(), cudaErrorInvalidValue);
    empty<<<1, dim3(1, 1, 128)>>>(nullptr);
    expect("block too deep", cudaGetLastError(), cudaErrorInvalidValue);
    bounded<<<1, 128>>>(nullptr);
    expect("beyond launch bounds", cudaGetLastError(), cudaErrorInvalidValue);
    large<<<1, 32, 64 << 10>>>(d);
    expect("dynamic shared memory", cudaGetLastError(), cudaErrorInvalidValue);
    expect("attribute", cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10), cudaSuccess);
    large<<<1, 32, 64 << 10>>>(d);
    expect("allowed", cudaGetLastError(), cudaSuccess);
    expect("attribute too large", cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20), cudaErrorInvalidValue);
    expect("function null", cudaFuncGetAttributes(&f, (const void*)nullptr), cudaErrorInvalidDeviceFunction);
    expect("event null", cudaEventRecord(nullptr, 0), cudaErrorInvalidResourceHandle);
    cudaEvent_t e1, e2;
    CHECK(cudaEventCreate(&e1)); CHECK(cudaEventCreate(&e2));
    expect("not recorded", cudaEventElapsedTime(&ms, e1, e2), cudaErrorInvalidResourceHandle);
    expect("query not recorded", cudaEventQuery(e1), cudaSuccess);
    expect("host pointer", cudaPointerGetAttributes(&a, &ms), cudaSuccess);
    if (a.type != cudaMemoryTypeUnregistered) ++wrong;
    CHECK(cudaPointerGetAttributes(&a, d));
    if (a.type != cudaMemoryTypeDevice || a.devicePointer != d) ++wrong;
    expect("peer with itself", cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    int can = 5;
    expect("can access", cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
    if (can != 0) ++wrong;
    expect("priority", cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, 100), cudaSuccess);
    expect("flags", cudaStreamCreateWithFlags(&s, 77), cudaErrorInvalidValue);
    expect("unregister", cudaHostUnregister(&ms), cudaErrorHostMemoryNotRegistered);
    expect("limit", cudaDeviceGetLimit(&n, (cudaLimit)99), cudaErrorInvalidValue);
    expect("symbol", cudaMemcpyToSymbol((const void*)&wrong, &wrong, 4), cudaErrorInvalidSymbol);
    cudaArray_t array;
    const cudaChannelFormatDesc odd = cudaCreateChannelDesc(24, 0, 0, 0, cudaChannelFormatKindFloat);
    expect("array format", cudaMallocArray(&array, &odd, 4, 4), cudaErrorInvalidChannelDescriptor);
    expect("pitch", cudaMemcpy2D(d, 4, d, 4, 8, 2, cudaMemcpyDeviceToDevice), cudaErrorInvalidPitchValue);
    expect("prefetch", cudaMemPrefetchAsync(d, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0), cudaErrorInvalidValue);
    printf("%s | %s\n", cudaGetErrorString(cudaErrorInvalidValue), cudaGetErrorName((cudaError_t)12345));
    empty<<<1, 32>>>((int*)16);
    expect("launched", cudaGetLastError(), cudaSuccess);
    const cudaError_t first = cudaDeviceSynchronize(), then = cudaMalloc(&p, 4), cleared = cudaGetLastError(), again = cudaGetLastError();
    printf("sticky %d then %d, last %d, again %d\n", first, then, cleared, again);
    if (first != cudaErrorIllegalAddress || then != cudaErrorIllegalAddress || cleared != cudaErrorIllegalAddress || again != cudaSuccess) ++wrong;
    return verdict(wrong == 0, "error_paths");
}
