// What few kernels do: jump tables, recursion, calls through pointers, textures, output, waiting for others.
#include <cassert>
#include <cstdio>

extern "C" {

__global__ void jump_table(const int* step, float* x) {
    float v = x[threadIdx.x];
#pragma unroll 1
    for (int k = 0; k < 8; ++k) {
        switch (step[k]) {
            case 0: v += 1; break;
            case 1: v *= 2; break;
            case 2: v -= 3; break;
            case 3: v = v * v; break;
            case 4: v = v * v + 1; break;
            case 5: v = fabsf(v); break;
            case 6: v = -v; break;
            case 7: v = v * 0.5f - 1; break;
            default: v = 0;
        }
    }
    x[threadIdx.x] = v;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int* out, int n) { out[threadIdx.x] = fibonacci(n); }

__device__ __noinline__ float square(float x) { return x * x + 1; }
__device__ __noinline__ float root(float x) { return sqrtf(x) - 1; }
__device__ float (*functions[2])(float) = {square, root};
__global__ void pointers(float* x, int which) { x[threadIdx.x] = functions[which & 1](x[threadIdx.x]); }

__global__ void texture(cudaTextureObject_t t, float* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = tex2D<float>(t, i % 64 + 0.5f, i / 64 + 0.5f) + tex1Dfetch<float>(t, i);
}
__global__ void surface(cudaSurfaceObject_t s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v;
    surf2Dread(&v, s, i % 64 * 4, i / 64);
    surf2Dwrite(v + 1, s, i % 64 * 4, i / 64);
}

__global__ void talks(const float* a, float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < n);
    if (a[i] > 1e30f) printf("%d %f\n", i, a[i]);
    b[i] = a[i] * 2;
}

__global__ void polls(volatile int* flag, float* b) {
    if (threadIdx.x == 0)
        while (*flag == 0) {}
    __syncthreads();
    b[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void largest(int* most, const float* a) {
    const float mine = a[blockIdx.x * blockDim.x + threadIdx.x];
    int old = *most, assumed;
    do {
        assumed = old;
        old = atomicCAS(most, assumed, __float_as_int(fmaxf(mine, __int_as_float(assumed))));
    } while (assumed != old);
}

__global__ void stack(const int* index, float* out, int n) {
    float own[64];
    for (int k = 0; k < 64; ++k) own[k] = k * 0.5f + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        sum += own[index[k] & 63];
        own[index[k] * 3 & 63] = sum;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void hints(const float4* a, float4* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = __ldcs(a + i), w = __ldcg(a + i), u = __ldca(a + n - 1 - i), z = __ldlu(a + i);
    v.x += w.y + u.z + z.w;
    __stcs(b + i, v);
    __stcg(b + n + i, w);
    __stwt(b + 2 * n + i, u);
}

__global__ void bytes(const int* a, int* b) {
    int s = 0;
    for (int k = 0; k < 32; ++k) {
        s = __dp4a(a[k], b[threadIdx.x], s) + __popc(s) + __clz(s) + __brev(s);
        s = __vadd4(__byte_perm(s, a[k], 0x3210), 0x01010101) + __sad(s, k, 3);
    }
    b[threadIdx.x] = s;
}

__global__ void specialised(const float* a, float* b, int rounds) {
    __shared__ float buffer[2][256];
    for (int t = 0; t < rounds; ++t) {
        if (threadIdx.x < 128) {
            for (int k = threadIdx.x; k < 256; k += 128) buffer[t & 1][k] = a[t * 256 + k];
            asm volatile("bar.arrive 1, 256;");
            asm volatile("bar.sync 2, 256;");
        } else {
            asm volatile("bar.sync 1, 256;");
            b[t * 128 + threadIdx.x - 128] = buffer[t & 1][threadIdx.x] + buffer[t & 1][threadIdx.x - 128];
            asm volatile("bar.arrive 2, 256;");
        }
    }
}

__device__ __noinline__ float taken(const float* p, int n) {
    float s = 0;
    for (int k = 0; k < n; ++k) s += p[k * 32 + (threadIdx.x & 31)];
    return s;
}
__global__ void generic(const float* a, float* b, int n) {
    __shared__ float s[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = a[k];
    __syncthreads();
    b[blockIdx.x * blockDim.x + threadIdx.x] = taken(s, n) + taken(a, n);
}

__global__ void masks(float* b) {
    unsigned less, equal, greater;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(equal));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(greater));
    b[(blockIdx.x * 8 + threadIdx.x / 32) * 32 + __popc(less)] = __popc(equal) + __popc(greater);
}

struct Fields {
    char flag;
    short few;
    const float* a;
    int rounds;
    double scale;
    float weight[3];
};
__global__ void by_value(Fields f, float* b) {
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < f.rounds * f.few; ++k) s += f.a[k * 256 + threadIdx.x] * f.weight[k % 3];
    if (f.flag == 'x') s *= f.scale;
    b[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void dynamic(const float* a, float* b, int n) {
    extern __shared__ float s[];
    for (int k = threadIdx.x; k < n; k += blockDim.x) s[k] = a[k];
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) b[k] = s[n - 1 - k];
}

#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(4, 1, 1) cluster(const float* a, float* b) {
    __shared__ float s[256];
    s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
    float sum = 0;
    for (unsigned r = 0; r < 4; ++r) {
        const unsigned own = __cvta_generic_to_shared(s + ((threadIdx.x + r) & 255));
        float there;
        asm volatile("{ .reg .u32 at; mapa.shared::cluster.u32 at, %1, %2; ld.shared::cluster.f32 %0, [at]; }" : "=f"(there) : "r"(own), "r"(r));
        sum += there;
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
    b[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#endif
}
